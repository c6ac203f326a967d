import { labelPlan } from "../../analysis/label-plan/label-plan.js";
import type { PlanAim } from "../../analysis/label-plan/plan-units.js";
import { type PlanRow, unitsOf } from "../../conclusions/label-plan/columns.js";
import { groupBy } from "../../core/arrays.js";
import { besideText, drawOf, mean } from "../../studies/protocols/protocol.js";
import { protocols } from "../../studies/protocols/protocols.js";
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
  const asked = rowsOf(drawn, []);
  const aim = aimOf(asked);
  const sign = drawn.some(({ item }) => besideText(item, "direction") === "lower") ? -1 : 1;
  const { pair } = unitsOf(asked, aim, sign);
  const looks = Array.from({ length: mostLooks }, (_, at) =>
    Math.ceil((given.length * (at + 1)) / mostLooks),
  );
  const steps = [...new Set(looks)]
    .filter((count) => count > 0)
    .map((count) => ({
      answers: count,
      ...reachedBy(rowsOf(drawn, given.slice(0, count)), { aim, sign }),
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
        : `: the 95 % interval is ${aim === "rate" ? fixedText(width, 2) : `${fixedText(100 * width, 1)} points`} wide.`),
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
              title: pair ? `Win rate of ${pair[0]} against ${pair[1]}` : "Mean rating",
              aim,
            }),
          ]),
    ],
    caveats: [],
    method:
      "Interval: over what the plan drew from, by active statistical inference (Zrnic and Candès 2024). Until all are " +
      "answered, those of a stratum stand for the rest of it. It needs ten labels, and one of each stratum.",
  };
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
      const value = answer === null ? null : protocols[block.settings.protocol].value(answer);
      return counts && value !== null ? [{ item: item.id, value, at }] : [];
    })
    .sort((a, b) => a.at - b.at);

/** The drawn items as labels are planned by them, with the mean of what was said of each. */
function rowsOf(drawn: readonly DrawnItem[], given: readonly GivenValue[]): PlanRow[] {
  const ofItem = groupBy(given, ({ item }) => item);
  return drawn.map(({ item, weight, round, stratum }) => {
    const score = Number(besideText(item, "score") ?? Number.NaN);
    const values = (ofItem.get(item.id) ?? []).map(({ value }) => Number(value));
    return {
      model: besideText(item, "model") ?? "",
      prompt: besideText(item, "prompt") ?? String(item.content.text ?? item.id),
      domain: "",
      score: Number.isNaN(score) ? null : score,
      answer: mean(values.filter((value) => !Number.isNaN(value))),
      forecast: Number.isNaN(score) ? 0 : score,
      weight,
      round,
      stratum,
    };
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

/** Prompts that were drawn with the images of several models are there to compare these. */
function aimOf(rows: readonly PlanRow[]): PlanAim {
  const models = new Set(rows.map(({ model }) => model)).size;
  const areTogether = [...groupBy(rows, ({ prompt }) => prompt).values()].every(
    (its) =>
      new Set(its.map(({ model }) => model)).size > 1 &&
      new Set(its.map(({ stratum }) => stratum)).size === 1,
  );
  return models > 1 && areTogether ? "compare" : "rate";
}

/** What the rows with an answer say: each stands for those of its stratum that have none yet, too. */
function reachedBy(
  rows: readonly PlanRow[],
  { aim, sign }: { readonly aim: PlanAim; readonly sign: 1 | -1 },
) {
  const strata = [
    ...groupBy(
      unitsOf(rows, aim, sign).units,
      ({ round, stratum }) => `${round} ${stratum}`,
    ).values(),
  ].map((asked) => ({ asked, labelled: asked.filter(({ answer }) => answer !== null) }));
  const units = strata.flatMap(({ asked, labelled }) =>
    labelled.map((unit) => ({
      ...unit,
      weight: ((unit.weight ?? 1) * asked.length) / labelled.length,
    })),
  );
  const isWhole = strata.every(({ labelled }) => labelled.length > 0);
  return {
    labels: units.length,
    reached: isWhole ? labelPlan(units, { aim, budget: 1 }).reached : null,
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
  { title, aim }: { readonly title: string; readonly aim: PlanAim },
): ViewTable {
  const column = aim === "rate" ? numberColumn : percentColumn;
  const unit = aim === "rate" ? "" : ", points";
  return {
    title,
    columns: [
      countColumn("answers"),
      countColumn(aim === "rate" ? "labels" : "labelled prompts"),
      column(aim === "rate" ? "mean" : "win rate, %", { spread: "interval" }),
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
      `sequence).${aim === "rate" ? "" : " Few labels let ends lie beyond 0 or 100 %."}`,
  };
}
