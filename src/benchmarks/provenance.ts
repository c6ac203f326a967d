import {
  type MadeImage,
  type MakingOfImages,
  makingOfImages,
} from "../analysis/comparison/image-making.js";
import type { Json } from "../core/json.js";
import { placed } from "../core/models.js";
import type { AnyRecord, RecordOf } from "../core/records.js";
import { shellWord } from "../core/shell-word.js";
import type { UnscoredReason } from "../core/unscored.js";
import type { ReportedRun, RunRecords } from "./run-records.js";

/** Records of one step that have no answer, for one reason. */
export interface UnscoredCount {
  readonly step: string;
  /** Who had no answer: a metric, a generator, a writer. */
  readonly of: string;
  readonly reason: UnscoredReason;
  readonly retryable: boolean;
  readonly count: number;
  /** The first one's detail. */
  readonly detail: string;
}

export interface Provenance {
  readonly software: readonly string[];
  readonly seed: number;
  /** How intervals were made, in a sentence. */
  readonly intervals: string;
  /** The command lines that made the run, the last one last. */
  readonly commands: readonly string[];
  /** The run folder as a command names it, quoted for a shell. */
  readonly runFolder: string;
  readonly steps: readonly { readonly name: string; readonly parameters: Json }[];
  /** How each generator made its images. */
  readonly making: readonly MakingOfImages[];
  /** Models, as `provider:model@revision`, and the steps that asked them. */
  readonly models: readonly { readonly name: string; readonly steps: readonly string[] }[];
  readonly sources: readonly { readonly path: string; readonly sha256: string }[];
  readonly records: readonly {
    readonly type: string;
    readonly done: number;
    /** Not asked for, as it does not apply (`not-applicable`), such as what can't be drawn. */
    readonly leftOut: number;
    /** The others without an answer. */
    readonly unscored: number;
  }[];
}

/** How the run was made, from its recipe, and what it holds. */
export function provenanceOf({
  run,
  name,
  records,
  intervals,
}: {
  readonly run: ReportedRun;
  readonly name: string;
  readonly records: RunRecords;
  readonly intervals: string;
}): Provenance {
  const { software, seed, commands, steps, sources } = run.recipe;
  const counted = (type: string, list: readonly AnyRecord[]) => {
    const done = list.filter(({ status }) => status === "done").length;
    const leftOut = list.filter(
      (record) => record.status === "unscored" && record.reason === "not-applicable",
    ).length;
    return { type, done, leftOut, unscored: list.length - done - leftOut };
  };
  return {
    software,
    seed,
    intervals,
    commands,
    runFolder: shellWord(name),
    steps: steps.map((step) => ({
      name: `${step.name}@${step.version}`,
      parameters: step.parameters,
    })),
    models: modelsOf(records, run.recipe.models),
    making: makingOfImages(records.images.flatMap((image) => madeImage(image) ?? [])),
    sources,
    records: [
      ...(records.prompts.length === 0 ? [] : [counted("prompt", records.prompts)]),
      ...(records.descriptions.length === 0 ? [] : [counted("description", records.descriptions)]),
      counted("image", records.images),
      counted("score", records.scores),
    ],
  };
}

/** What a record says of how its image was made; `undefined` where there is none, or another image was changed. */
export function madeImage(record: RecordOf<"image">): MadeImage | undefined {
  if (record.status !== "done" || record.madeFrom !== undefined) return undefined;
  const { prompt, role, width, height, making, revisedPrompt } = record;
  return {
    by: placed(record),
    prompt: `${prompt} ${role}`,
    making: { ...making, size: `${width}x${height}` },
    isRewritten: revisedPrompt !== undefined,
  };
}

/** Who was asked in the records, in their order; then whom the recipe alone names. */
function modelsOf({ images, scores }: RunRecords, named: readonly string[]): Provenance["models"] {
  const stepsOf = new Map<string, Set<string>>();
  for (const record of [...images, ...scores]) {
    const name = placed(record);
    const steps = stepsOf.get(name);
    if (steps === undefined) stepsOf.set(name, new Set([record.step]));
    else steps.add(record.step);
  }
  for (const model of named) if (!stepsOf.has(model)) stepsOf.set(model, new Set());
  return [...stepsOf].map(([name, steps]) => ({ name, steps: [...steps] }));
}

/** The records without an answer, by step, whom it was asked of, and reason. */
export function unscoredCounts({
  prompts,
  descriptions,
  images,
  scores,
}: RunRecords): UnscoredCount[] {
  const found = new Map<string, UnscoredCount>();
  const count = (
    of: string,
    record: {
      readonly step: string;
      readonly reason: UnscoredReason;
      readonly retryable: boolean;
      readonly detail: string;
    },
  ) => {
    const { step, reason, retryable, detail } = record;
    const id = JSON.stringify([step, of, reason, retryable]);
    const before = found.get(id);
    found.set(
      id,
      before === undefined
        ? { step, of, reason, retryable, detail, count: 1 }
        : { ...before, count: before.count + 1 },
    );
  };
  for (const prompt of prompts) if (prompt.status === "unscored") count(prompt.writer, prompt);
  for (const one of descriptions) if (one.status === "unscored") count(one.set, one);
  for (const image of images) if (image.status === "unscored") count(placed(image), image);
  for (const score of scores) {
    if (score.status === "unscored") count(`${score.metric} with ${placed(score)}`, score);
  }
  return [...found.values()];
}
