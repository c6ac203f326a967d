import { labelPlan } from "../../analysis/label-plan/label-plan.js";
import type { PlanAim } from "../../analysis/label-plan/plan-units.js";
import { type PlanRow, unitsOf } from "../../conclusions/label-plan/columns.js";
import { groupBy } from "../../core/arrays.js";
import {
  areDrawnTogether,
  drawOf,
  itemsAnswered,
  promptOf,
} from "../../studies/protocols/draws.js";
import { besideText, mean } from "../../studies/protocols/protocol.js";
import { protocolOf } from "../../studies/protocols/protocols.js";
import type { StudyBlock, StudyItem } from "../../studies/study.js";
import type { KeptAnswer } from "../../studies/tables/counted-answers.js";
import { fixedText, pluralText } from "../../views/number-text.js";
import {
  countColumn,
  numberColumn,
  percentColumn,
  textColumn,
  type View,
  type ViewTable,
} from "../../views/view.js";

/** So often the interval is shown as it narrowed. */
const mostLooks = 8;

/**
 * What a block of items that `label plan` drew asks next, why, and how its interval narrowed as answers came; undefined
 * where no plan drew its items.
 */
export function planView(block: StudyBlock, answers: readonly KeptAnswer[]): View | undefined {
  const drawn = block.items.flatMap((item) => {
    const draw = drawOf(item);
    return draw === undefined ? [] : [{ item, ...draw }];
  });
  if (drawn.length === 0) return undefined;
  const given = valuesGiven(block, answers);
  const items = drawn.map(({ item }) => item);
  const aim = aimOf(items);
  const sign = items.some((item) => besideText(item, "direction") === "lower") ? -1 : 1;
  const { pair } = unitsOf(rowsOf(items, []), aim, sign);
  const isShare = aim !== "rate" || given.some(({ value }) => typeof value === "string");
  const looks = Array.from({ length: mostLooks }, (_, at) =>
    Math.ceil((given.length * (at + 1)) / mostLooks),
  );
  const steps = [...new Set(looks)]
    .filter((count) => count > 0)
    .map((count) => ({
      answers: count,
      ...reachedBy(rowsOf(items, given.slice(0, count)), { aim, sign }),
    }));
  const strata = strataOf(drawn, given, block.settings.ratingsPerItem);
  const sum = (of: (stratum: StratumState) => number) =>
    strata.reduce((so, stratum) => so + of(stratum), 0);
  const left = sum((one) => one.left);
  const width = steps.at(-1)?.reached?.width ?? null;
  return {
    verdict:
      `${sum((one) => one.answered)} of ${pluralText(drawn.length, "item")} of the plan answered` +
      (width === null
        ? "; no interval yet."
        : `: the 95 % interval is ${isShare ? `${fixedText(100 * width, 1)} points` : fixedText(width, 2)} wide.`),
    findings: [
      left === 0
        ? "Next: nothing, all answers are in."
        : `Next: ${pluralText(left, "answer")}, those items first that have the fewest.`,
      "Why these: the plan drew items more often where it expected answers to differ more.",
    ],
    tables: [
      strataTable(strata),
      ...(steps.length === 0
        ? []
        : [
            intervalTable(steps, {
              title: pair
                ? `Win rate of ${pair[0]} against ${pair[1]}`
                : aim === "threshold"
                  ? "How often the judge is right"
                  : isShare
                    ? shareOf(items)
                    : "Mean rating",
              labels: pair ? "labelled prompts" : "labels",
              value: pair ? "win rate, %" : isShare ? "share, %" : "mean",
              isShare,
            }),
          ]),
    ],
    caveats: [],
    method:
      "Interval: over what the plan drew from, by active statistical inference (Zrnic and Candès 2024). Until all are " +
      "answered, those of a stratum stand for the rest of it. It needs ten labels, and one of each stratum.",
  };
}

/** What a share is of: answers yes, or those for the first of the two sides that all items have. */
function shareOf(items: readonly StudyItem[]): string {
  const sides = new Set(
    items.map((item) =>
      ["model_a", "model_b"].map((name) => besideText(item, name) ?? "").join(" to "),
    ),
  );
  const [both = ""] = sides;
  return sides.size === 1 && both.trim() !== "to"
    ? `Share that prefers ${both}`
    : "Share of yes, or of the first of two";
}

interface DrawnItem extends NonNullable<ReturnType<typeof drawOf>> {
  readonly item: StudyItem;
}

interface GivenValue {
  readonly item: string;
  readonly value: string | number;
  readonly at: number;
}

/** What people said of the block's items, in the order of their answers. */
const valuesGiven = (block: StudyBlock, answers: readonly KeptAnswer[]): GivenValue[] =>
  answers
    .flatMap(({ block: its, item, kind, answer, at }) => {
      const counts = its === block.name && kind === "item" && drawOf(item) !== undefined;
      const value = answer === null ? null : protocolOf(block.settings.protocol).value(answer);
      return counts && value !== null ? [{ item: item.id, value, at }] : [];
    })
    .sort((a, b) => a.at - b.at);

/** Answers in words as numbers: shares are estimated of them. */
const numbers: Readonly<Record<string, number>> = { yes: 1, no: 0, a: 1, b: 0, tie: 0.5 };

/** What a judge says, P(yes) or P(a), where its errors are planned by it; undefined where the column is the draw's. */
function judged(item: StudyItem): number | undefined {
  const said = Number(besideText(item, "probability") ?? Number.NaN);
  const drawn = drawOf(item)?.probability ?? Number.NaN;
  return Number.isNaN(said) || Math.abs(said - drawn) < 1e-6 ? undefined : said;
}

