import { largestOf } from "touchstone-t2i/internal/core/arrays.js";
import { countText, estimateText, fixedText } from "touchstone-t2i/internal/views/number-text.js";
import {
  numberColumn,
  textColumn,
  type View,
  type ViewTable,
} from "touchstone-t2i/internal/views/view.js";
import { gridSize } from "./grid.js";
import { methodName, metricNames } from "./names.js";
import type { PublishedEnsembles } from "./published.js";
import type { GridCell, GridTables } from "./tables.js";

/** Subject of the tables beside the experiments themselves. */
export interface GridAbout {
  readonly prompts: number;
  readonly testPairs: number;
  readonly poolPairs: number;
  readonly unscored: number;
  readonly warnings: readonly string[];
}

/** Name under which the paper prints a method; only the objective that it prints has one. */
export function publishedName(method: string): PublishedEnsembles["methods"][number] | undefined {
  if (method === "mmb per-sample-entropy") return "mmb";
  if (method === "standard" || method === "best" || method === "average" || method === "bpe") {
    return method;
  }
  return undefined;
}

const tableOneMetrics = ["ece", "mce", "averagePrecision"] as const;
const tableTwoMetrics = ["nll", "brier", "kappa", "accuracy", "rocAuc", "f1"] as const;
const tableThreeMetrics = ["ece", ...tableTwoMetrics] as const;

/** The paper's tables for a table of answers, with its own figures beside them. */
export function readableGrid(
  tables: GridTables,
  published: PublishedEnsembles,
  about: GridAbout,
): View {
  const { design } = tables;
  const { experiments, different } = gridSize(design, about.prompts);
  return {
    verdict: verdictOf(tables),
    tables: [
      ...tableOneMetrics.map((metric) => tableOne(tables, published, metric)),
      tableTwo(tables, published),
      ...(design.objectives.length === 0 ? [] : [tableThree(tables, published)]),
      ...tableOneMetrics.map((metric) => tableSix(tables, published, metric)),
      figureThree(tables),
    ],
    caveats: about.warnings,
    method:
      `${countText(experiments)} experiments (${countText(different)} of them differ: a method that looks at fewer seeds is counted once for each), ` +
      `each judged on ${countText(about.testPairs)} pairs, with labels drawn from ${countText(about.poolPairs)}; unscored: ${countText(about.unscored)}. ` +
      `* the best of its setting, or not significantly different from it at 5 %: differences between ${countText(design.seeds.labels)} draws of labels, ` +
      `${countText(tables.permutations)} turns of their signs, p-values of a metric adjusted together (Benjamini-Yekutieli). ` +
      "Intervals and tests say what other labels would change, not other pairs or another judge.",
  };
}

const find = (
  cells: readonly GridCell[],
  wanted: Partial<Pick<GridCell, "method" | "prompts" | "labels" | "clusters" | "metric">>,
) =>
  cells.find((cell) =>
    Object.entries(wanted).every(([name, value]) => cell[name as keyof typeof wanted] === value),
  );

function verdictOf({ methodsTable, reference, methods }: GridTables): string {
  const at = { prompts: reference.prompts, labels: reference.labels, metric: "ece" as const };
  const cells = methods.flatMap((method) => find(methodsTable, { ...at, method }) ?? []);
  const best = cells.find(({ isBest }) => isBest);
  const average = cells.find(({ method }) => method === "average");
  if (best === undefined || average === undefined) return "There is nothing to compare.";
  const alike = cells.filter(({ pAdjusted }) => pAdjusted !== null && pAdjusted >= 0.05);
  const also =
    alike.length === 0
      ? ""
      : ` (not significantly different from it: ${alike.map(({ method }) => methodName(method)).join(", ")})`;
  return (
    `With ${reference.prompts} prompts, ${reference.labels} labels and K = ${reference.clusters} the lowest calibration error is that of ${methodName(best.method)}, ` +
    `ECE ${estimateText(best.estimate)}${also}; of the plain average it is ${estimateText(average.estimate)}.`
  );
}

const starred = (cell: GridCell | undefined) =>
  cell === undefined || cell.estimate.value === null
    ? "–"
    : `${fixedText(cell.estimate.value, 3)}${cell.isBest || (cell.pAdjusted ?? 0) >= 0.05 ? "*" : ""}`;

const plain = (value: number | undefined) => (value === undefined ? "–" : fixedText(value, 3));
const beside = ({ judge }: PublishedEnsembles, source: string) =>
  `Columns "paper": what the paper prints (${source}) for another judge on other data, ${judge}; to look at, never an expectation.`;

function widest(cells: readonly GridCell[]): string {
  const widths = cells.flatMap(({ estimate: { low, high } }) =>
    low === null || high === null ? [] : [(high - low) / 2],
  );
  return `95 % intervals over draws of labels reach at most ${fixedText(Math.max(0, largestOf(widths)), 4)} to either side.`;
}

function tableOne(
  { design, methods, methodsTable, reference }: GridTables,
  published: PublishedEnsembles,
  metric: (typeof tableOneMetrics)[number],
): ViewTable {
  return {
    title: `Table 1: ${metricNames[metric]} by number of labels`,
    columns: [
      ...[textColumn("prompts"), textColumn("method")],
      ...design.labels.map((labels) => numberColumn(String(labels))),
      ...design.labels.map((labels) => numberColumn(`paper ${labels}`)),
    ],
    rows: design.prompts.flatMap((prompts) =>
      methods.map((method, at) => {
        const column = published.methods.indexOf(publishedName(method) ?? "mmb");
        const print = (labels: number) =>
          publishedName(method) === undefined
            ? undefined
            : published.table1.rows.find(
                (row) => row.prompts === prompts && row.labels === labels,
              )?.[metric][column];
        return [
          ...[at === 0 ? `${prompts} prompts` : "", methodName(method)],
          ...design.labels.map((labels) =>
            starred(find(methodsTable, { method, prompts, labels, metric })),
          ),
          ...design.labels.map((labels) => plain(print(labels))),
        ];
      }),
    ),
    note: `MMB with K = ${reference.clusters}. ${widest(methodsTable.filter((cell) => cell.metric === metric))} ${beside(published, published.table1.source)}`,
  };
}

