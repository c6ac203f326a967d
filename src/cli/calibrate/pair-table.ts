import { dirname, isAbsolute, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import { readTable } from "../../files/table.js";
import { optionalOneOf, text } from "../../files/table-columns.js";
import type { Environment } from "../environment.js";
import { parseMap } from "../map-flag.js";

export const preferences = ["a", "b", "tie"] as const;
export type Preference = (typeof preferences)[number];

/** Two images of a caption, as a table names them. */
export interface PairRow {
  readonly id: string;
  readonly caption: string;
  /** As they were written. */
  readonly imageA: string;
  readonly imageB: string;
  /** The files that are meant. */
  readonly pathA: string;
  readonly pathB: string;
  /** Where it stands: "pairs.csv, line 3". */
  readonly place: string;
}

export interface LabelledPair extends PairRow {
  readonly preferred: Preference;
  /** Whether it came back from review. */
  readonly isReviewed: boolean;
}

interface PairSource {
  readonly file: string;
  readonly map: readonly string[];
  /** Where images are; default: beside the table. */
  readonly images?: string | undefined;
  readonly environment: Environment;
}

/** Other names under which tables have the caption, tried where it is not named by --map. */
const captionNames = ["caption", "prompt", "text"];

/**
 * Reads pairs of images: id, caption (or prompt, or text), image_a, image_b.
 *
 * @throws InputError where the table is not sound, or an id stands twice.
 */
export async function readPairs(source: PairSource): Promise<PairRow[]> {
  return (await rowsOf(source, { mustHavePreferred: false })).map(({ pair }) => pair);
}

/**
 * Reads pairs that people have decided: the same and preferred, a, b or tie.
 *
 * @param source.isReviewed whether they came back from review; rows that nobody has answered yet are
 *   then left out.
 */
export async function readLabels({
  isReviewed,
  ...source
}: PairSource & { readonly isReviewed: boolean }): Promise<LabelledPair[]> {
  const rows = await rowsOf(source, { mustHavePreferred: true });
  const missing = rows.filter(({ answer }) => answer === undefined);
  if (!isReviewed && missing.length > 0) {
    throw new InputError(
      `Expected a, b or tie for preferred but ${missing.length} of ${rows.length} rows have nothing`,
      { problems: missing.slice(0, 20).map(({ pair }) => pair.place) },
    );
  }
  return rows.flatMap(({ pair, answer }) =>
    answer === undefined ? [] : [{ ...pair, preferred: answer, isReviewed }],
  );
}

async function rowsOf(
  { file, map, images, environment }: PairSource,
  { mustHavePreferred }: { readonly mustHavePreferred: boolean },
) {
  const { workingDirectory, stdin } = environment;
  const isStream = file === "-";
  const path = resolve(workingDirectory, file);
  const source = isStream ? { name: "standard input", bytes: stdin } : { name: file, path };
  const folder =
    images === undefined
      ? isStream
        ? workingDirectory
        : dirname(path)
      : resolve(workingDirectory, images);
  const named = parseMap(map);
  const captions = named.caption === undefined ? captionNames : [named.caption];
  const rows: { readonly pair: PairRow; readonly answer: Preference | undefined }[] = [];
  const problems: string[] = [];
  for await (const { line, row, all } of readTable({
    source,
    columns: {
      ...{ id: text, image_a: text, image_b: text },
      preferred: { ...optionalOneOf(preferences), isRequired: mustHavePreferred },
    },
    map: Object.fromEntries(Object.entries(named).filter(([name]) => name !== "caption")),
    unique: ["id"],
  })) {
    const place = `${source.name}, line ${line}`;
    const caption = captionIn(all, captions);
    if (caption === undefined) problems.push(place);
    const [imageA, imageB] = [row.image_a, row.image_b];
    const at = (image: string) => (isAbsolute(image) ? image : resolve(folder, image));
    rows.push({
      pair: {
        ...{ id: row.id, caption: caption ?? "", imageA, imageB },
        ...{ pathA: at(imageA), pathB: at(imageB), place },
      },
      answer: row.preferred,
    });
  }
  if (problems.length === 0) return rows;
  throw new InputError(
    `Expected a text for ${captions.join(" or ")} but ${problems.length} of ${rows.length} rows have none`,
    { problems: problems.slice(0, 20), hint: "Another column: --map caption=my_column" },
  );
}

function captionIn(
  all: Readonly<Record<string, unknown>>,
  names: readonly string[],
): string | undefined {
  for (const name of names) {
    const value = all[name];
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return undefined;
}
