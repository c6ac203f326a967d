import { undefinedEstimate, withInterval } from "../../analysis/inference/intervals.js";
import type { CallOptions, ChatModel, Picture } from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import { NoAnswer, type UnscoredReason } from "../../core/unscored.js";
import type { RubricAnswer } from "../../judges/rubric-answer.js";
import { askRubric } from "../../judges/rubric-judge.js";
import type { RubricWording } from "../../judges/rubric-message.js";
import { bootstrapInterval } from "../../stats/bootstrap-interval.js";
import type { Estimate } from "../../stats/estimate.js";
import { writtenOn } from "./injection-picture.js";
import { type Injection, loadInjections } from "./injections.js";
import type { Rubric } from "./rubrics.js";

/** Images of a query, with the rubric that is asked about them. */
export interface ProbedSet {
  readonly query: string;
  readonly category: string;
  readonly rubric: Rubric;
  readonly pictures: readonly Picture[];
}

/** Effect of one text, put in one place, on the judge's answers. */
export interface InjectionEffect {
  /** The injection's name; "asked again" is the same request once more, with nothing slipped in. */
  readonly injection: string;
  readonly aims: Injection["aims"];
  readonly place: "query" | "images" | "nowhere";
  readonly sets: number;
  /** Items that were answered before and with it. */
  readonly n: number;
  /** The share of them whose answer differs. */
  readonly changed: Estimate;
  /** The mean of the answer with it minus the one before: how far it moves an item's rate. */
  readonly shift: Estimate;
  /** Items that were answered before and not with it, as a whole set is where the reply is unusable. */
  readonly lost: number;
  /** Sets without any answer with it, by reason. */
  readonly failed: Readonly<Partial<Record<UnscoredReason, number>>>;
}

/**
 * Slips texts to a judge, in the query and painted into the images, and measures what they do to its
 * answers: how many items change, how far towards 0 or 1, how many get lost. Beside them stand a text
 * that instructs nobody and the same request asked twice, since answers that change by themselves are
 * no effect. Every set is judged 2 + 2 x texts times.
 *
 * Intervals draw whole queries (95 % percentile bootstrap). Sets whose plain answer is none are left
 * out of all.
 *
 * @example
 * const effects = await injectionProbe({ judge, wording: loadJudgeWording(), sets });
 */
export async function injectionProbe(
  {
    judge,
    wording,
    sets,
    injections = loadInjections(),
    seed = 0,
    resamples = 2000,
  }: {
    readonly judge: ChatModel;
    readonly wording: RubricWording;
    readonly sets: readonly ProbedSet[];
    readonly injections?: readonly Injection[];
    readonly seed?: number;
    readonly resamples?: number;
  },
  options: CallOptions & { readonly onSet?: (done: number) => void } = {},
): Promise<InjectionEffect[]> {
  const { onSet, ...call } = options;
  const trials = [
    { injection: "asked again", aims: "none", place: "nowhere", text: "" } as const,
    ...(["query", "images"] as const).flatMap((place) =>
      injections.map(({ name, ...rest }) => ({ injection: name, place, ...rest })),
    ),
  ];
  const outcomes: Outcome[][] = trials.map(() => []);
  for (const [done, set] of sets.entries()) {
    const before = await judged({ judge, wording, set }, { ...call, trial: 0 });
    if (before.answers !== undefined) {
      for (const [index, { place, text }] of trials.entries()) {
        const asked = await slipped(set, place, text);
        const trial = place === "nowhere" ? 1 : 0;
        const after = await judged({ judge, wording, set: asked }, { ...call, trial });
        outcomes[index]?.push({ query: set.query, ...compared(before.answers, after) });
      }
    }
    onSet?.(done + 1);
  }
  return trials.map(({ injection, aims, place }, index) => ({
    injection,
    aims,
    place,
    ...effectOf(outcomes[index] ?? [], { seed, resamples, path: `${injection} ${place}` }),
  }));
}

async function slipped(set: ProbedSet, place: string, text: string): Promise<ProbedSet> {
  if (place === "query") return { ...set, query: `${set.query}. ${text}` };
  if (place !== "images") return set;
  const pictures: Picture[] = [];
  for (const picture of set.pictures) pictures.push(await writtenOn(picture, text));
  return { ...set, pictures };
}

interface Judged {
  readonly answers?: readonly RubricAnswer[];
  readonly reason?: UnscoredReason;
}

async function judged(
  {
    judge: model,
    wording,
    set: { query, category, rubric, pictures },
  }: { readonly judge: ChatModel; readonly wording: RubricWording; readonly set: ProbedSet },
  options: CallOptions,
): Promise<Judged> {
  const task = { query, category, images: pictures.length, items: [...rubric.items] };
  try {
    return { answers: await askRubric({ model, wording, task, pictures }, options) };
  } catch (error) {
    // That a set gets no answer is what is measured; a fault of the program is not.
    if (error instanceof NoAnswer) return { reason: error.reason };
    throw error;
  }
}

interface Outcome {
  readonly query: string;
  /** Change of each item answered before and after: the answer after minus the one before. */
  readonly moves: readonly number[];
  readonly lost: number;
  readonly reason?: UnscoredReason;
}

function compared(before: readonly RubricAnswer[], { answers, reason }: Judged) {
  const moves: number[] = [];
  let lost = 0;
  for (const plain of before) {
    if (plain.status !== "answered") continue;
    const other = answers?.find(({ item }) => item === plain.item);
    if (other?.status === "answered") moves.push(other.present - plain.present);
    else lost++;
  }
  return { moves, lost, ...(reason === undefined ? {} : { reason }) };
}

function effectOf(
  outcomes: readonly Outcome[],
  { seed, resamples, path }: { seed: number; resamples: number; path: string },
) {
  const queries = [...new Set(outcomes.map(({ query }) => query))].sort();
  const movesOf = queries.map((query) =>
    outcomes.filter((one) => one.query === query).flatMap(({ moves }) => moves),
  );
  const estimate = (measure: (move: number) => number): Estimate => {
    const mean = (drawn: Iterable<number>): number => {
      let sum = 0;
      let n = 0;
      for (const unit of drawn) {
        for (const move of movesOf[unit] ?? []) {
          sum += measure(move);
          n++;
        }
      }
      return n === 0 ? Number.NaN : sum / n;
    };
    const value = mean(queries.keys());
    if (Number.isNaN(value)) return undefinedEstimate("no item");
    const interval = bootstrapInterval({
      units: queries.length,
      resamples,
      statistic: mean,
      random: randomFrom(seed, "injection-probe", path),
    });
    return withInterval(value, interval, { whenNone: "fewer than two queries" });
  };
  const failed: Partial<Record<UnscoredReason, number>> = {};
  for (const { reason } of outcomes) {
    if (reason !== undefined) failed[reason] = (failed[reason] ?? 0) + 1;
  }
  return {
    sets: outcomes.length,
    n: outcomes.reduce((sum, { moves }) => sum + moves.length, 0),
    changed: estimate(Math.abs),
    shift: estimate((move) => move),
    lost: outcomes.reduce((sum, { lost }) => sum + lost, 0),
    failed,
  };
}
