import { queryOptions, type UndefinedInitialDataOptions } from "@tanstack/react-query";
import { ask } from "../shell/api.js";

/** A query for what the studio's server answers at an address. */
export const asked = <Answer>(
  queryKey: readonly unknown[],
  address: string,
  more: Omit<UndefinedInitialDataOptions<Answer>, "queryKey" | "queryFn"> = {},
) => queryOptions({ ...more, queryKey, queryFn: ({ signal }) => ask<Answer>(address, signal) });
