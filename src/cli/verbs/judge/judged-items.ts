import { dirname, isAbsolute, relative, resolve } from "node:path";
import type { JsonObject } from "../../../core/json.js";
import { drawnColumn, type JudgingTask, taskTables } from "../../../core/judging-task.js";
import { type AskedSoFar, probabilityBounds } from "../../../ensembles/fewer-calls.js";
import type { AskingRule } from "../../../ensembles/fewer-calls-replay.js";
import { ratingDistribution } from "../../../judges/answer-kind.js";
import { type ItemRow, wordOf } from "../calibrate/judged-table.js";

/** Outcome of an item. */
export interface JudgedItem {
  readonly item: ItemRow;
  /** In the words of the task: a, b, yes, no, or a rating. Null where a person looks. */
  readonly decision: string | number | null;
  /** Facts about the answer, in the words of the task. */
  readonly told: JsonObject;
  /** Prompts that were asked, and those of them that gave no answer. */
  readonly asked: number;
  readonly unscored: number;
}

/** Decides an item by its answers so far. */
export function judged(
  item: ItemRow,
  state: AskedSoFar,
  { task, rule }: { readonly task: JudgingTask; readonly rule: AskingRule },
): JudgedItem {
  const { verdict, shares } = rule.conclude(state);
  const width = shares.length;
  const asked = state.asked.reduce((sum, each) => sum + each, 0);
  const unscored = Array.from(state.asked.keys()).filter(
    (at) => state.asked[at] === 1 && Number.isNaN(state.answers[at * width] ?? Number.NaN),
  ).length;
  return {
    item,
    decision: verdict === null ? null : wordOf(task, verdict),
    told: task === "rating" ? toldOfRating(shares) : toldOfTwo(shares, state),
    asked,
    unscored,
  };
}

/** P(a is better) or P(yes), and what it can still be, were all prompts asked. */
const toldOfTwo = ([p = Number.NaN]: Float64Array, state: AskedSoFar): JsonObject => ({
  probability: Number.isNaN(p) ? null : p,
  ...probabilityBounds(state),
});

/** P of each rating from 1 up, the expected one, and those between which 95 % lie. */
function toldOfRating(shares: Float64Array): JsonObject {
  if (shares.some(Number.isNaN)) return { probabilities: null, expected: null, interval: null };
  const { probabilities, expected, interval } = ratingDistribution([...shares]);
  return { probabilities: [...probabilities], expected, interval: [...interval] };
}

/** An item in the columns of its task; `seen` says how an image is named. */
function columnsOf(
  { id, text, images, embeddings = [] }: ItemRow,
  task: JudgingTask,
  seen: (image: ItemRow["images"][number]) => string,
): JsonObject {
  const { images: columns, texts } = taskTables[task];
  const [named] = texts;
  const files = columns.flatMap((column, at) => {
    const image = images[at];
    return image === undefined ? [] : [[column, seen(image)] as const];
  });
  // What a table brought along goes back with it, so that answers can be taken in.
  const [first, second] = embeddings.map((each) => [...each]);
  return {
    id,
    [named]: text,
    ...Object.fromEntries(files),
    ...(first === undefined
      ? {}
      : second === undefined
        ? { embedding: first }
        : { embedding_a: first, embedding_b: second }),
  };
}

/** The file that a line is written to. */
interface Written {
  readonly task: JudgingTask;
  readonly file: string;
  readonly workingDirectory: string;
}

/** How a file names images: as seen from itself, or as absolute as they were given. */
function seenFrom({ file, workingDirectory }: Written) {
  const folder = dirname(resolve(workingDirectory, file));
  return ({ path, name }: ItemRow["images"][number]) =>
    isAbsolute(name) ? path : relative(folder, path).replaceAll("\\", "/");
}

/** A line of the results: what was decided, and how sure that is. */
export const resultLine = (
  { item, decision, told, asked, unscored }: JudgedItem,
  written: Written,
): JsonObject => ({
  ...columnsOf(item, written.task, seenFrom(written)),
  decision,
  by: "judge",
  ...told,
  asked,
  unscored,
});

/** A line of the results for an item that people decided: their answer, whatever a judge thinks. */
export const peoplesLine = (
  item: ItemRow,
  said: string | number,
  written: Written,
): JsonObject => ({
  ...columnsOf(item, written.task, seenFrom(written)),
  decision: said,
  by: "people",
});

/** A line of the review queue: what the judge thinks, and an empty column for a person to fill in. */
export function reviewLine(
  { item, told, asked, unscored }: JudgedItem,
  {
    threshold,
    isDrawn,
    judge,
    ...written
  }: Written & {
    /** From what confidence on the judge decides; null where nothing is certified. */
    readonly threshold: number | null;
    /** Whether it is put to people whatever the judge thinks, and so are all like it. */
    readonly isDrawn: boolean;
    /** The judge's file, which people's answers go back to. */
    readonly judge: string;
  },
): JsonObject {
  const { task } = written;
  const why =
    threshold === null
      ? "nothing is certified, so no model was asked"
      : unscored === asked
        ? "no prompt gave an answer"
        : "not sure enough";
  return {
    ...columnsOf(item, task, seenFrom(written)),
    [taskTables[task].label]: null,
    why,
    ...(isDrawn && { [drawnColumn]: true }),
    ...told,
    asked,
    unscored,
    judge: seenFrom(written)({ path: resolve(written.workingDirectory, judge), name: judge }),
  };
}
