import type { GroupedConclusion } from "../../../analysis/correlation/grouped-correlation.js";
import { metricOf } from "../../../analysis/inference/metric-name.js";
import type { ConfusionReport } from "../../../benchmarks/attribute-confusion/conclusion.js";
import { largestOf } from "../../../core/arrays.js";
import { type LocalizedScore, localizedScoreNames } from "../../../stats/localized-answers.js";
import {
  countText,
  estimateText,
  fixedText,
  percentText,
  pluralText,
} from "../../../views/number-text.js";
import { above, type Column, dataTable, metricCell, type Row } from "../../pages/data-table.js";
import { type Html, html } from "../../pages/html.js";

const targetTitles: Readonly<Record<LocalizedScore, string>> = {
  f1: "F1",
  precision: "precision",
  recall: "recall",
};
const targets = (["f1", "precision", "recall"] as const).filter((one) =>
  localizedScoreNames.includes(one),
);

type Shown = Pick<ConfusionReport, "correlations" | "generators" | "published" | "standing">;

/** Section on the correlations of metrics with what is in the images, over groups of images. */
export function confusionCorrelation(report: Shown): Html {
  const { correlations } = report;
  if (correlations === undefined) {
    return html`<p>Nobody said what is in these images: the generator does not say, and no people's answers are in the run. “Swapped attributes” above says how to ask people.</p>`;
  }
  const { groups, seeds, intervals, metrics } = correlations.f1;
  const images = Math.max(0, largestOf(Object.values(metrics).map(({ n }) => n)));
  if (images < groups) {
    return html`<p>No correlation with the reference: it is one over ${groups} groups of images, and only ${pluralText(images, "image")} have scores and a reference.</p>
${generatorTable(report)}
${publishedTable(report)}`;
  }
  return html`<div class="prose">
<p>The reference answers every reflection and leakage question of an image: for the lab's images, what the painter says it painted. Images are dealt into ${groups} groups, a group's F1 (precision, recall) comes from its answers together, a metric's value is the mean score of its images, and the two are correlated over groups; shown is the mean over ${seeds} ways of dealing. For precision and recall a localised metric gives its own of that name.</p>
<p class="small">Intervals: ${intervals.text}. Few groups make a value that moves with the dealing.</p>
</div>
${generatorTable(report)}
${table(report, correlations)}
${publishedTable(report)}`;
}

function table(
  report: Shown,
  correlations: Readonly<Record<LocalizedScore, GroupedConclusion>>,
): Html {
  const columns: Column[] = [
    { title: "target", kind: "short" },
    { title: "metric" },
    { title: "n", kind: "number" },
    { title: "unscored", kind: "number" },
    { title: "Spearman's ρ", kind: "number" },
    { title: "Kendall's τ-b", kind: "number" },
  ];
  const rows = targets.flatMap((target) =>
    Object.entries(correlations[target].metrics)
      .filter(([id]) => report.standing.some((metric) => metric.id === id))
      .map(
        ([id, { n, unscored, spearman, kendallTauB }], at): Row => ({
          heading: at === 0 ? targetTitles[target] : above,
          rule: at === 0,
          cells: [
            metricCell(metricOf({ metrics: report.standing }, id)),
            countText(n),
            countText(unscored),
            estimateText(spearman),
            estimateText(kendallTauB),
          ],
        }),
      ),
  );
  return dataTable({
    name: "Correlation with the reference",
    caption: html`<b>Correlation with the reference</b> over groups of images, [95 % interval]; n counts images.${undefinedNote(correlations)}`,
    columns,
    rows,
  });
}

/** Says why a target has no correlations; nothing where it has some. */
function undefinedNote(
  correlations: Readonly<Record<LocalizedScore, GroupedConclusion>>,
): string | undefined {
  const notes = targets.flatMap((target) => {
    const all = Object.values(correlations[target].metrics);
    const [first] = all;
    return first !== undefined && all.every(({ spearman }) => spearman.value === null)
      ? [`${targetTitles[target]}: ${first.spearman.reason}`]
      : [];
  });
  return notes.length === 0 ? undefined : ` Undefined: ${notes.join("; ")}.`;
}

function publishedTable({ published }: Shown): Html {
  return dataTable({
    name: "The paper's correlations: other models on other images",
    caption: html`<b>The paper's correlations: other models on other images.</b> ${published.paper}, ${published.correlation.source}; there people's answers are the reference.`,
    columns: [
      { title: "metric" },
      { title: "target", kind: "short" },
      { title: "Spearman's ρ", kind: "number" },
      { title: "Kendall's τ", kind: "number" },
    ],
    rows: published.correlation.rows.map(({ name, target, spearman, kendall }) => ({
      heading: name,
      cells: [targetTitles[target], fixedText(spearman, 3), fixedText(kendall, 3)],
    })),
  });
}

function generatorTable({ generators }: Shown): Html {
  return dataTable({
    name: "Generators",
    caption: html`<b>Generators,</b> by the reference, in percent, [95 % interval]: the share of images that show every attribute where it belongs and none elsewhere, and precision, recall and F1 over all their questions. Of none or all resamples have no spread; the number in parentheses is the one-sided 95 % bound, 1 − 0.05^(1/n) from the end for n descriptions.`,
    columns: [
      { title: "generator" },
      { title: "images", kind: "number" },
      { title: "as described (%)", kind: "number" },
      { title: "precision (%)", kind: "number" },
      { title: "recall (%)", kind: "number" },
      { title: "F1 (%)", kind: "number" },
    ],
    rows: generators.map(({ generator, images, asDescribed, precision, recall, f1 }) => ({
      heading: generator,
      cells: [countText(images), ...[asDescribed, precision, recall, f1].map(percentText)],
    })),
  });
}
