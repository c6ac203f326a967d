import { samplesOfCells } from "../../analysis/comparison/comparison-cells.js";
import type { Samples } from "../../analysis/comparison/comparison-samples.js";
import { defaultTieTolerance } from "../../analysis/pairs/score-ties.js";
import { numeric, optionalText } from "../../tables/columns.js";
import { outcomeSql } from "../sums/pair-sums.js";
import { rows, type SumsSpec, split } from "../sums/sums-query.js";
import { readSums } from "../sums/sums-table.js";
import type { GivenTable, Inputs } from "../table-options.js";

const kinds = {
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

const by = { by_model: "model", by_prompt: "prompt" };

/** Images, summed by model and prompt, and their pairs by prompt. */
export const sums: SumsSpec<typeof kinds> = {
  name: "compare",
  texts: { model: "model", prompt: "prompt" },
  numbers: { score: "score" },
  note:
    "Sums for compare take all rows as one metric's. Where the table has several, print the query of one: touchstone " +
    `query --print compare --from "(SELECT * FROM scores WHERE metric = 'NAME') one"`,
  exact: { part: "cells", sums: [{ name: "score", of: "score", where: "score IS NOT NULL" }] },
  parts: ({ count, number }) => ({
    cells: {
      from: split,
      by,
      of: { scored: "COUNT(score)", lowest: "MIN(score)", highest: "MAX(score)" },
    },
    against: {
      from: `(SELECT one.model, one.prompt, two.model AS other,
  ${outcomeSql("one.score", "two.score", number(defaultTieTolerance))} AS outcome
  FROM ${rows} one JOIN ${rows} two ON one.prompt = two.prompt
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
      ["metric", "scores", "humans", "baseline", "gate", "not-worse", "power", "by"].map((each) => [
        each,
        null,
      ]),
    ),
    self: [],
    answered: [],
  },
};

/** @throws InputError as `readSums` does. */
export async function readSamples(...read: readonly [GivenTable, Inputs]): Promise<Samples> {
  const { columns, count, part, sum } = await readSums(sums, read);
  return samplesOfCells({
    ...columns,
    model: columns.by_model,
    prompt: columns.by_prompt,
    cells: part("cells"),
    against: part("against"),
    images: count,
    sum: sum("score"),
    low: columns.lowest,
    high: columns.highest,
  });
}
