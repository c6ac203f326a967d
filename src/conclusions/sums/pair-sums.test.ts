import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvOf, splitNumber } from "../../../test/support/sums-of-rows.js";
import { InputError } from "../../core/errors.js";
import { tableOf } from "../../tables/bytes.js";
import { conclude } from "../conclusions.js";

interface Row {
  readonly id: string;
  readonly metric: string;
  readonly prompt: string;
  readonly domain: string;
  readonly right: number | null;
  readonly wrong: number | null;
}

const outcomeOf = ({ right, wrong }: Row) => {
  if (right === null || wrong === null) return undefined;
  if (Math.abs(right - wrong) <= 1e-6 * Math.max(Math.abs(right), Math.abs(wrong))) return "ties";
  return right > wrong ? "above" : "below";
};

/** What the printed query says of rows, worked out row by row. */
function sums(name: string, rows: readonly Row[]): Record<string, unknown>[] {
  const others = { other: "", other_above: "", other_ties: "", other_below: "" };
  const head = { touchstone_sums: name, part: "cells", repeats: "", scored_by: "", ...others };
  const cluster = ({ prompt, id }: Row) => ({
    cluster_name: prompt || id,
    prompted: prompt === "" ? 0 : 1,
  });
  const cells = new Map<string, Record<string, unknown>>();
  const add = (
    keys: Readonly<Record<string, unknown>>,
    numbers: Readonly<Record<string, number>>,
  ) => {
    const key = JSON.stringify(keys);
    const cell = cells.get(key) ?? { ...head, ...keys };
    for (const [each, value] of Object.entries(numbers)) {
      cell[each] = Number(cell[each] ?? 0) + value;
    }
    cells.set(key, cell);
  };
  for (const row of rows) {
    const { metric, domain } = row;
    const outcome = outcomeOf(row);
    add(
      { ...cluster(row), metric, domain },
      { row_count: 1, inexact: 0, above: 0, ties: 0, below: 0 },
    );
    if (outcome === undefined) continue;
    const [right, wrong] = [row.right ?? 0, row.wrong ?? 0];
    add(
      { ...cluster(row), metric, domain },
      {
        [outcome]: 1,
        ...splitNumber("correct", right),
        ...splitNumber("adversarial", wrong),
        ...splitNumber("difference", right - wrong),
        ...(outcome === "ties" ? {} : splitNumber(`difference_${outcome}`, right - wrong)),
      },
    );
    for (const other of rows) {
      const its = outcomeOf(other);
      if (other.id !== row.id || other.metric === metric || its === undefined) continue;
      const keys = { part: "others", ...cluster(row), metric, domain, other: other.metric };
      const none = { above: 0, ties: 0, below: 0, other_above: 0, other_ties: 0, other_below: 0 };
      add(keys, { ...none, row_count: 1 });
      add(keys, { [outcome]: 1, [`other_${its}`]: 1 });
    }
  }
  for (const id of new Set(rows.map((row) => row.id))) {
    const its = rows.filter((row) => row.id === id);
    const scored_by = its.filter((row) => outcomeOf(row) !== undefined).length;
    const of = name === "swap" ? { domain: its[0]?.domain } : {};
    add({ part: "ids", ...of, scored_by }, { row_count: 1 });
  }
  const names = ["correct", "adversarial", "difference", "difference_above", "difference_below"];
  const none = Object.assign({}, ...names.map((each) => splitNumber(each, 0)));
  return Array.from(cells.values(), (cell) => ({
    ...(cell.part === "cells" ? none : {}),
    ...cell,
  }));
}

const score = fc.oneof(
  fc.constant(null),
  fc.integer({ min: -3e6, max: 3e6 }).map((whole) => whole / 999_983),
  fc.constantFrom(0, 0.1, 0.3, 0.7),
);
const rowsOf = (metrics: readonly string[], domains: readonly string[]) =>
  fc
    .array(
      fc.record({
        prompt: fc.constantFrom("", "a cat", "a dog", "a hat"),
        domain: fc.constantFrom(...domains),
        scores: fc.array(fc.tuple(score, score), {
          minLength: metrics.length,
          maxLength: metrics.length,
        }),
      }),
      { minLength: 2, maxLength: 9 },
    )
    .map((items) =>
      // Metrics and domains come in the order of their names, as they do from sums.
      items
        .toSorted((one, other) => (one.domain < other.domain ? -1 : 1))
        .flatMap(({ prompt, domain, scores }, at) =>
          scores.map(([right, wrong], metric): Row => {
            return { id: `i${at}`, metric: metrics[metric] ?? "", prompt, domain, right, wrong };
          }),
        ),
    );

