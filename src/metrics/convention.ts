import { InputError } from "../core/errors.js";
import { quoted } from "../tables/format.js";

/** @throws InputError where a metric has no such convention. */
export function checkConvention<Name extends string>(
  conventions: Readonly<Record<Name, unknown>>,
  convention: string,
  metric: string,
): asserts convention is Name {
  if (Object.hasOwn(conventions, convention)) return;
  throw new InputError(
    `Expected one of ${Object.keys(conventions).join(", ")} for the convention of ${metric} but ` +
      `received ${quoted(convention)}`,
  );
}