/** Prompts that were drawn with the images of several models are there to compare these. */
const aimOf = (items: readonly StudyItem[]): PlanAim =>
  areDrawnTogether(items) ? "compare" : items.some(isJudged) ? "threshold" : "rate";
const isJudged = (item: StudyItem) => judged(item) !== undefined;

/** The drawn items as labels are planned by them, with the mean of what was said of each. */
function rowsOf(items: readonly StudyItem[], given: readonly GivenValue[]): PlanRow[] {
  const ofItem = groupBy(given, ({ item }) => item);
  const isThreshold = aimOf(items) === "threshold";
  // A plan of pairs without scores expects either answer alike; one score that is missing among others is none.
  const unscored = items.some((item) => besideText(item, "score") !== undefined) ? Number.NaN : 0;
  const answerOf = (item: StudyItem) => {
    const values = (ofItem.get(item.id) ?? []).map(({ value }) => numbers[value] ?? Number(value));
    const answer = mean(values.filter((value) => !Number.isNaN(value)));
    if (!isThreshold || answer === null) return answer;
    const says = (judged(item) ?? 0.5) >= 0.5;
    return answer === 0.5 ? null : Number(answer > 0.5 === says);
  };
  const counted = itemsAnswered(items, (item) => answerOf(item) !== null);
  return [...counted.values()].flatMap((item): PlanRow[] => {
    const draw = drawOf(item);
    if (draw === undefined) return [];
    const { weight, round, stratum } = draw;
    const p = isThreshold ? judged(item) : undefined;
    const read = p ?? Number(besideText(item, "score") ?? unscored);
    const score = Number.isNaN(read) ? null : read;
    return [
      {
        model: besideText(item, "model") ?? "",
        prompt: promptOf(item),
        domain: "",
        score,
        answer: answerOf(item),
        forecast: p === undefined ? (score ?? 0) : Math.max(p, 1 - p),
        weight,
        round,
        stratum,
      },
    ];
  });
}

interface StratumState {
  readonly round: number;
  readonly stratum: string;
  readonly probability: number;
  readonly items: number;
  readonly answered: number;
  /** Answers that are still wanted. */
  readonly left: number;
}

function strataOf(
  drawn: readonly DrawnItem[],
  given: readonly GivenValue[],
  wanted: number,
): StratumState[] {
  const ofItem = groupBy(given, ({ item }) => item);
  return [...groupBy(drawn, ({ round, stratum }) => `${round} ${stratum}`).values()].flatMap(
    (its) => {
      const counts = its.map(({ item }) => ofItem.get(item.id)?.length ?? 0);
      const [first] = its;
      if (first === undefined) return [];
      const { round, stratum, probability } = first;
      return {
        round,
        stratum,
        probability,
        items: its.length,
        answered: counts.filter((count) => count > 0).length,
        left: counts.reduce((sum, count) => sum + Math.max(0, wanted - count), 0),
      };
    },
  );
}

/** What the rows with an answer say. */
function reachedBy(
  rows: readonly PlanRow[],
  { aim, sign }: { readonly aim: PlanAim; readonly sign: 1 | -1 },
) {
  const { units } = unitsOf(rows, aim, sign);
  const labelled = units.filter(({ answer }) => answer !== null);
  const strata = (of: typeof units) =>
    new Set(of.map(({ round, stratum }) => `${round} ${stratum}`));
  const isWhole = strata(labelled).size === strata(units).size;
  return {
    labels: labelled.length,
    reached: isWhole ? labelPlan(labelled, { aim, budget: 1 }).reached : null,
  };
}

const strataTable = (strata: readonly StratumState[]): ViewTable => ({
  title: "Strata",
  columns: [
    textColumn("stratum"),
    countColumn("round"),
    percentColumn("probability, %"),
    countColumn("items"),
    countColumn("answered"),
    countColumn("answers left"),
  ],
  rows: [...strata]
    .sort(
      (a, b) => a.round - b.round || a.stratum.localeCompare(b.stratum, "en", { numeric: true }),
    )
    .map(({ stratum, round, probability, items, answered, left }) => [
      stratum,
      round,
      probability,
      items,
      answered,
      left,
    ]),
  note: "Probability: with which each item was drawn. Strata are bands of score, the lowest first.",
});

function intervalTable(
  steps: readonly ({ readonly answers: number } & ReturnType<typeof reachedBy>)[],
  {
    title,
    labels: counted,
    value,
    isShare,
  }: Readonly<Record<"title" | "labels" | "value", string>> & { readonly isShare: boolean },
): ViewTable {
  const column = isShare ? percentColumn : numberColumn;
  const unit = isShare ? ", points" : "";
  return {
    title,
    columns: [
      countColumn("answers"),
      countColumn(counted),
      column(value, { spread: "interval" }),
      column(`width${unit}`),
      column(`width that allows for looking${unit}`),
    ],
    rows: steps.map(({ answers, labels, reached }) => [
      answers,
      labels,
      reached,
      reached?.width ?? null,
      reached?.sequence.width ?? null,
    ]),
    note:
      "The first width is right for one look; who stops once it is narrow enough needs the second (a confidence " +
      `sequence).${isShare ? " Few labels let ends lie beyond 0 or 100 %." : ""}`,
  };
}
