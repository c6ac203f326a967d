import { readFile } from "node:fs/promises";
import {
  factsText,
  metricStep,
  type ScoreTask,
  scorePart,
} from "../../../benchmarks/score-step.js";
import { TouchstoneError } from "../../../core/errors.js";
import { type Hash, type Key, keyOf } from "../../../core/keys.js";
import type { Metric } from "../../../core/metric.js";
import type { Picture } from "../../../core/models.js";
import { takenRole } from "../../../core/records.js";
import { type Step, stepId } from "../../../core/step.js";
import { NoAnswer } from "../../../core/unscored.js";
import type { KnownFiles } from "../../../images/known-files.js";
import { type ItemList, isSound, type SoundItem } from "./item-list.js";

/** The prompt of the record of an image that was taken. */
const takenPrompt = (image: Hash): Key => keyOf({ image });

/**
 * Takes the images of items into a run, each once, with the first text that it should show.
 *
 * @param options.copies whether the run keeps copies: the files will be gone
 * @param options.known where the images' files were looked at
 */
export function takeImages(
  items: ItemList,
  { copies, known }: { readonly copies: boolean; readonly known: KnownFiles },
): Step<"image"> {
  // A step is handed what it planned itself.
  const itemOf = new WeakMap<object, SoundItem>();
  return {
    name: "take-images",
    version: 1,
    produces: "image",
    parameters: {},
    asks: [],
    async *plan() {
      for await (const item of firstsOf(items)) {
        const { model } = item.others;
        const about = {
          prompt: takenPrompt(item.hash),
          role: takenRole,
          sample: 0,
          text: item.text,
          seed: 0,
          model: typeof model === "string" && model !== "" ? model : "none",
        } as const;
        itemOf.set(about, item);
        yield about;
      }
    },
    async perform(about, { writeBlob, refer }) {
      const item = itemOf.get(about);
      if (item === undefined) {
        throw new RangeError(`Expected a planned image but received ${about.prompt}`);
      }
      const { path, image: name } = item;
      const { hash: image, mediaType, width, height } = await known.look(path, { name });
      if (image !== item.hash) {
        throw new NoAnswer("bad-input", `Expected ${name} as it was opened first, but it changed`);
      }
      if (copies) await writeBlob(await readFile(path), mediaType);
      else await refer(image, path);
      return { image, mediaType, width, height };
    },
  };
}

/** The first item of each image. */
async function* firstsOf(items: ItemList): AsyncGenerator<SoundItem> {
  let left = items.images;
  for await (const batch of items.batches()) {
    for (const item of batch) {
      if (!item.isFirst || !isSound(item)) continue;
      yield item;
      if (--left === 0) return;
    }
  }
}

/** A metric, and the id of the step in which it scores. */
export interface MetricOfStep {
  readonly metric: Metric;
  readonly step: Step<"score">;
  readonly id: string;
}

/**
 * A step for each metric, which scores the images that were taken against the texts of their items.
 *
 * @param options.unread filled with images that can't be decoded, and why
 * @param options.skipsBad whether these are unscored; else the first ends the step
 */
export function scoreItems(
  items: ItemList,
  metrics: readonly Metric[],
  {
    unread,
    skipsBad,
    nameOf,
  }: {
    readonly unread: Map<Hash | undefined, string>;
    readonly skipsBad: boolean;
    /** What the user called a metric. */
    readonly nameOf: (metric: Metric) => string;
  },
): readonly MetricOfStep[] {
  const plan = {
    parameters: { textOf: "item" },
    async *tasks(records: Parameters<Step["plan"]>[0]): AsyncGenerator<ScoreTask> {
      const taken = new RecordsInOrder(records.ofType("image"), ({ prompt }) => prompt);
      // Of images that stand in several rows.
      const keys = new Map<Hash, Key | undefined>();
      try {
        for (const { hash: image, text, trial, structure, isFirst, isAlone } of items.asked()) {
          let of = keys.get(image);
          if (isFirst) {
            const record = await taken.take(takenPrompt(image));
            of = record?.status === "done" ? record.key : undefined;
            if (!isAlone) keys.set(image, of);
          }
          if (of === undefined) continue;
          const described = structure?.map(({ entity, attributes }) => ({
            entity,
            attributes: [...attributes],
          }));
          yield { of, image, text, trial, ...(described && { structure: described }) };
        }
      } finally {
        await taken.close();
      }
    },
  };
  const texts = metrics.map(factsText);
  const parts = new Set<string>();
  return metrics.map((metric, at) => {
    // Two metrics of the user's own may describe themselves alike: records tell them apart by what the user called them.
    const isTwin = texts.indexOf(factsText(metric)) !== texts.lastIndexOf(factsText(metric));
    const scorer = isTwin ? { ...metric, convention: nameOf(metric) } : metric;
    const named = scorePart(scorer);
    const part = parts.has(named) ? `${named}-${at + 1}` : named;
    parts.add(part);
    const step = metricStep({ name: "score-items", part, metric, scorer, plan });
    const reading: Step<"score"> = {
      ...step,
      async perform(about, context) {
        try {
          return await step.perform(about, context);
        } catch (error) {
          const isBad = error instanceof NoAnswer && error.reason === "bad-input";
          const problem = isBad && (await bodyProblem(await context.openPicture(about.image)));
          if (!problem) throw error;
          unread.set(about.image, problem);
          if (skipsBad) throw error;
          throw new TouchstoneError("input", problem);
        }
      },
    };
    return { metric, step: reading, id: stepId(step) };
  });
}

/** Why the pixels of a picture can't be decoded; undefined where they can. */
const bodyProblem = (picture: Picture): Promise<string | undefined> =>
  picture.pixels().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

/**
 * Takes records one by one, by name. Those of a finished step come in the order of its plan; of an unfinished one in
 * the order in which they were answered: what comes early is kept.
 */
export class RecordsInOrder<One> {
  readonly #records: AsyncIterator<One>;
  readonly #nameOf: (record: One) => string;
  readonly #early = new Map<string, One>();

  constructor(records: AsyncIterable<One>, nameOf: (record: One) => string) {
    this.#records = records[Symbol.asyncIterator]();
    this.#nameOf = nameOf;
  }

  async take(name: string): Promise<One | undefined> {
    const early = this.#early.get(name);
    if (early !== undefined) {
      this.#early.delete(name);
      return early;
    }
    for (;;) {
      const { done, value } = await this.#records.next();
      if (done === true) return undefined;
      const found = this.#nameOf(value);
      if (found === name) return value;
      this.#early.set(found, value);
    }
  }

  async close(): Promise<void> {
    await this.#records.return?.();
  }
}
