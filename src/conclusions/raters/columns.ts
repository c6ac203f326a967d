import type { Given } from "../../core/options.js";
import { type NumberKind, numeric } from "../../tables/columns.js";
import type { Table, TableShape } from "../../tables/shapes.js";
import {
  type Ratings,
  type RatingsAsked,
  ratingColumns,
  readRatings,
} from "../agreement/columns.js";
import type { GivenTable, Inputs } from "../table-options.js";
import type { options } from "./options.js";

type TimedRatings = Ratings & { readonly seconds?: NumberKind<number | null> };

/** Ratings as `analyze agreement` reads them and, where each row is one, how long it took. */
const columns = (given: RatingsAsked): TableShape<TimedRatings> => {
  const shape = ratingColumns(given);
  if (given.raters !== undefined) return shape;
  return { ...shape, kinds: { ...shape.kinds, seconds: { ...numeric, isRequired: false } } };
};

export const readTimedRatings = (
  given: GivenTable & Given<typeof options>,
  inputs: Inputs,
): Promise<Table<TimedRatings>> => readRatings({ ...given, scale: "nominal" }, inputs, columns);
