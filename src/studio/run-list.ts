import { basename } from "node:path";
import { storesIn } from "../files/open-store.js";

/** A run found in the place that the studio shows, or below it. */
export interface FoundRun {
  readonly id: string;
  readonly name: string;
  readonly place: string;
}

/** The id of a run that is the place itself. */
export const wholeRun = ".run";

/** The runs of a place and below it, by name. */
export async function findRuns(root: string): Promise<readonly FoundRun[]> {
  const found = (await storesIn(root)).map(({ name, place }) =>
    name === ""
      ? { id: wholeRun, name: basename(root), place }
      : { id: name.replaceAll("/", "~"), name, place },
  );
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}