const figures = async (name: string, text: string, options: Record<string, string>) =>
  JSON.stringify((await conclude(name, tableOf("table.csv", text), options)).json());

describe("sums of pairs by cluster", () => {
  const options = { resamples: "100" };

  test("give contrastive the figures and intervals of the rows, byte by byte", async () => {
    await fc.assert(
      fc.asyncProperty(
        rowsOf(["clip", "vqa"], ["animals", "objects"]),
        fc.constantFrom("higher", "lower"),
        async (rows, direction) => {
          const table = csvOf(
            rows.map(({ right: correct, wrong: adversarial, ...row }) => ({
              ...row,
              correct,
              adversarial,
            })),
          );
          const asked = { ...options, direction };
          expect(await figures("contrastive", csvOf(sums("contrastive", rows)), asked)).toBe(
            await figures("contrastive", table, asked),
          );
        },
      ),
      { numRuns: 8 },
    );
  });

  test("give swap the same, of images as described and of all", async () => {
    await fc.assert(
      fc.asyncProperty(rowsOf(["clip", "vqa"], ["0", "1"]), fc.boolean(), async (rows, isSaid) => {
        const said = rows.map((row) => ({ ...row, domain: isSaid ? row.domain : "" }));
        const table = csvOf(
          said.map(({ right: original, wrong: swapped, domain: asDescribed, ...row }) => ({
            ...row,
            original,
            swapped,
            asDescribed,
          })),
        );
        expect(await figures("swap", csvOf(sums("swap", said)), options)).toBe(
          await figures("swap", table, options),
        );
      }),
      { numRuns: 8 },
    );
  });

  test("are refused where they can't tell what is asked", async () => {
    const row = { id: "1", metric: "m", prompt: "p", domain: "d", right: 1e-40, wrong: 0 };
    const [cell = {}, ...rest] = sums("contrastive", [row]);
    const asked = (table: readonly Readonly<Record<string, unknown>>[], options = {}) =>
      conclude("contrastive", tableOf("table.csv", csvOf(table)), options);
    await expect(asked([{ ...cell, inexact: 1 }, ...rest])).rejects.toThrow(InputError);
    await expect(asked([cell, ...rest, { ...cell, part: "names", repeats: 1 }])).rejects.toThrow(
      "repeated",
    );
    await expect(asked([{ ...cell, sum_correct_1: 2 ** 54 }, ...rest])).rejects.toThrow(InputError);
    await expect(asked([{ ...cell, touchstone_sums: "swap" }, ...rest])).rejects.toThrow(
      InputError,
    );
    await expect(asked([cell, { ...cell, metric: "" }, ...rest])).rejects.toThrow("metric in each");
    await expect(asked([{ ...cell, domain: "" }, ...rest])).rejects.toThrow("domain in each");
    const huge = { sum_correct_1: "", sum_correct_2: "" };
    await expect(asked([{ ...cell, ...huge }, ...rest])).rejects.toThrow("without rounding");
    const swapped = sums("swap", [{ ...row, domain: "maybe" }]);
    const said = conclude("swap", tableOf("table.csv", csvOf(swapped)), {});
    await expect(said).rejects.toThrow(InputError);
    await expect(asked([{ ...cell, part: "names", row_count: 0 }])).rejects.toThrow("of none");
    const spelled = ["1", "yes"].map((domain, at) => ({ ...row, id: `${at}`, domain }));
    const twice = conclude("swap", tableOf("table.csv", csvOf(sums("swap", spelled))), {});
    await expect(twice).rejects.toThrow('received "1" and "yes"');
    const two = ["m", "n"].map((metric) => ({ ...row, right: 1, metric }));
    const both = sums("contrastive", two);
    for (const part of ["others", "ids"]) {
      await expect(asked(both.filter((each) => each.part !== part))).rejects.toThrow(
        "Expected the whole answer of the query for contrastive but table.csv has other rows",
      );
    }
    const many = { row_count: 2 ** 24 };
    await expect(asked([{ ...cell, ...many }, ...rest])).rejects.toThrow("8 million");
    const piped = { ...tableOf("table.csv", csvOf([cell, ...rest])), name: "-" };
    await expect(conclude("contrastive", piped, {})).rejects.toThrow("standard input");
    const whole = [{ ...cell }, ...rest];
    await expect(asked(whole, { scale: "minmax" })).rejects.toThrow(InputError);
    await expect(asked(whole, { "tie-tolerance": "0" })).rejects.toThrow(InputError);
    await expect(asked(whole)).resolves.toBeDefined();
  });
});
