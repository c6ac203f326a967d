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
import type { ScoreItem } from "./score-item.js";

/** An item that can be scored, and how often its image and text stood in rows before. */
interface SoundItem {
  readonly item: ScoreItem;
  readonly image: Hash;
  readonly trial: number;
}

const soundOf = new WeakMap<readonly ScoreItem[], readonly SoundItem[]>();

/** The items that can be scored, in their order. Steps and results go over them again and again: they are found once. */
export function soundItems(items: readonly ScoreItem[]): readonly SoundItem[] {
  const known = soundOf.get(items);
  if (known !== undefined) return known;
  const sound: SoundItem[] = [];
  const seen = new Map<Hash, Map<string, number>>();
  for (const item of items) {
    const { hash, text, problem } = item;
    if (hash === undefined || problem !== undefined) continue;
    const texts = seen.get(hash) ?? new Map<string, number>();
    seen.set(hash, texts);
    const trial = texts.get(text) ?? 0;
    texts.set(text, trial + 1);
    sound.push({ item, image: hash, trial });
  }
  soundOf.set(items, sound);
  return sound;
}

/**
 * Takes the images of items into a run, each once, with the first text that it should show.
 *
 * @param options.copies whether the run keeps copies: the files will be gone
 * @param options.known where the images' files were looked at
 */
export function takeImages(
  items: readonly ScoreItem[],
  { copies, known }: { readonly copies: boolean; readonly known: KnownFiles },
): Step<"image"> {
  const images = new Map<Hash, SoundItem>();
  for (const sound of soundItems(items))
    if (!images.has(sound.image)) images.set(sound.image, sound);
  const byKey = new Map([...images].map(([image, sound]) => [keyOf({ image }), sound]));
  return {
    name: "take-images",
    version: 1,
    produces: "image",
    parameters: {},
    asks: [],
    async *plan() {
      for (const [prompt, { item }] of byKey) {
        const { model } = item.others;
        yield {
          prompt,
          role: takenRole,
          sample: 0,
          text: item.text,
          seed: 0,
          model: typeof model === "string" && model !== "" ? model : "none",
        };
      }
    },
    async perform({ prompt }, { writeBlob, refer }) {
      const sound = byKey.get(prompt);
      if (sound === undefined)
        throw new RangeError(`Expected a planned image but received ${prompt}`);
      const { path, image: name } = sound.item;
      const { hash: image, mediaType, width, height } = await known.look(path, { name });
      if (image !== sound.image) {
        throw new NoAnswer("bad-input", `Expected ${name} as it was opened first, but it changed`);
      }
      if (copies) await writeBlob(await readFile(path), mediaType);
      else await refer(image, path);
      return { image, mediaType, width, height };
    },
  };
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
  items: readonly ScoreItem[],
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
      const keys = new Map<Hash, Key>();
      for await (const image of records.ofType("image")) {
        if (image.status === "done") keys.set(image.image, image.key);
      }
      for (const { item, image, trial } of soundItems(items)) {
        const of = keys.get(image);
        if (of === undefined) continue;
        const { text } = item;
        const structure = item.structure?.map(({ entity, attributes }) => ({
          entity,
          attributes: [...attributes],
        }));
        yield { of, image, text, trial, ...(structure && { structure }) };
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
