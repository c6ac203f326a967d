import { InputError } from "../../../core/errors.js";
import type { Records, Step } from "../../../core/step.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import type { ImageIndex } from "../../../models/folder/image-index.js";
import { csvLine } from "../../../tables/csv-text.js";
import type { Output } from "../../terminal/output.js";

/** Up to this many names are listed. */
const mostNames = 20;

type PaintStep = Step<"image">;

/** What a run's steps want images of. */
async function* wantedBy(steps: readonly PaintStep[], records: Records) {
  for (const step of steps) {
    for await (const { text, prompt, role, sample } of step.plan(records)) {
      yield { text, place: { prompt, role, sample } };
    }
  }
}

/** Says which images a folder lacks for a run, which ones it has too many, and which stand twice. */
export async function reportMatches(
  { index, steps, records }: { index: ImageIndex; steps: readonly PaintStep[]; records: Records },
  { output, folder }: { output: Output; folder: string },
): Promise<void> {
  const used = new Set<string>();
  const missing: string[] = [];
  let wanted = 0;
  for await (const one of wantedBy(steps, records)) {
    wanted++;
    const file = index.fileOf(one);
    if (file !== undefined) used.add(file);
    else missing.push(`${one.place.prompt}-${one.place.role}-${one.place.sample} (${one.text})`);
  }
  const repeated = new Set(index.repeated);
  const extra = index.images.filter((name) => !used.has(name) && !repeated.has(name));
  output.note(`${folder}: ${wanted - missing.length} of ${wanted} images found`);
  warn(missing, "missing", output);
  warn(extra, "extra: nothing asks for them", output);
  warn(index.repeated, "said twice: the first one counts", output);
  warn(index.absent, "in the table, but not in the folder", output);
  if (wanted > 0 && used.size === 0) {
    throw new InputError(`Expected images of this run in ${folder} but none of them is one`, {
      hint:
        "Name them PROMPT-ROLE-SAMPLE.png, or say in metadata.csv what they are of. What is wanted, " +
        "with its names: --wanted wanted.csv",
    });
  }
}

function warn(names: readonly string[], what: string, output: Output): void {
  if (names.length === 0) return;
  const shown = names.slice(0, mostNames).map((name) => `\n  ${name}`);
  const more = names.length > mostNames ? `\n  and ${names.length - mostNames} more` : "";
  output.warn(`${names.length} ${what}${shown.join("")}${more}`);
}

/**
 * Writes what a run wants images of as a table that can be given to any tool, and stand beside its
 * images as metadata.csv.
 */
export async function writeWanted(
  path: string,
  { steps, records }: { steps: readonly PaintStep[]; records: Records },
): Promise<number> {
  const lines = [csvLine(["file_name", "text", "prompt", "role", "sample"])];
  for await (const { text, place } of wantedBy(steps, records)) {
    const { prompt, role, sample } = place;
    lines.push(csvLine([`${prompt}-${role}-${sample}.png`, text, prompt, role, sample]));
  }
  await writeFileAtomically(path, lines.join(""));
  return lines.length - 1;
}
