import { existsSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import type { TableSource } from "../../files/table-source.js";
import type { Environment } from "../environment.js";
import { parseMap } from "../map-flag.js";
import { columnsOf, type NameMap } from "./table-task.js";

/** A table as the command line names it. */
export interface ItemSource {
  readonly file: string;
  readonly map: readonly string[];
  /** Where images are; default: beside the table. */
  readonly images?: string | undefined;
  readonly environment: Pick<Environment, "workingDirectory" | "stdin">;
}

export interface OpenedTable {
  /** Anew for each reading. */
  source(): TableSource;
  /** What its columns are called, where they have other names. */
  readonly map: NameMap;
  /** The file that one of its cells means. */
  pathOf(image: string): string;
}

/**
 * A table that is read twice: once for its columns. A stream is kept meanwhile.
 *
 * @param isReviewed whether it came back from review. A queue has columns and images under names of
 *   its own, as seen from itself; so `map` then counts for columns that are there, and `images` for
 *   what does not lie as it is named.
 */
export async function openedTable(
  { file, map, images, environment }: ItemSource,
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
  if (!isReviewed) return { source, map: named, pathOf: from(folder) };
  const columns = await columnsOf(source());
  return {
    source,
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
