import type { GroupedConclusion } from "../../analysis/correlation/grouped-correlation.js";
import { metricOf } from "../../analysis/inference/metric-name.js";
import { largestOf } from "../../core/arrays.js";
import { type LocalizedScore, localizedScoreNames } from "../../stats/localized-answers.js";
import { pluralText } from "../../views/number-text.js";
import type { Chapter, Part } from "../../views/report.js";
import {
  countColumn,
  named,
  numberColumn,
  percentColumn,
  textColumn,
  type ViewTable,
} from "../../views/view.js";
import type { ConfusionReport } from "./conclusion.js";

const targetTitles: Readonly<Record<LocalizedScore, string>> = {
  f1: "F1",
  precision: "precision",
  recall: "recall",
};
const targets = (["f1", "precision", "recall"] as const).filter((one) =>
  localizedScoreNames.includes(one),
);

type Shown = Pick<ConfusionReport, "correlations" | "generators" | "published" | "standing">;

/** The correlations of metrics with what is in the images, over groups of images. */
export const correlationChapter = (report: Shown): Chapter => ({
  id: "reference",
  title: "Agreement with the reference",
  parts:
    report.correlations === undefined
      ? [
          "Nobody said what is in these images: the generator does not say, and no people's answers are in the run. “Swapped attributes” above says how to ask people.",
        ]
      : [...correlated(report, report.correlations), publishedTable(report)],
});

type Correlations = Readonly<Record<LocalizedScore, GroupedConclusion>>;

function correlated(report: Shown, correlations: Correlations): Part[] {
  const { groups, seeds, intervals, metrics } = correlations.f1;
  const images = Math.max(0, largestOf(Object.values(metrics).map(({ n }) => n)));
  if (images < groups) {
    return [
      `No correlation with the reference: it is one over ${groups} groups of images, and only ${pluralText(images, "image")} have scores and a reference.`,
      generatorTable(report),
    ];
  }
  return [
    `The reference answers every reflection and leakage question of an image: for the lab's images, what the painter says it painted. Images are dealt into ${groups} groups, a group's F1 (precision, recall) comes from its answers together, a metric's value is the mean score of its images, and the two are correlated over groups; shown is the mean over ${seeds} ways of dealing. For precision and recall a localised metric gives its own of that name.`,
    `Intervals: ${intervals.text}. Few groups make a value that moves with the dealing.`,
    generatorTable(report),
    correlationTable(report, correlations),
  ];
}

const correlationTable = ({ standing }: Shown, correlations: Correlations): ViewTable => ({
  title: "Correlation with the reference",
  columns: [
    textColumn("target", { isGroup: true }),
    textColumn("metric"),
    ...["n", "unscored"].map((title) => countColumn(title)),
    ...["Spearman's ρ", "Kendall's τ-b"].map((title) => numberColumn(title)),
  ],
  rows: targets.flatMap((target) =>
    Object.entries(correlations[target].metrics)
      .filter(([id]) => standing.some((metric) => metric.id === id))
      .map(([id, { n, unscored, spearman, kendallTauB }]) => {
        const { metric, model } = metricOf({ metrics: standing }, id);
        return [targetTitles[target], named(metric, model), n, unscored, spearman, kendallTauB];
      }),
  ),
  note: `Over groups of images, [95 % interval]; n counts images.${undefinedNote(correlations)}`,
});

/** Says why a target has no correlations; nothing where it has some. */
function undefinedNote(correlations: Correlations): string {
  const notes = targets.flatMap((target) => {
    const all = Object.values(correlations[target].metrics);
    const [first] = all;
    return first !== undefined && all.every(({ spearman }) => spearman.value === null)
      ? [`${targetTitles[target]}: ${first.spearman.reason}`]
      : [];
  });
  return notes.length === 0 ? "" : ` Undefined: ${notes.join("; ")}.`;
}

const publishedTable = ({ published: { paper, correlation } }: Shown): ViewTable => ({
  title: "The paper's correlations: other models on other images",
  columns: [
    ...["metric", "target"].map((title) => textColumn(title)),
    ...["Spearman's ρ", "Kendall's τ"].map((title) => numberColumn(title, { decimals: 3 })),
  ],
  rows: correlation.rows.map(({ name, target, spearman, kendall }) => [
    ...[name, targetTitles[target], spearman, kendall],
  ]),
  note: `${paper}, ${correlation.source}; there people's answers are the reference.`,
});

const generatorTable = ({ generators }: Shown): ViewTable => ({
  title: "Generators",
  columns: [
    textColumn("generator"),
    countColumn("images"),
    ...["as described (%)", "precision (%)", "recall (%)", "F1 (%)"].map((title) =>
      percentColumn(title),
    ),
  ],
  rows: generators.map(({ generator, images, asDescribed, precision, recall, f1 }) => [
    ...[generator, images, asDescribed, precision, recall, f1],
  ]),
  note: "By the reference, in percent, [95 % interval]: the share of images that show every attribute where it belongs and none elsewhere, and precision, recall and F1 over all their questions. Of none or all resamples have no spread; the number in parentheses is the one-sided 95 % bound, 1 − 0.05^(1/n) from the end for n descriptions.",
});
