import { InputError } from "../../../core/errors.js";
import type { Records, Step } from "../../../core/step.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import type { ImageIndex } from "../../../models/folder/folder-generator.js";
import { csvLine } from "../../../tables/cell-table.js";
import type { Output } from "../../terminal/output.js";

/** Up to this many names are listed. */
const mostNames = 20;

type PaintStep = Step<"image">;

/** An image that a run wants. */
export interface WantedImage {
  /** The folder that lacks it, where there are several. */
  readonly folder?: string;
  readonly text: string;
  readonly place: { readonly prompt: string; readonly role: string; readonly sample: number };
}

/** Yields images a run's steps want. */
export async function* wantedBy(
  steps: readonly PaintStep[],
  records: Records,
): AsyncGenerator<WantedImage> {
  for (const step of steps) {
    for await (const { text, prompt, role, sample } of step.plan(records)) {
      yield { text, place: { prompt, role, sample } };
    }
  }
}

/** The images of a folder beside those that a run wants. */
export interface FolderMatch {
  readonly wanted: number;
  readonly missing: readonly WantedImage[];
  /** Files that nothing asks for. */
  readonly extra: readonly string[];
}

export async function matchImages(
  index: ImageIndex,
  images: AsyncIterable<WantedImage>,
): Promise<FolderMatch> {
  const used = new Set<string>(index.repeated);
  const missing: WantedImage[] = [];
  let wanted = 0;
  for await (const one of images) {
    wanted++;
    const file = index.fileOf(one);
    if (file !== undefined) used.add(file);
    else missing.push(one);
  }
  return { wanted, missing, extra: index.images.filter((name) => !used.has(name)) };
}

/** Says which images a folder lacks for a run, which ones it has too many, and which stand twice. */
export function tellMatches(
  { wanted, missing, extra }: FolderMatch,
  { index, folder, output }: { index: ImageIndex; folder: string; output: Output },
): void {
  output.note(`${folder}: ${wanted - missing.length} of ${wanted} images found`);
  warn(
    missing.map(({ text, place }) => `${nameOf(place)} (${text})`),
    "missing",
    output,
  );
  warn(extra, "extra: nothing asks for them", output);
  warn(index.repeated, "said twice: the first one counts", output);
  warn(index.absent, "in the table, but not in the folder", output);
}

/**
 * @param wanted the command that lists what is wanted
 * @throws InputError where a folder has none of the images that are wanted.
 */
export function refuseNoMatch(
  { wanted, missing }: FolderMatch,
  { folder, command }: { readonly folder: string; readonly command: string },
): void {
  if (wanted === 0 || missing.length < wanted) return;
  throw new InputError(`Expected images of this run in ${folder} but none of them is one`, {
    hint:
      "Name them PROMPT-ROLE-SAMPLE.png, or list them in metadata.csv there: file_name (also in subfolders) with text, " +
      `or, for an audit, with query. What is wanted, with its names: ${command}`,
  });
}

/** Matches a folder with what a run wants, and says what came of it. @throws InputError as `refuseNoMatch`. */
export async function reportMatches(
  { index, steps, records }: { index: ImageIndex; steps: readonly PaintStep[]; records: Records },
  { output, folder }: { output: Output; folder: string },
): Promise<void> {
  const match = await matchImages(index, wantedBy(steps, records));
  tellMatches(match, { index, folder, output });
  refuseNoMatch(match, { folder, command: "--wanted wanted.csv" });
}

const nameOf = ({ prompt, role, sample }: WantedImage["place"]): string =>
  `${prompt}-${role}-${sample}`;

function warn(names: readonly string[], what: string, output: Output): void {
  if (names.length === 0) return;
  const shown = names.slice(0, mostNames).map((name) => `\n  ${name}`);
  const more = names.length > mostNames ? `\n  and ${names.length - mostNames} more` : "";
  output.warn(`${names.length} ${what}${shown.join("")}${more}`);
}

/**
 * Writes what a run wants images of as a table that can be given to any tool, and stand beside its
 * images as metadata.csv. Where one names its folder, each row does, in a last column.
 */
export async function writeWanted(
  path: string,
  images: AsyncIterable<WantedImage> | Iterable<WantedImage>,
): Promise<number> {
  const rows: string[][] = [];
  const folders: string[] = [];
  for await (const { text, place, folder } of images) {
    const { prompt, role, sample } = place;
    rows.push([`${nameOf(place)}.png`, text, prompt, role, String(sample)]);
    if (folder !== undefined) folders.push(folder);
  }
  const header = ["file_name", "text", "prompt", "role", "sample"];
  const lines =
    folders.length === 0
      ? [header, ...rows]
      : [[...header, "folder"], ...rows.map((row, at) => [...row, folders[at] ?? ""])];
  await writeFileAtomically(path, lines.map(csvLine).join(""));
  return rows.length;
}
