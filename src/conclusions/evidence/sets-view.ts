import type { SetOfFigures } from "../../analysis/evidence/across-sets.js";
import { fixedText, pluralText } from "../../views/number-text.js";
import {
  countColumn,
  numberColumn,
  percentColumn,
  textColumn,
  type ViewTable,
  type ViewWithData,
} from "../../views/view.js";
import { measuredCells, measuredColumns } from "./view.js";

interface ReadSet extends SetOfFigures {
  readonly printed: readonly {
    readonly what: string;
    readonly printed: number;
    readonly right: number | null;
    readonly why: string;
  }[];
}

/** Figures of sets that were just read, set by set. */
export function setsView(
  sets: readonly ReadSet[],
  { caveats }: { readonly caveats: readonly string[] },
): ViewWithData {
  const metrics = metricsTable(sets);
  const printed = sets.flatMap((set) => set.printed.map((one) => ({ set: set.name, ...one })));
  return {
    verdict: `Read ${pluralText(sets.length, "set")}: ${sets.length === 1 ? oneSet(sets[0]) : `${pluralText(metrics.rows.length, "figure")} of metrics and judges`}.`,
    tables: [
      metrics,
      peopleTable(sets),
      ...(printed.length === 0
        ? []
        : [
            {
              title: "Printed beside what the files give by this rule",
              columns: [
                textColumn("set", { isGroup: true }),
                textColumn("figure", { isEssential: true }),
                numberColumn("printed", { decimals: 4 }),
                numberColumn("right", { decimals: 4 }),
                textColumn("why"),
              ],
              rows: printed.map((one) => [one.set, one.what, one.printed, one.right, one.why]),
            } satisfies ViewTable,
          ]),
    ],
    caveats,
    method: "95 % intervals: Student's t over prompts; of alpha, a percentile bootstrap of items.",
    data: metrics,
  };
}

function oneSet(set: ReadSet | undefined): string {
  const known = Object.entries({ ...set?.metrics, ...set?.judges }).flatMap(
    ([
      name,
      {
        accuracyWithin: { value },
      },
    ]) => (value === null ? [] : [{ name, value }]),
  );
  const [best] = known.sort((one, other) => other.value - one.value);
  if (best === undefined) return `${set?.name} has no metric that can be compared with people`;
  return `on ${set?.name}, ${best.name} agrees with people most, on ${fixedText(best.value * 100, 1)} % of pairs`;
}

const metricsTable = (sets: readonly ReadSet[]): ViewTable => ({
  title: "Agreement with people, set by set",
  columns: [
    textColumn("set", { isGroup: true, isEssential: true }),
    textColumn("metric", { isEssential: true }),
    countColumn("n"),
    ...measuredColumns,
  ],
  rows: sets.flatMap((set) =>
    Object.entries({ ...set.metrics, ...set.judges }).map(([metric, figures]) => [
      set.name,
      metric,
      figures.n,
      ...measuredCells(figures),
    ]),
  ),
  note: "Pairs of one prompt that people order; a metric's tie is half. All pairs also pay for telling easy prompts from hard ones.",
});

const peopleTable = (sets: readonly ReadSet[]): ViewTable => ({
  title: "People",
  columns: [
    textColumn("set", { isEssential: true }),
    textColumn("asked"),
    countColumn("items"),
    countColumn("prompts"),
    countColumn("raters"),
    numberColumn("alpha", { spread: "interval" }),
    percentColumn("one rater, %", { id: "ceiling", spread: "interval", isEssential: true }),
  ],
  rows: sets.map(({ name, asked, n, clusters, people }) => [
    name,
    asked,
    n,
    clusters,
    people.raters,
    people.alpha,
    people.ceiling,
  ]),
  note: "Alpha is Krippendorff's, ordinal. One rater: pairs that a rater puts in the order of the others' mean.",
});
