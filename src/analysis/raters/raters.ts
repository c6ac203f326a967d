import { InputError } from "../../core/errors.js";
import { listText } from "../../core/phrases.js";
import { type Random, randomFrom } from "../../core/random.js";
import { decimalNumber } from "../../core/read-json.js";
import { type TextColumn, textColumn } from "../../core/text-column.js";
import type { Estimate } from "../../stats/estimate.js";
import { percentileInterval } from "../../stats/percentile-interval.js";
import { type IntervalMethod, intervalMethod, withInterval } from "../inference/intervals.js";
import { inOrder } from "../inference/sorted-names.js";
import { copiedRaters } from "./copied-raters.js";
import { heldOutLikelihoods, onlyRatings } from "./held-out.js";
import { type FittedRaters, type RaterTable, voteShares } from "./rater-model.js";
import { fitOf, type RaterModelName, raterModels } from "./rater-models.js";
import { isFastAndConstant, medianTimes } from "./rater-times.js";

export interface RaterOptions {
  /** Default `auto`: the model with the highest likelihood of answers that it has not seen. */
  readonly model?: RaterModelName | "auto" | undefined;
  /** All categories in their order. Default: those that were used, numbers by size, words by letter. */
  readonly categories?: readonly string[] | undefined;
  /** Default 200. */
  readonly resamples?: number | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
}

/** What is found of one rater. */
export interface RaterFound {
  /** Ratings. */
  readonly n: number;
  /** Share of their answers that is expected to be right, in [0, 1]. */
  readonly reliability: Estimate;
  /** What they would reach by giving their answers, as often as they do, whatever they see. */
  readonly guessing: number;
  /** Whether the whole interval of reliability minus guessing lies below 0. */
  readonly worseThanGuessing: boolean;
  /** Whether the whole interval of it lies above 0. */
  readonly betterThanGuessing: boolean;
  /** Who gives the same answers, errors too, more often than chance gives. */
  readonly copies?: string;
  /** Whether they are three times as fast as others and nearly always say the same. */
  readonly fastAndConstant?: boolean;
  /** Median, where times are given. */
  readonly seconds?: number;
}

/** What is found of one item's answer. */
export interface AnswerFound {
  readonly value: string;
  /** P(value is right) by the model. */
  readonly probability: number;
  /** The answer with the most votes; null where several have them. */
  readonly majority: string | null;
}

export interface RaterConclusion {
  /** Ratings. */
  readonly n: number;
  /** Rows without a rating. */
  readonly unscored: number;
  readonly items: number;
  readonly annotators: number;
  readonly categories: readonly string[];
  readonly model: RaterModelName;
  /** Mean log-likelihood of a rating that was held out, in nats; null where no item has two ratings. */
  readonly models: Readonly<Record<string, { readonly heldOutLogLikelihood: number | null }>>;
  readonly raters: Readonly<Record<string, RaterFound>>;
  readonly answers: Readonly<Record<string, AnswerFound>>;
  /** Items whose answer is another than that of the majority. */
  readonly changed: number;
  /** What leaving out those who are worse than guessing, copy, or are fast and constant would change. */
  readonly without?: { readonly raters: readonly string[]; readonly changed: number };
  readonly warnings: readonly string[];
  readonly intervals: IntervalMethod;
}

interface RaterColumns {
  readonly item: TextColumn;
  readonly annotator: TextColumn;
  readonly value: TextColumn;
  /** Seconds that a rating took; NaN where unknown. */
  readonly seconds?: Float64Array | undefined;
}

const defaultResamples = 200;

/** One annotator's rating of one item, as text; undefined where they gave none. */
export interface RaterRow {
  readonly item: string;
  readonly annotator: string;
  readonly value: string | undefined;
  /** How long it took. */
  readonly seconds?: number | undefined;
}

