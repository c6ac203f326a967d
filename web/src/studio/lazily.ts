import { type ComponentType, lazy } from "react";

/** A component that is loaded when it is first shown, by the name that its module exports it by. */
export const lazily = <Name extends string, Props>(
  name: Name,
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
) => lazy(async () => ({ default: (await load())[name] }));
