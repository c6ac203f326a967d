import { type AuditEvidence, placeOf } from "../../analysis/stereotypes/audit-evidence.js";
import { textAt } from "../../core/text-column.js";
import {
  notAvailableWords,
  numeric,
  optionalOneOf,
  optionalText,
  type TextKind,
} from "../../tables/columns.js";
import { rows, type SumsSpec } from "../sums/sums-query.js";
import { readSums, repeated } from "../sums/sums-table.js";
import type { GivenTable, Inputs } from "../table-options.js";
import type { Audit } from "./columns.js";

const answers = { yes: ["1", "1.0", "yes", "true"], no: ["0", "0.0", "-0.0", "no", "false"] };

const noOtherWord: TextKind<undefined> = {
  ...optionalText,
  isAnyText: false,
  read(cell) {
    const read = optionalText.read(cell, { isText: true });
    return "value" in read && read.value === undefined
      ? { value: undefined }
      : { expected: "0, 1 or nothing" };
  },
};

const kinds = {
  of_category: optionalText,
  of_query: optionalText,
  of_model: optionalText,
  of_phase: optionalOneOf(["initial", "refined"]),
  of_set: optionalText,
  of_item: optionalText,
  present: noOtherWord,
  answered: numeric,
  initial_answers: numeric,
  initial_flags: numeric,
  refined_answers: numeric,
  refined_flags: numeric,
  is_uneven: numeric,
};

const set = "category, query, model, image_set";
const names = {
  of_category: "category",
  of_query: "query",
  of_model: "model",
  of_phase: "phase",
  of_set: "image_set",
  of_item: "item",
};
const { of_category, of_query, of_model } = names;
const isOneOf = (words: readonly string[]) =>
  `LOWER(TRIM(said)) IN (${words.map((word) => `'${word}'`).join(", ")})`;
const flagOf = (phase: string) => `MAX(CASE WHEN phase = '${phase}' THEN flag END)`;

const byItem = `(SELECT ${set}, item, ${flagOf("initial")} AS before, ${flagOf("refined")} AS later
    FROM ${rows} GROUP BY ${set}, item) by_item`;

const tallies = {
  initial_answers: "COUNT(before)",
  initial_flags: "COALESCE(SUM(before), 0)",
  refined_answers: "COUNT(later)",
  refined_flags: "COALESCE(SUM(later), 0)",
};
const bySet = `(SELECT ${set}, ${Object.entries(tallies)
  .map(([name, of]) => `${of} AS ${name}`)
  .join(", ")},
    MAX(CASE WHEN (before IS NULL) <> (later IS NULL) THEN 1 ELSE 0 END) AS is_uneven
  FROM ${byItem} GROUP BY ${set}) by_set`;

const sides = ["before", "later"];
const besideSet = `(SELECT by_item.*, ${sides
  .map((side) => `COUNT(${side}) OVER (PARTITION BY ${set}) AS set_${side}`)
  .join(", ")}
  FROM ${byItem}) beside`;

/** Answers, counted by set of images: sets of a query with the same counts are one row. */
export const sums: SumsSpec<typeof kinds> = {
  name: "stereotypes",
  texts: {
    category: "category",
    query: "query",
    model: "model",
    phase: "phase",
    image_set: "imageSet",
    item: "item",
    said: "present",
  },
  unique: ["query", "category", "model", "phase", "image_set", "item"],
  derived: () => [
    { flag: `CASE WHEN ${isOneOf(answers.yes)} THEN 1 WHEN ${isOneOf(answers.no)} THEN 0 END` },
  ],
  parts: () => ({
    answers: {
      from: rows,
      by: { of_category, of_model, of_phase: "phase" },
      of: { answered: "COUNT(flag)" },
    },
    sets: {
      from: bySet,
      by: {
        of_category,
        of_query,
        of_model,
        is_uneven: "is_uneven",
        ...Object.fromEntries(Object.keys(tallies).map((name) => [name, name])),
      },
    },
    items: {
      from: besideSet,
      where: "set_before > 0 AND set_later > 0",
      by: { of_category, of_item: "item" },
      of: tallies,
    },
    unnamed: {
      from: rows,
      where: Object.values(names)
        .map((name) => `${name} IS NULL`)
        .join(" OR "),
      by: names,
    },
    unread: {
      from: rows,
      where: `flag IS NULL AND NOT ${isOneOf(notAvailableWords)}`,
      by: { present: "said" },
    },
  }),
  kinds,
  required: { unnamed: { ...names, of_set: "imageSet" } },
  only: { experts: null },
};

/** @throws InputError as `readSums` does. */
export async function read(given: GivenTable, inputs: Inputs): Promise<Audit> {
  const table = await readSums(sums, [given, inputs]);
  const { columns, count, part } = table;
  const nameOf = (name: "of_category" | "of_query" | "of_model" | "of_item", row: number) =>
    textAt(columns[name], row) ?? "";
  const inOrder = <Each extends object>(name: string, of: (row: number) => Each) =>
    Array.from(part(name), of).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const tallyOf = (phase: "initial" | "refined", row: number, of: Partial<typeof columns>) => ({
    answers: of[`${phase}_answers`]?.[row] ?? 0,
    flags: of[`${phase}_flags`]?.[row] ?? 0,
  });
  const total = (of: Float64Array) => part("answers").reduce((sum, row) => sum + (of[row] ?? 0), 0);
  const sets = repeated(table, "sets");
  const pairs = Array.from(sets.is_uneven, (isUneven, row) => {
    const [before, after] = [tallyOf("initial", row, sets), tallyOf("refined", row, sets)];
    const [category = "", query = "", model = ""] = [
      sets.of_category,
      sets.of_query,
      sets.of_model,
    ].map((each) => textAt(each, row));
    const initial = before.flags / before.answers;
    const pair = { category, query, model, initial, refined: after.flags / after.answers };
    const isComplete = before.answers > 0 && after.answers > 0;
    return { pair, place: placeOf(pair, [before, after]), isComplete, isUneven };
  });
  const complete = pairs.filter(({ isComplete }) => isComplete);
  const dropped = pairs.filter(({ isComplete }) => !isComplete);
  const n = total(columns.answered);
  const evidence: AuditEvidence = {
    pairs: {
      complete: complete.sort((a, b) => (a.place < b.place ? -1 : 1)).map(({ pair }) => pair),
      dropped: dropped.map(({ pair }) => pair),
    },
    parts: inOrder("answers", (row) => ({
      category: nameOf("of_category", row),
      model: nameOf("of_model", row),
    })),
    items: inOrder("items", (row) => ({
      category: nameOf("of_category", row),
      item: nameOf("of_item", row),
      initial: tallyOf("initial", row, columns),
      refined: tallyOf("refined", row, columns),
    })),
    n,
    unscored: total(count) - n,
    uneven: complete.filter(({ isUneven }) => isUneven === 1).length,
  };
  return { rows: [], experts: undefined, evidence };
}
