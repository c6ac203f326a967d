import { type SetSorting, setSortings } from "../../../../src/studio/audits/audit-api.js";
import { searchTexts } from "../search-text.js";

/** Which sets of an audit are gone through, and which of them is looked at. */
export interface SetSearch {
  readonly category?: string;
  readonly generator?: string;
  readonly item?: string;
  readonly sort?: SetSorting;
  readonly at?: number;
}

/** Takes from an address what the page of sets understands. */
export function setSearch(given: Readonly<Record<string, unknown>>): SetSearch {
  const { sort, at } = given;
  const sorting = setSortings.find((one) => one === sort);
  return {
    ...searchTexts(given, ["category", "generator", "item"]),
    ...(sorting === undefined ? {} : { sort: sorting }),
    ...(typeof at === "number" && Number.isInteger(at) && at >= 0 ? { at } : {}),
  };
}
