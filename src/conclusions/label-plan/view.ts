import type { LabelPlan } from "../../analysis/label-plan/label-plan.js";
import type { PlanAim } from "../../analysis/label-plan/plan-units.js";
import type { TableCell } from "../../tables/cell-table.js";
import { fixedText, pluralText } from "../../views/number-text.js";
import {
  countColumn,
  numberColumn,
  percentColumn,
  textColumn,
  type ViewTable,
  type ViewWithData,
} from "../../views/view.js";

/** A plan with the rows that were chosen. */
export interface FoundPlan extends LabelPlan {
  readonly for: PlanAim;
  readonly pair?: readonly [better: string, other: string];
  readonly n: number;
  readonly warnings: readonly string[];
  readonly rows: {
    readonly columns: readonly string[];
    readonly chosen: readonly Readonly<Record<string, TableCell>>[];
  };
}

/** The files of a plan, where it is made on a command line. */
interface PlanFiles {
  readonly file?: readonly string[];
  readonly out?: string;
}

export const labelPlanView = (found: FoundPlan, files: PlanFiles = {}): ViewWithData => ({
  verdict: verdict(found),
  findings: findings(found, files),
  tables: [widths(found), strata(found)],
  data: data(found),
  caveats: found.warnings,
  method:
    "Active statistical inference (Zrnic and Candès 2024): strata by score, domain and model, labels by Neyman's " +
    "allocation, no probability below 0.02 of the mean. Widths are of 95 % intervals: with labels drawn at random, by " +
    "prediction-powered inference (PPI++) over all scores.",
});

/** Smaller budgets leave too few labels a round to learn from. */
const fewestForRounds = 45;

const things: Readonly<Record<PlanAim, string>> = {
  compare: "prompt",
  rate: "image",
  threshold: "answer",
};

function verdict(found: FoundPlan): string {
  const { n, chosen, enough, expected, useful } = found;
  const thing = things[found.for];
  if (n === 0) {
    return found.for === "compare"
      ? "Nothing can be concluded: no prompt has scores of two models."
      : "Nothing can be concluded: no row has a score.";
  }
  if (enough === true)
    return `Ask nobody: the interval has the wanted width with ${pluralText(found.labels, "label")}.`;
  if (n === found.labels) return `Ask nobody: every ${thing} has a label.`;
  const ask = `Label ${chosen} of ${pluralText(n - found.labels, thing)}`;
  const { planned, uniform } = expected;
  if (planned.width === null || uniform.width === null) {
    return `${ask}; the labels so far do not tell how wide the interval will be.`;
  }
  if (useful === false) {
    return `${ask}, drawn uniformly since scores are no use: the 95 % interval will be about ${widthText(found, uniform.width)} wide.`;
  }
  if (planned.width > uniform.width) {
    return `${ask}: the 95 % interval will be about ${widthText(found, planned.width)} wide; ${chosen} drawn at random do as well (${widthText(found, uniform.width)}).`;
  }
  return `${ask}: the 95 % interval will be about ${widthText(found, planned.width)} wide; with labels drawn at random ${widthText(found, uniform.width)}${savedText(found)}.`;
}

const savedText = ({ labelsSaved }: FoundPlan) =>
  labelsSaved === null || labelsSaved < 1
    ? ""
    : `; about ${pluralText(labelsSaved, "label")} saved`;

/** Shares in points of percent; ratings as they are. */
const widthText = ({ for: aim }: Pick<FoundPlan, "for">, width: number): string =>
  aim === "rate" ? fixedText(width, 3) : `${fixedText(100 * width, 1)} points`;

function findings(found: FoundPlan, { file: [scores = "-"] = [], out }: PlanFiles): string[] {
  const { reached, useful, correlation, pair, round, n, chosen, labels } = found;
  if (n === 0) return [];
  const { value } = correlation;
  const share = value === null ? "" : fixedText(value, 2);
  return [
    ...(pair === undefined
      ? []
      : [
          `The interval is of the win rate of ${pair[0]} against ${pair[1]}. People rate each row of ` +
            `${out ?? "what --out next.csv writes"}, in its column human; then: touchstone compare ` +
            `${scores === "-" ? "SCORES" : scores} --answered ${out ?? "next.csv"}`,
        ]),
    ...(value === null
      ? ["Labels so far all agree, so they do not tell whether scores are of use."]
      : []),
    ...(useful === null
      ? !correlation.assumed || chosen < fewestForRounds || chosen === n - labels
        ? []
        : [
            `Three rounds narrow it more: ask about ${Math.ceil(chosen / 3)} first (--budget), and plan the next with their answers (--answered).`,
          ]
      : [
          useful
            ? `Scores and labels so far correlate by ${share}.`
            : `Scores are no use: they and labels so far correlate by ${share}.`,
        ]),
    ...(reached === null || reached.value === null || reached.width === null
      ? []
      : [
          `Round ${round}; reached with ${pluralText(reached.labels, "label")}: width ${widthText(found, reached.width)}` +
            (reached.sequence.width === null
              ? "."
              : `, ${widthText(found, reached.sequence.width)} by the confidence sequence, which stays right however often one looks.`),
        ]),
  ];
}

const widths = ({ for: aim, expected, reached, chosen, labels }: FoundPlan): ViewTable => ({
  title: "Width of the 95 % interval",
  isHeadline: true,
  columns: [
    textColumn("labels"),
    countColumn("number of labels", { id: "count" }),
    aim === "rate" ? numberColumn("width") : percentColumn("width, points", { id: "width" }),
  ],
  rows: [
    ["expected, drawn at random", labels + chosen, expected.uniform.width],
    ["expected, planned", labels + chosen, expected.planned.width],
    ...(reached === null ? [] : [["so far", reached.labels, reached.width] as const]),
  ],
});

const strata = (found: FoundPlan): ViewTable => ({
  title: "Strata",
  columns: [
    textColumn("stratum"),
    countColumn("items"),
    countColumn("labelled"),
    countColumn("chosen"),
    percentColumn("probability, %"),
    numberColumn("expected spread"),
  ],
  rows: found.strata.map(({ name, items, labelled, chosen, probability, spread }) => [
    name,
    items,
    labelled,
    chosen,
    probability,
    spread,
  ]),
  note: "Probability: of each item without a label. Spread: the expected standard deviation of answers.",
});

/** A row for each that was chosen, with all its columns. */
const data = ({ rows: { columns, chosen } }: FoundPlan): ViewWithData["data"] => {
  const drawn = ["probability", "weight", "stratum", "round"];
  const names = [...columns, ...drawn.filter((name) => !columns.includes(name))];
  return {
    columns: names.map((name) => textColumn(name)),
    rows: chosen.map((row) => names.map((name) => row[name] ?? null)),
  };
};
