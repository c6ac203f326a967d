import { samplesOfCells } from "../../analysis/comparison/comparison-cells.js";
import { inOrder } from "../../analysis/inference/sorted-names.js";
import { defaultTieTolerance } from "../../analysis/pairs/score-ties.js";
import { textAt } from "../../core/text-column.js";
import { numeric, optionalText } from "../../tables/columns.js";
import { metricColumns } from "../../tables/metric-names.js";
import { outcomeSql } from "../sums/pair-sums.js";
import { rows, type SumsSpec, split } from "../sums/sums-query.js";
import { lacking, readSums } from "../sums/sums-table.js";
import type { Inputs } from "../table-options.js";
import { type GivenComparison, metricNamed } from "./columns.js";

const kinds = {
  by_metric: optionalText,
  by_model: optionalText,
  by_prompt: optionalText,
  other: optionalText,
  scored: numeric,
  lowest: numeric,
  highest: numeric,
  above: numeric,
  ties: numeric,
  below: numeric,
};

const by = { by_metric: "metric", by_model: "model", by_prompt: "prompt" };

/** Images, summed by metric, model and prompt, and their pairs by prompt. */
export const sums: SumsSpec<typeof kinds> = {
  name: "compare",
  texts: { named: "metric", model: "model", prompt: "prompt" },
  numbers: { score: "score" },
  derived: () => [{ metric: "COALESCE(named, '')" }],
  note: ({ text }) => {
    const facts = Object.keys(metricColumns).map(
      (column) => `COALESCE(CONCAT(CAST(${column} AS ${text}), ' '), '')`,
    );
    return (
      "This query reads the columns model, prompt, score and metric. A table without metric: touchstone query --print " +
      `compare --from "(SELECT *, 'NAME' AS metric FROM scores) one"; results of score, where model, convention and the ` +
      `like tell metrics of one name apart: --from "(SELECT input_model AS model, text AS prompt, value AS score, ` +
      `CONCAT(${facts.join(", ")}) AS metric FROM scores) one"`
    );
  },
  exact: { part: "cells", sums: [{ name: "score", of: "score", where: "score IS NOT NULL" }] },
  parts: ({ count, number }) => ({
    cells: {
      from: split,
      by,
      of: { scored: "COUNT(score)", lowest: "MIN(score)", highest: "MAX(score)" },
    },
    against: {
      from: `(SELECT one.metric, one.model, one.prompt, two.model AS other,
  ${outcomeSql("one.score", "two.score", number(defaultTieTolerance))} AS outcome
  FROM ${rows} one JOIN ${rows} two
    ON one.prompt = two.prompt AND one.metric = two.metric
  WHERE one.model < two.model AND one.score IS NOT NULL AND two.score IS NOT NULL) met`,
      by: { ...by, other: "other" },
      of: Object.fromEntries(
        ["above", "ties", "below"].map((each) => [each, count(`outcome = '${each}'`)]),
      ),
    },
  }),
  kinds,
  required: { cells: { by_model: "model", by_prompt: "prompt" } },
  only: {
    "tie-tolerance": defaultTieTolerance,
    ...Object.fromEntries(
      ["scores", "humans", "baseline", "gate", "not-worse", "power", "by"].map((each) => [
        each,
        null,
      ]),
    ),
    self: [],
    answered: [],
  },
};

/** @throws InputError as `readSums` does; where they are of several metrics, or not of the one that was named. */
export async function readSamples(given: GivenComparison, inputs: Inputs) {
  const { columns, count, part, sum } = await readSums(sums, [given, inputs]);
  const names = inOrder(
    Array.from(part("cells"), (row) => textAt(columns.by_metric, row) ?? "").filter(Boolean),
  );
  const metric = metricNamed(names, { given, called: "score" });
  const isIts = (row: number) => names.length === 0 || textAt(columns.by_metric, row) === metric;
  const cells = part("cells").filter(isIts);
  const against = part("against").filter(isIts);
  const { above, ties, below, scored, by_prompt: prompt } = columns;
  const met = new Map<number, readonly [pairs: number, before: number]>();
  for (const row of cells) {
    const [pairs, before] = met.get(prompt.codes[row] ?? -1) ?? [0, 0];
    const its = scored[row] ?? 0;
    met.set(prompt.codes[row] ?? -1, [pairs + its * before, before + its]);
  }
  for (const row of against) {
    const [pairs, before] = met.get(prompt.codes[row] ?? -1) ?? [0, 0];
    const counted = (above[row] ?? 0) + (ties[row] ?? 0) + (below[row] ?? 0);
    met.set(prompt.codes[row] ?? -1, [pairs - counted, before]);
  }
  if ([...met.values()].some(([pairs]) => pairs !== 0)) throw lacking(sums, given);
  const samples = samplesOfCells({
    ...columns,
    model: columns.by_model,
    prompt: columns.by_prompt,
    cells,
    against,
    images: count,
    sum: sum("score"),
    low: columns.lowest,
    high: columns.highest,
  });
  return { metric, samples };
}