/**
 * How reliable each rater is and what each item's answer is likely to be, by a model of how raters err: majority vote,
 * MACE, GLAD, shifted thresholds, or Dawid and Skene's confusion matrices. `auto` takes the one with the highest
 * likelihood of held-out answers. Intervals draw whole items and fit the model anew. It takes for right what most
 * reliable raters say; if most are wrong together, so is it. Nobody is left out; those who answer alike beyond chance share
 * one vote, since models take raters to err by themselves.
 *
 * @throws InputError where rows name no annotator, for a value that is none of the categories, and for fewer than two
 *   categories.
 * @example
 * const rows = ["x", "y", "z"].map((annotator) => ({ item: "a", annotator, value: "yes" }));
 * raters([...rows, { item: "b", annotator: "x", value: "no" }]).answers.a?.majority // "yes"
 */
export const raters = (rows: readonly RaterRow[], options: RaterOptions = {}): RaterConclusion =>
  ratersOf(
    {
      item: textColumn(rows.map(({ item }) => item)),
      annotator: textColumn(rows.map(({ annotator }) => annotator)),
      value: textColumn(rows.map(({ value }) => value)),
      seconds: Float64Array.from(rows, ({ seconds }) => seconds ?? Number.NaN),
    },
    options,
  );

/** The same of rows by column. */
export function ratersOf(
  columns: RaterColumns,
  { model = "auto", categories: given, resamples = defaultResamples, seed = 0 }: RaterOptions = {},
): RaterConclusion {
  const { names, table: plain, seconds, unscored } = tableOf(columns, given);
  const { copies: copied, together, votes } = copiedRaters(plain);
  const table: RaterTable = { ...plain, votes };
  const isOrdered = given !== undefined || names.categories.every(isNumber);
  const applicable = raterModels.filter(
    (name) => name !== "ordinal" || (isOrdered && table.categories > 2),
  );
  if (model !== "auto" && !applicable.includes(model)) {
    throw new InputError(
      `Expected three or more categories in an order for the model ${model} but received ${listText(names.categories)}`,
      {
        hint: "Name them in their order, such as --categories bad,fair,good; or take another --model",
      },
    );
  }
  const likelihoods = heldOutLikelihoods(applicable.map(fitOf), table, seed);
  const chosen = model === "auto" ? bestOf(applicable, likelihoods) : model;
  const learn = fitOf(chosen);
  const fitted = learn(table);
  const intervals = intervalMethod(
    { interval: "percentile", resamples, seed },
    { clusters: table.items, clusteredBy: "item" },
  );
  const drawn = reliabilities(table, fitted);
  const draws = resampled(table, learn, { fitted, resamples, random: randomFrom("raters", seed) });
  const times = medianTimes(table, seconds);
  const found = names.raters.map((name, rater): [string, RaterFound] => {
    const { n, right, guessing } = drawn[rater] ?? { n: 0, right: 0, guessing: 0 };
    const beyond = percentileInterval(draws.map((draw) => draw[rater]?.beyond ?? Number.NaN));
    const copies = names.raters[copied[rater] ?? -1];
    const time = times?.[rater];
    return [
      name,
      {
        n,
        reliability: shareOf(
          right,
          draws.map((draw) => draw[rater]?.right ?? Number.NaN),
        ),
        guessing,
        worseThanGuessing: beyond !== undefined && beyond[1] < 0,
        betterThanGuessing: beyond !== undefined && beyond[0] > 0,
        ...(copies !== undefined && { copies }),
        ...(time !== undefined && {
          seconds: time,
          fastAndConstant: isFastAndConstant(table, rater, times ?? []),
        }),
      },
    ];
  });
  const answers = answersOf(fitted.posterior, table);
  const majorities = majoritiesOf(voteShares(plain), table);
  const likely = names.items.map((name, item): [string, AnswerFound] => {
    const { label, probability } = answers[item] ?? { label: 0, probability: 0 };
    const most = majorities[item] ?? -1;
    const value = names.categories[label] ?? "";
    return [name, { value, probability, majority: names.categories[most] ?? null }];
  });
  const doubted = found.flatMap(([name, one], rater) =>
    one.worseThanGuessing || one.copies !== undefined || one.fastAndConstant
      ? [{ name, rater }]
      : [],
  );
  return {
    n: table.item.length,
    unscored,
    items: table.items,
    annotators: table.raters,
    categories: names.categories,
    model: chosen,
    models: Object.fromEntries(
      applicable.map((name, at) => [
        name,
        { heldOutLogLikelihood: numberOrNull(likelihoods[at] ?? Number.NaN) },
      ]),
    ),
    raters: Object.fromEntries(found),
    answers: Object.fromEntries(likely),
    changed: likely.filter(([, { value, majority }]) => majority !== null && value !== majority)
      .length,
    ...(doubted.length > 0 && {
      without: {
        raters: doubted.map(({ name }) => name),
        changed: changedWithout(table, learn, { answers, left: doubted.map(({ rater }) => rater) }),
      },
    }),
    warnings: [
      ...together.map(
        (some) =>
          `${listText(some.map((rater) => names.raters[rater] ?? ""))} answer so alike that they share one vote`,
      ),
      ...warningsOf(table, likelihoods),
    ],
    intervals,
  };
}

