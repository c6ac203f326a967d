import { join, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import type { JsonObject } from "../../../core/json.js";
import { keyOf } from "../../../core/keys.js";
import {
  type GenerationRequest,
  type ImageGenerator,
  modelFacts,
  type Placed,
  placed,
  placedName,
} from "../../../core/models.js";
import { randomFrom } from "../../../core/random.js";
import { NoAnswer } from "../../../core/unscored.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { readTable } from "../../../files/read-table.js";
import { openGenerated } from "../../../images/picture-file.js";
import type { Budget } from "../../../runs/budget.js";
import { CallCosts } from "../../../runs/call-costs.js";
import { Fruitless, isCall } from "../../../runs/fruitless.js";
import { inParallel } from "../../../runs/in-parallel.js";
import { optionalText, text } from "../../../tables/columns.js";
import type { Environment } from "../../environment.js";
import { ImageList, imageId } from "./image-list.js";

export interface FolderSummary {
  /** Images that were wanted. */
  readonly total: number;
  /** Those that are there now, and those that were there before. */
  readonly made: number;
  readonly reused: number;
  /** Those that are not there and were asked for, by reason. */
  readonly unscored: Readonly<Record<string, number>>;
}

/**
 * Makes `samples` images for each prompt into a folder, with metadata.jsonl beside them. What is
 * there already is not made again, and what was refused for good is not asked again. The seed of an
 * image follows from `seed`, its prompt and its number alone.
 *
 * @throws InputError where the folder holds images of another model or seed; IncompleteError where of 20
 *   images that were asked for none was made.
 */
export async function generateFolder({
  prompts,
  samples,
  seed,
  generator,
  directory,
  concurrency,
  signal,
  budget,
  trace,
  onWanted,
  onProgress,
}: {
  readonly prompts: readonly ListedPrompt[];
  readonly samples: number;
  readonly seed: number;
  readonly generator: ImageGenerator;
  readonly directory: string;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly budget: Budget;
  readonly trace: (entry: JsonObject) => void;
  /** Told of what will be asked, before it is. */
  readonly onWanted: (requests: readonly GenerationRequest[]) => Promise<void>;
  readonly onProgress: (done: number, unscored: number) => void;
}): Promise<FolderSummary> {
  const facts = modelFacts(generator.identity);
  const wanted = prompts.flatMap(({ text, id }) =>
    Array.from({ length: samples }, (_, at) => ({
      text,
      ...(id === undefined ? {} : { id }),
      sample: at + 1,
      // Below 2^31, which every provider takes.
      seed: randomFrom(seed, "generate", text, at + 1).integer(2 ** 31),
      ...facts,
    })),
  );
  const list = await ImageList.open(directory);
  try {
    refuseOthers(list, wanted, directory);
    const isThere = (one: (typeof wanted)[number]) => list.made.has(imageId(one));
    const reused = wanted.filter(isThere).length;
    const left = wanted.filter((one) => !isThere(one) && !list.missing.has(imageId(one)));
    await onWanted(left.map(requestFor));
    const [before] = wanted.filter(isThere);
    if (before !== undefined) generator.answered?.(requestFor(before));
    const fruitless = new Fruitless(placedName(generator.identity), {
      hint: "Mend what it says.",
      hasAnswer: before !== undefined,
    });
    let done = wanted.length - left.length;
    await inParallel(left, {
      concurrency,
      signal,
      async work(one) {
        if (!(await budget.take())) return;
        const costs = new CallCosts();
        let wasCalled = false;
        const note = (entry: JsonObject) => {
          wasCalled ||= isCall(entry);
          costs.note(entry);
          trace(entry);
        };
        try {
          const { bytes, revisedPrompt } = await generator.generate(requestFor(one), {
            trace: note,
          });
          const { mediaType } = await openGenerated(bytes);
          fruitless.answered();
          const name = fileName(one, mediaType);
          await writeFileAtomically(join(directory, name), bytes);
          await list.addMade({
            file_name: name,
            ...one,
            ...(revisedPrompt === undefined ? {} : { revised_prompt: revisedPrompt }),
          });
        } catch (error) {
          if (!(error instanceof NoAnswer)) throw error;
          const { reason, retryable, message } = error;
          await list.addMissing({ ...one, reason, retryable, detail: message });
          fruitless.failed({ reason, detail: message, wasCalled });
        } finally {
          budget.put(costs.spent);
        }
        done++;
        onProgress(done, list.missing.size);
      },
    });
    const unscored: Record<string, number> = {};
    for (const one of wanted) {
      const reason = list.missing.get(imageId(one))?.reason;
      if (reason !== undefined) unscored[reason] = (unscored[reason] ?? 0) + 1;
    }
    return { total: wanted.length, made: wanted.filter(isThere).length, reused, unscored };
  } finally {
    await list.close(wanted.map(imageId));
  }
}

const requestFor = ({
  text,
  seed,
  id = "",
  sample,
}: {
  readonly text: string;
  readonly seed: number;
  readonly id?: string;
  readonly sample: number;
}): GenerationRequest => ({
  prompt: text,
  seed,
  place: { prompt: id, role: "", sample: sample - 1 },
});

/** Images of one folder are of one model, so that nobody takes one's for another's. */
function refuseOthers(
  { made }: ImageList,
  wanted: readonly ({ text: string; sample: number; seed: number } & Placed)[],
  directory: string,
): void {
  const [first] = wanted;
  if (first === undefined) return;
  const own = placed(first);
  const other = [...made.values()].map(placed).find((name) => name !== own);
  const hint = "Name another folder with --out; it is made where there is none.";
  if (other !== undefined) {
    throw new InputError(
      `Expected a folder of images by ${own} but ${directory} holds some by ${other}`,
      { hint },
    );
  }
  const reseeded = wanted.find((one) => (made.get(imageId(one))?.seed ?? one.seed) !== one.seed);
  if (reseeded === undefined) return;
  throw new InputError(
    `Expected a folder of images made with this --seed but ${directory} holds others`,
    { hint },
  );
}

const endings: Readonly<Record<string, string>> = { "image/jpeg": "jpg", "image/tiff": "tif" };

/** Names what is seen, and is another for another prompt, however the table changes. */
function fileName({ text, sample }: { text: string; sample: number }, mediaType: string): string {
  const words = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  const start = words.slice(0, 40).replace(/-+$/, "");
  const name = [start, keyOf(text).slice(0, 8), String(sample)].filter((part) => part !== "");
  return `${name.join("-")}.${endings[mediaType] ?? mediaType.replace(/^image\//, "")}`;
}

/** A prompt of a table. */
interface ListedPrompt {
  readonly text: string;
  readonly id: string | undefined;
}

/**
 * The prompts of a table (`text`, and `id` where it has one), each text once, in their order.
 *
 * @param source a file, or "-" for standard input
 * @throws InputError where the table is not sound.
 */
export async function readPrompts(
  source: string,
  {
    environment: { workingDirectory, stdin },
    map,
    tell,
  }: {
    readonly environment: Environment;
    readonly map: Readonly<Record<string, string>>;
    /** Called with a sentence that says which names are alike. */
    readonly tell: (sentence: string) => void;
  },
): Promise<{ readonly prompts: readonly ListedPrompt[]; readonly repeated: number }> {
  const prompts = new Map<string, ListedPrompt>();
  let rows = 0;
  for await (const { row } of readTable({
    source:
      source === "-"
        ? { name: "standard input", bytes: stdin }
        : { name: source, path: resolve(workingDirectory, source) },
    columns: { text, id: optionalText },
    map,
    tell,
  })) {
    rows++;
    if (!prompts.has(row.text)) prompts.set(row.text, row);
  }
  return { prompts: [...prompts.values()], repeated: rows - prompts.size };
}
