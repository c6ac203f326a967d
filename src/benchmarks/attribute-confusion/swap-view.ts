import type { GroupedConclusion } from "../../analysis/correlation/grouped-correlation.js";
import { metricOf } from "../../analysis/inference/metric-name.js";
import { tieText } from "../../analysis/pairs/score-ties.js";
import type { SwapSummary } from "../../analysis/pairs/swap.js";
import { largestOf } from "../../core/arrays.js";
import { shellWord } from "../../core/shell-word.js";
import { type LocalizedScore, localizedScoreNames } from "../../stats/localized-answers.js";
import type { Figure } from "../../views/figures/figure.js";
import { swapPlot } from "../../views/figures/swap-test.js";
import { boundNote, countText, pluralText } from "../../views/number-text.js";
import type { Chapter, Part } from "../../views/report.js";
import {
  as,
  type Cell,
  countColumn,
  named,
  numberColumn,
  percentColumn,
  said,
  textColumn,
  type ViewColumn,
  type ViewTable,
} from "../../views/view.js";
import type { ConfusionReport, SwapSelection } from "./conclusion.js";

/** How often each metric prefers the swapped description, and ties. */
export function swapFigure(report: ConfusionReport): Figure {
  const [headline] = report.selections;
  const title = "Swap test by metric";
  const metrics = standingOf(report, headline).map(([id, { overall }]) => {
    const { metric, model } = metricOf({ metrics: report.standing }, id);
    return { metric, model, ...overall };
  });
  return {
    title,
    caption:
      "How often the description with its attributes swapped scores higher, and how often both score the same. n counts images.",
    ...swapPlot(title, metrics),
  };
}

/** Who prefers a description whose attributes stand on the wrong entities. */
export function swapChapter(report: ConfusionReport): Chapter {
  const [headline] = report.selections;
  return {
    id: "swap",
    title: "Swapped attributes",
    parts: report.isUnreferenced
      ? [...unreferenced(report), swapTable(report, headline), published(report)]
      : [
          said`Each image is scored against the description that it was made from, and against the same with the attributes swapped between its entities. A metric ${as("em", "fails")} where the swapped description scores strictly higher. Ties stand apart (${tieText(headline.swap.tieTolerance)}): a metric that says the same of everything never fails, and ties everywhere.`,
          "Counted are:",
          {
            items: report.selections.map(
              ({ name, description, images }) =>
                said`${as("strong", name)}: the ${countText(images)} images ${description}`,
            ),
          },
          "An image on which a generator mixed the attributes up may rightly score higher for the swapped description; so the first is what the verdict speaks of.",
          ...report.selections.map((selection) => swapTable(report, selection)),
          ...(["generators", "sets"] as const).flatMap((part) => foldedBy(report, headline, part)),
          published(report),
        ],
  };
}

/** How to find out what metrics are worth where nobody said what the images show. */
function unreferenced({ name }: ConfusionReport): Part[] {
  const run = shellWord(name);
  return [
    "Each image is scored against the description that it was made from, and against the same with the attributes swapped between its entities. Where the swapped one scores higher, either the generator mixed the attributes up and the metric saw it, or the metric is wrong. Nobody said which, so this counts for or against no metric.",
    "People who answer the questions about each image's entities are such a reference. They see whole images, never what a metric looks at:",
    {
      commands: [
        "touchstone example study-attribute-protocols > study.yaml",
        `touchstone study create study.yaml --from ${run} --run studies/attributes`,
        "touchstone study serve studies/attributes",
        `touchstone score ${run} --answers studies/attributes --block localized`,
        `touchstone report ${run}`,
      ],
    },
  ];
}

/** The metrics that stand for their name. */
const standingOf = ({ standing }: ConfusionReport, { swap }: SwapSelection) =>
  Object.entries(swap.metrics).filter(([id]) => standing.some((metric) => metric.id === id));

const metricColumn = textColumn("metric", { isGroup: true, facet: "metric", under: "model" });

const numberColumns = ({ isUnreferenced }: ConfusionReport): ViewColumn[] => [
  countColumn("n"),
  percentColumn(isUnreferenced ? "prefers swapped (%)" : "fails (%)"),
  percentColumn("ties (%)"),
  countColumn("unscored"),
  percentColumn("bounds (%)"),
  numberColumn("original − swapped"),
];

const cellsOf = (summary: SwapSummary): Cell[] => {
  const { n, unscored, failureRate, tieRate, bounds, difference } = summary;
  return [n, failureRate, tieRate, unscored, unscored === 0 ? null : bounds, difference];
};

const metricCell = ({ standing }: ConfusionReport, id: string) => {
  const { metric, model } = metricOf({ metrics: standing }, id);
  return named(metric, model);
};

const noteOf = ({ isUnreferenced }: ConfusionReport): string =>
  isUnreferenced
    ? "bounds: the share if no unscored image scored higher, and if all did."
    : "bounds: the share of failures if no unscored image failed, and if all did.";

/** Every metric over the images of a selection. */
export const swapTable = (report: ConfusionReport, selection: SwapSelection): ViewTable => ({
  title: `Swap test, ${selection.name}`,
  columns: [metricColumn, ...numberColumns(report)],
  rows: standingOf(report, selection).map(([id, { overall }]) => [
    metricCell(report, id),
    ...cellsOf(overall),
  ]),
  note: `Shares of n images ${selection.description}, [95 % interval]; ${noteOf(report)} ${boundNote}`,
});

const byPart = {
  generators: { title: "generator", facet: "generator" },
  sets: { title: "set of descriptions", facet: "domain" },
} as const;

/** The same by generator or by set of descriptions. */
export function swapTableBy(
  report: ConfusionReport,
  selection: SwapSelection,
  part: keyof typeof byPart,
): ViewTable {
  const { title, facet } = byPart[part];
  return {
    ...swapTable(report, selection),
    title: `Swap test, ${selection.name}, by ${title}`,
    columns: [metricColumn, textColumn(title, { facet }), ...numberColumns(report)],
    rows: standingOf(report, selection).flatMap(([id, metric]) => {
      const name = metricCell(report, id);
      return Object.entries(metric[part]).map(([of, summary]) => [
        ...[name, of.replace(/@.*$/, "")],
        ...cellsOf(summary),
      ]);
    }),
  };
}

/** Nothing where there is one part alone. */
function foldedBy(
  report: ConfusionReport,
  selection: SwapSelection,
  part: keyof typeof byPart,
): Part[] {
  const table = swapTableBy(report, selection, part);
  const isOne = new Set(table.rows.map(([, of]) => of)).size < 2;
  return isOne ? [] : [{ summary: table.title, parts: [table] }];
}

const published = ({ published: { paper, swap } }: ConfusionReport): ViewTable => ({
  title: "The paper's failures: other models on other images",
  columns: [textColumn("metric"), numberColumn("fails (%)", { decimals: 2 })],
  rows: swap.rows.map(({ name, value }) => [name, value]),
  note: `As ${paper} prints them (${swap.source}), of a few dozen cases; to be set beside the figures above by eye, never an expectation.`,
});

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