const isNumber = (text: string) => decimalNumber(text) !== undefined;
const numberOrNull = (value: number) => (Number.isNaN(value) ? null : value);

/** The model with the highest likelihood; of equal ones the simplest. */
function bestOf(names: readonly RaterModelName[], likelihoods: readonly number[]): RaterModelName {
  let best = 0;
  for (const [at, value] of likelihoods.entries()) if (value > (likelihoods[best] ?? 0)) best = at;
  return names[best] ?? "majority";
}

function tableOf(
  { item, annotator, value, seconds }: RaterColumns,
  given: readonly string[] | undefined,
) {
  const rows = value.codes.length;
  const rated = Int32Array.from(value.codes.keys()).filter((row) => (value.codes[row] ?? -1) >= 0);
  const unnamed = rated.find((row) => (annotator.codes[row] ?? -1) < 0);
  if (unnamed !== undefined) {
    const first = item.names[item.codes[unnamed] ?? -1] ?? "";
    throw new InputError(
      `Expected an annotator in every row but received none for item "${first}"`,
      { hint: "Reliability is of a person: name who rated, such as --map annotator=worker_id" },
    );
  }
  const used = (column: TextColumn) => namesOf(column, rated);
  const categories = given ?? used(value);
  const unknown = used(value).find((name) => !categories.includes(name));
  if (unknown !== undefined) {
    throw new InputError(`Expected one of ${categories.join(", ")} but received "${unknown}"`);
  }
  if (categories.length < 2) {
    throw new InputError(
      `Expected two or more categories but received ${categories.length === 0 ? "no rating" : `only "${categories[0]}"`}`,
      { hint: "Where there are others that nobody chose, name all: --categories no,yes" },
    );
  }
  const names = { items: used(item), raters: used(annotator), categories };
  const numbered = (column: TextColumn, of: readonly string[]) => {
    const places = new Map(of.map((name, place) => [name, place]));
    const byCode = column.names.map((name) => places.get(name) ?? -1);
    return Int32Array.from(rated, (row) => byCode[column.codes[row] ?? -1] ?? -1);
  };
  const table: RaterTable = {
    items: names.items.length,
    raters: names.raters.length,
    categories: categories.length,
    item: numbered(item, names.items),
    rater: numbered(annotator, names.raters),
    label: numbered(value, categories),
  };
  return {
    names,
    table,
    seconds: seconds && Float64Array.from(rated, (row) => seconds[row] ?? Number.NaN),
    unscored: rows - rated.length,
  };
}

/** The texts of some rows, in their order by size or letter. */
function namesOf({ codes, names }: TextColumn, rows: Int32Array): string[] {
  const isUsed = new Uint8Array(names.length);
  for (const row of rows) isUsed[codes[row] ?? 0] = 1;
  return inOrder(names.filter((_, code) => isUsed[code] === 1));
}

