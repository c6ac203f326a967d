import { existsSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import type { TableSource } from "../../../files/table-source.js";
import { parseMap } from "../../command-line/map-flag.js";
import type { Environment } from "../../environment.js";
import { columnsOf, type NameMap } from "./table-task.js";

/** A table as the command line names it. */
export interface ItemSource {
  readonly file: string;
  readonly map: readonly string[];
  /** Where images are; default: beside the table. */
  readonly images?: string | undefined;
  /** Whether images may lie outside the folders of the table and of `images`. */
  readonly allowOutside?: boolean;
  /** Another table whose folder they may lie in: that from which a queue for review was made. */
  readonly besides?: string | undefined;
  readonly environment: Pick<Environment, "workingDirectory" | "stdin">;
}

export interface OpenedTable {
  /** Anew for each reading. */
  source(): TableSource;
  /** What its columns are called, where they have other names. */
  readonly map: NameMap;
  /** The file that one of its cells means. */
  pathOf(image: string): string;
  /** The folders that images must lie in; anywhere where not given. */
  readonly folders: readonly string[] | undefined;
}

/**
 * A table that is read twice: once for its columns. A stream is kept meanwhile.
 *
 * @param isReviewed whether it came back from review. A queue has columns and images under names of
 *   its own, as seen from itself; so `map` then counts for columns that are there, and `images` for
 *   what does not lie as it is named.
 */
export async function openedTable(
  { file, map, images, allowOutside = false, besides, environment }: ItemSource,
  { isReviewed }: { readonly isReviewed: boolean },
): Promise<OpenedTable> {
  const { workingDirectory } = environment;
  const isStream = file === "-";
  const path = resolve(workingDirectory, file);
  const beside = isStream ? workingDirectory : dirname(path);
  const folder = images === undefined ? beside : resolve(workingDirectory, images);
  const source = isStream ? await keptStream(environment) : () => ({ name: file, path });
  const named = parseMap(map);
  const from = (directory: string) => (image: string) =>
    isAbsolute(image) ? image : resolve(directory, image);
  const other = besides === undefined ? [] : [dirname(resolve(workingDirectory, besides))];
  const folders = allowOutside ? undefined : [...new Set([beside, folder, ...other])];
  if (!isReviewed) return { source, map: named, pathOf: from(folder), folders };
  const columns = await columnsOf(source());
  return {
    source,
    folders,
    map: Object.fromEntries(Object.entries(named).filter(([, column]) => columns.has(column))),
    pathOf(image) {
      const places = [from(beside)(image), from(folder)(image)] as const;
      return places.find((place) => existsSync(place)) ?? places[0];
    },
  };
}

async function keptStream({ stdin }: Pick<Environment, "stdin">): Promise<() => TableSource> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stdin) pieces.push(piece);
  return () => ({
    name: "standard input",
    bytes: (async function* () {
      yield* pieces;
    })(),
  });
}
