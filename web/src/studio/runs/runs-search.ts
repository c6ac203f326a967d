import { searchText, searchTexts } from "../search-text.js";

export const runSortings = ["name", "verb", "changed", "images"] as const;

/** Which runs are listed, and in which order. */
export interface RunsSearch {
  readonly text?: string;
  readonly verb?: string;
  readonly tag?: string;
  readonly sort?: (typeof runSortings)[number];
  readonly order?: "down";
}

/** Takes from an address what the list of runs understands, and nothing else. */
export function runsSearch(given: Readonly<Record<string, unknown>>): RunsSearch {
  const sort = runSortings.find((one) => one === searchText(given.sort));
  return {
    ...searchTexts(given, ["text", "verb", "tag"]),
    ...(sort === undefined ? {} : { sort }),
    ...(given.order === "down" ? { order: "down" as const } : {}),
  };
}