function tableTwo(
  { methods, methodsTable, reference }: GridTables,
  published: PublishedEnsembles,
): ViewTable {
  const { prompts, labels } = reference;
  return {
    title: `Table 2: every metric at ${prompts} prompts and ${labels} labels`,
    columns: [
      ...[textColumn("method"), textColumn("whose")],
      ...tableTwoMetrics.map((metric) => numberColumn(metricNames[metric])),
    ],
    rows: methods.flatMap((method) => {
      const name = publishedName(method);
      const column = published.methods.indexOf(name ?? "mmb");
      const cells = tableTwoMetrics.map((metric) =>
        starred(find(methodsTable, { method, prompts, labels, metric })),
      );
      const paper = tableTwoMetrics.map((metric) => plain(published.table2[metric][column]));
      const own = [methodName(method), "here", ...cells];
      return name === undefined ? [own] : [own, ["", "paper", ...paper]];
    }),
    note: `MMB with K = ${reference.clusters}. Rows "paper": ${published.table2.source} at 10 prompts and 20 labels, another judge on other data (${published.judge}); to look at, never an expectation.`,
  };
}

function tableThree(
  { design, clustersTable, reference }: GridTables,
  published: PublishedEnsembles,
): ViewTable {
  const { prompts, labels } = reference;
  return {
    title: `Table 3: MMB by number of groups K at ${prompts} prompts and ${labels} labels`,
    columns: [
      ...[textColumn("objective"), textColumn("K")],
      ...tableThreeMetrics.map((metric) => numberColumn(metricNames[metric])),
    ],
    rows: [
      ...design.objectives.flatMap((objective) =>
        design.clusters.map((clusters, at) => [
          ...[at === 0 ? objective : "", String(clusters)],
          ...tableThreeMetrics.map((metric) =>
            starred(
              find(clustersTable, {
                method: `mmb ${objective}`,
                prompts,
                labels,
                clusters,
                metric,
              }),
            ),
          ),
        ]),
      ),
      ...published.table3.clusters.map((clusters, at) => [
        ...[at === 0 ? "paper" : "", String(clusters)],
        ...tableThreeMetrics.map((metric) => plain(published.table3[metric][at])),
      ]),
    ],
    note: `* the best K, or not significantly different from it. "paper": ${published.table3.source}, another judge on other data (${published.judge}).`,
  };
}

function tableSix(
  { design, clustersTable }: GridTables,
  published: PublishedEnsembles,
  metric: (typeof tableOneMetrics)[number],
): ViewTable {
  return {
    title: `Table 6: ${metricNames[metric]} of MMB by number of groups K`,
    columns: [
      ...[textColumn("objective and prompts"), textColumn("labels")],
      ...design.clusters.map((clusters) => numberColumn(`K ${clusters}`)),
      ...published.table6.clusters.map((clusters) => numberColumn(`paper ${clusters}`)),
    ],
    rows: design.objectives.flatMap((objective) =>
      design.prompts.flatMap((prompts) =>
        design.labels.map((labels, at) => {
          const paper = published.table6.rows.find(
            (row) => row.prompts === prompts && row.labels === labels,
          )?.[metric];
          const isPrinted = publishedName(`mmb ${objective}`) !== undefined;
          return [
            ...[at === 0 ? `${objective}, ${prompts} prompts` : "", String(labels)],
            ...design.clusters.map((clusters) =>
              starred(
                find(clustersTable, {
                  method: `mmb ${objective}`,
                  prompts,
                  labels,
                  clusters,
                  metric,
                }),
              ),
            ),
            ...published.table6.clusters.map((_, column) =>
              plain(isPrinted ? paper?.[column] : undefined),
            ),
          ];
        }),
      ),
    ),
    note: `* the best K of its line, or not significantly different from it. ${beside(published, published.table6.source)}`,
  };
}

/** The curves of figure 3 at a few coverages. */
function figureThree({ curves, design, methods, reference }: GridTables): ViewTable {
  const coverages = [0.2, 0.4, 0.6, 0.8, 1];
  const errorAt = (method: string, labels: number, coverage: number) =>
    curves
      .find((curve) => curve.method === method && curve.labels === labels)
      ?.points.find((point) => Math.abs(point.coverage - coverage) < 1e-9)?.error;
  return {
    title: `Figure 3: wrong answers (%) among the surest, ${reference.prompts} prompts`,
    columns: [
      ...[textColumn("labels"), textColumn("method")],
      ...coverages.map((coverage) => numberColumn(`of ${Math.round(100 * coverage)} %`)),
    ],
    rows: design.labels.flatMap((labels) =>
      methods.map((method, at) => [
        ...[at === 0 ? `${labels} labels` : "", methodName(method)],
        ...coverages.map((coverage) => {
          const { value = null } = errorAt(method, labels, coverage) ?? {};
          return value === null ? "–" : fixedText(100 * value, 1);
        }),
      ]),
    ),
    note: `MMB with K = ${reference.clusters}. The paper prints this as a picture (figure 3); --out report.html draws it with bands.`,
  };
}
