import { append } from "../core/arrays.js";
import { type Key, keyOf } from "../core/keys.js";
import type { RecordStore } from "../core/record-store.js";
import { type AnyRecord, aboutOf, determinantsOf, promptRole, takenRole } from "../core/records.js";
import { stepId } from "../core/step.js";
import { brokenImages } from "./broken-images.js";

/** Counts of what was looked at, and what of it is wrong. */
export interface Verification {
  readonly records: number;
  readonly images: number;
  readonly truths: number;
  /** Parts that no seal speaks of, such as files, by name: what was edited in them can't be told. */
  readonly unsealed: readonly string[];
  /** Whether the recipe is as it was sealed, so that `run resume` can make anew what is damaged. */
  readonly recipeStands: boolean;
  /** One sentence each, with file and line. */
  readonly problems: readonly string[];
}

/**
 * Checks that a run is whole: sealed files are unchanged; each record belongs to its step, has the key that follows
 * from its content, stands once, and the records it was made from are there; every image is there and its bytes have
 * its hash; where the run keeps truths, each image has one. A last line torn by a killed process is no damage: its
 * task is asked again.
 */
export async function verifyRun(run: RecordStore): Promise<Verification> {
  const problems: string[] = [];
  const keys = new Set<string>();
  const images = new Map<Key, AnyRecord>();
  let records = 0;
  for (const step of run.recipe.steps) {
    const own = new Set<string>();
    const within = new Map<string, Set<string>>();
    for await (const entry of run.entriesOf(stepId(step))) {
      const { where, part, isInOrder } = entry;
      if ("problem" in entry) {
        problems.push(`${entry.problem} (${where})`);
        continue;
      }
      const { record } = entry;
      const { key, attempt } = record;
      const once = isInOrder ? key : `${key} ${attempt}`;
      const beside = within.get(part) ?? new Set();
      const found = [
        ...recordProblems(record, `${step.name}@${step.version}`),
        ...(keys.has(key) && !own.has(key) ? ["its key stands in another step, too"] : []),
        ...(beside.has(once) ? ["its key stands twice"] : []),
        ...madeFrom(record)
          .filter((from) => !keys.has(from))
          .map((from) => `the record ${from} that it was made from is not there`),
      ];
      append(
        problems,
        found.map((what) => `record ${key}: ${what} (${where})`),
      );
      within.set(part, beside.add(once));
      if (!own.has(key)) records++;
      own.add(key);
      if (record.type === "image" && record.status === "done") images.set(key, record);
    }
    for (const key of own) keys.add(key);
  }
  const { unsealed, recipeStands, problems: ofHome } = await run.check();
  append(problems, ofHome);
  const broken = await brokenImages(run.blobs, images.values());
  append(
    problems,
    broken.map(({ key, problem }) => `record ${key}: ${problem}`),
  );
  const truths = await truthProblems(run, images);
  return {
    records,
    images: images.size,
    truths: truths.checked,
    unsealed,
    recipeStands,
    problems: [...problems, ...truths.problems],
  };
}

/** Finds faults in what a record says of its own making. */
function recordProblems(record: AnyRecord, step: string): string[] {
  const found: string[] = [];
  if (record.step !== step) found.push(`it is of step ${record.step}, not of ${step}`);
  const key = keyOf({ ...determinantsOf(aboutOf(record)), step: record.step });
  if (key !== record.key) found.push(`what it is about has the key ${key}`);
  return found;
}

function madeFrom(record: AnyRecord): readonly string[] {
  if (record.type === "image")
    return [takenRole, promptRole].includes(record.role) ? [] : [record.prompt];
  return record.type === "score" ? [record.of] : [];
}

/** A run without any truth was made without, or somebody removed it on purpose. */
async function truthProblems({ truth }: RecordStore, images: ReadonlyMap<Key, AnyRecord>) {
  const problems: string[] = [];
  if (await truth.isEmpty()) return { checked: 0, problems };
  for (const key of images.keys()) {
    const problem = await truth.problemOf(key);
    if (problem !== undefined) problems.push(`record ${key}: ${problem}`);
  }
  return { checked: images.size, problems };
}
