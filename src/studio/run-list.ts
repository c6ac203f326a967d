import { basename, join } from "node:path";
import { storesIn } from "../files/open-store.js";

/** A run found in the place that the studio shows, or below it. */
export interface FoundRun {
  readonly id: string;
  readonly name: string;
  readonly place: string;
  /** The folder that it lies in, where that is no run: what is concluded from several runs stands there. */
  readonly within?: { readonly name: string; readonly place: string };
}

/** The id of a run that is the place itself. */
export const wholeRun = ".run";

/** The runs of a folder and below it, by name. */
export async function findRuns(root: string): Promise<readonly FoundRun[]> {
  const stores = await storesIn(root);
  const names = new Set(stores.map(({ name }) => name));
  const found = stores.map(({ name, place }): FoundRun => {
    if (name === "") return { id: wholeRun, name: basename(root), place };
    const above = name.slice(0, Math.max(0, name.lastIndexOf("/")));
    const within =
      above === "" || names.has(above) ? {} : { within: { name: above, place: join(root, above) } };
    return { id: name.replaceAll("/", "~"), name, place, ...within };
  });
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The folder of a run from the place that is shown; "" is that place itself. */
export const folderOf = ({ id, name }: Pick<FoundRun, "id" | "name">): string =>
  id === wholeRun ? "" : name;

/** How commands name a run where the studio was started. @param shown what people call the place that is shown */
export const pathOf = ({ id, name }: Pick<FoundRun, "id" | "name">, shown: string): string =>
  id === wholeRun ? shown : join(shown, name);
