import { metricOf } from "../../../analysis/inference/metric-name.js";
import type { ControlledSummary } from "../../../analysis/pairs/prototypicality-effect.js";
import { tieText } from "../../../analysis/pairs/score-ties.js";
import type { PrototypicalityReport } from "../../../benchmarks/prototypicality/conclusion.js";
import { boundNote, percentText, pluralText } from "../../../views/number-text.js";
import { numberColumns } from "../../../views/printed.js";
import { table } from "../../terminal/terminal-table.js";
import { wrap } from "../../terminal/wrap.js";

/** Failure rates of triplets, controls and reversed conflicts, and the effect, of a report's first selection. */
export function failureTable(report: PrototypicalityReport, width: number): string {
  const [selection] = report.selections;
  const models = selection.metrics.map(({ metric }) => metricOf(report, metric).model);
  const prefix = models.every((model) => model.startsWith("lab:")) ? "lab:" : "";
  const rates = table(
    [
      // Two of one metric differ in their model, so neither is left out where there is little room.
      { title: `metric ${prefix}model`, isEssential: true },
      ...numberColumns("n", "unscored"),
      { title: "triplets, %", align: "right", isEssential: true },
      { title: "controls, %", align: "right", isEssential: true },
      { title: "effect, points", align: "right", isEssential: true },
      { title: "reversed, %", align: "right" },
    ],
    selection.metrics.flatMap(({ metric: id, overall, macro, domains }) => {
      const { metric, model } = metricOf(report, id);
      const pooled = [`${metric} ${model.slice(prefix.length)}`, ...cells(overall)];
      return Object.keys(domains).length < 2
        ? [pooled]
        : [pooled, ["  mean of domains", ...cells(macro)]];
    }),
    width,
  );
  const note = rates.includes("(") ? `\n\n${wrap(boundNote, width)}` : "";
  const isPooled = selection.metrics.some(({ domains }) => Object.keys(domains).length > 1);
  const pooled = isPooled ? ", domains pooled, then with equal weight for each" : "";
  const reversed = rates.split("\n", 1)[0]?.includes("reversed")
    ? "; reversed = the typical image is the right one"
    : "";
  const title = `Failure rates with 95 % intervals${pooled}; effect = triplets minus controls${reversed}:`;
  return `${wrap(title, width)}\n\n${rates}${note}`;
}

const cells = ({ triplets, controls, effect, reversed }: ControlledSummary): readonly string[] => [
  String(triplets.n),
  String(triplets.unscored),
  percentText(triplets.failureRate),
  percentText(controls.failureRate),
  percentText(effect),
  percentText(reversed.failureRate),
];

/** Says what was counted, how intervals were made, and how many caveats there are. */
export function retentionText(
  { selections: [selection], provenance, warnings, tieTolerance }: PrototypicalityReport,
  width = 100,
): string {
  const kept = selection.retention?.overall;
  const counted =
    kept === undefined
      ? `Pairs ${selection.description}.`
      : `Pairs ${selection.description}: ${kept.kept} of ${kept.pairs} triplets kept.`;
  return [
    counted,
    `A tie is a failure (ProtoBias, Eq. 5); ${tieText(tieTolerance)}. Intervals: ${provenance.intervals}.`,
    ...(warnings.length === 0
      ? []
      : [`${pluralText(warnings.length, "caveat")}: see "Caveats" in the report.`]),
  ]
    .map((line) => wrap(line, width))
    .join("\n");
}