/** Of each rater: share of answers that are expected to be right, what guessing gives, and the difference. */
function reliabilities(
  { raters, categories, item, rater, label }: RaterTable,
  { posterior }: Pick<FittedRaters, "posterior">,
  weights?: Float64Array,
): { n: number; right: number; guessing: number; beyond: number }[] {
  const n = new Float64Array(raters);
  const weight = new Float64Array(raters);
  const right = new Float64Array(raters);
  const said = new Float64Array(raters * categories);
  const are = new Float64Array(raters * categories);
  for (let at = 0; at < item.length; at++) {
    const who = rater[at] ?? 0;
    const from = (item[at] ?? 0) * categories;
    const by = weights?.[item[at] ?? 0] ?? 1;
    const chosen = label[at] ?? 0;
    n[who] = (n[who] ?? 0) + 1;
    weight[who] = (weight[who] ?? 0) + by;
    right[who] = (right[who] ?? 0) + by * (posterior[from + chosen] ?? 0);
    said[who * categories + chosen] = (said[who * categories + chosen] ?? 0) + by;
    for (let k = 0; k < categories; k++) {
      const place = who * categories + k;
      are[place] = (are[place] ?? 0) + by * (posterior[from + k] ?? 0);
    }
  }
  return Array.from({ length: raters }, (_, who) => {
    const all = weight[who] ?? 0;
    let guessing = 0;
    for (let k = 0; k < categories; k++) {
      const place = who * categories + k;
      guessing += ((said[place] ?? 0) / all) * ((are[place] ?? 0) / all);
    }
    const share = (right[who] ?? 0) / all;
    return { n: n[who] ?? 0, right: share, guessing, beyond: share - guessing };
  });
}

/** The same of resamples of items, the model fitted anew to each from where it stands. */
function resampled(
  table: RaterTable,
  learn: ReturnType<typeof fitOf>,
  { fitted, resamples, random }: { fitted: FittedRaters; resamples: number; random: Random },
) {
  return Array.from({ length: resamples }, () => {
    const weights = new Float64Array(table.items);
    random.tally(table.items, weights);
    const again = learn(table, { weights, start: fitted.posterior, tolerance: 1e-3 });
    return reliabilities(table, again, weights);
  });
}

/** A share, with the interval of what resamples have of it. */
const shareOf = (value: number, draws: readonly number[]): Estimate =>
  withInterval(value, percentileInterval(draws), {
    within: [0, 1],
    whenNone: "no interval: no resample has a rating",
  });

/** The likeliest answer of each item; of equal ones the first. */
function answersOf(posterior: Float64Array, { items, categories }: RaterTable) {
  return Array.from({ length: items }, (_, item) => {
    const its = posterior.subarray(item * categories, (item + 1) * categories);
    let label = 0;
    for (let k = 1; k < categories; k++) if ((its[k] ?? 0) > (its[label] ?? 0)) label = k;
    return { label, probability: its[label] ?? 0 };
  });
}

/** The category with the most votes; -1 where several have them. */
function majoritiesOf(votes: Float64Array, table: RaterTable): Int32Array {
  const answers = answersOf(votes, table);
  return Int32Array.from(answers, ({ label, probability }, item) => {
    const its = votes.subarray(item * table.categories, (item + 1) * table.categories);
    return its.filter((share) => share === probability).length > 1 ? -1 : label;
  });
}

function changedWithout(
  table: RaterTable,
  learn: ReturnType<typeof fitOf>,
  { answers, left }: { answers: readonly { label: number }[]; left: readonly number[] },
): number {
  const rows = [...table.rater.keys()].filter((at) => !left.includes(table.rater[at] ?? -1));
  const kept = onlyRatings(table, rows);
  const isRated = new Set(kept.item);
  return answersOf(learn(kept).posterior, kept).filter(
    ({ label }, item) => isRated.has(item) && label !== answers[item]?.label,
  ).length;
}

function warningsOf({ items, item, raters }: RaterTable, likelihoods: readonly number[]): string[] {
  const counts = new Int32Array(items);
  for (const one of item) counts[one] = (counts[one] ?? 0) + 1;
  const lone = counts.filter((count) => count < 2).length;
  return [
    ...(likelihoods.every(Number.isNaN)
      ? ["no item has two ratings: nothing tells one rater from another"]
      : lone > 0
        ? [
            `${lone} of ${items} items have one rating: nothing but the rater speaks for their answer`,
          ]
        : []),
    ...(raters < 3 ? ["of two raters who differ, nothing says which one is right"] : []),
  ];
}
