import {
  outcomes,
  type PreferenceTable,
  textsIn,
} from "../../analysis/preferences/preference-cells.js";
import { InputError } from "../../core/errors.js";
import type { Given } from "../../core/options.js";
import { coded, codesTogether } from "../../core/row-codes.js";
import { textAt } from "../../core/text-column.js";
import { isNotAvailable, optionalText, type TextKind, text } from "../../tables/columns.js";
import { quoted } from "../../tables/format.js";
import { parseValues, recoded } from "../../tables/recoded-column.js";
import type { RowProblem, Table, TableShape, Tells } from "../../tables/shapes.js";
import { inColumns } from "../conclusion.js";
import { preferredSide } from "../preferred-side.js";
import { readSums } from "../sums/sums-table.js";
import { type GivenTable, type Inputs, tableName } from "../table-options.js";
import type { options } from "./options.js";
import { sums } from "./sums.js";

type Comparisons = Readonly<
  Record<"a" | "b", TextKind<string>> &
    Record<"preferred", TextKind<string | null>> &
    Record<"prompt" | "annotator", TextKind<string | undefined>>
>;

/** What somebody preferred, as the table says it; null where nobody answered. */
const preferred: TextKind<string | null> = {
  isRequired: true,
  holds: "text",
  read(cell, about) {
    const said = optionalText.read(cell, about);
    if ("expected" in said) return { expected: expectedPreferred };
    const word = said.value?.trim();
    return { value: word === undefined || isNotAvailable(word) ? null : word };
  },
};

const expectedPreferred = "a, b, tie, the preferred model's name or nothing";

const kinds: Comparisons = {
  a: text,
  b: text,
  preferred,
  prompt: optionalText,
  annotator: optionalText,
};

/** A row for each comparison of two models' images. */
const columns = ({ values }: Pick<Given<typeof options>, "values">): TableShape<Comparisons> => ({
  kinds: { ...kinds, preferred: recoded(preferred, parseValues(values)) },
  check: soundRows,
});

const readRows = inColumns(columns);

/** Reads comparisons. @throws InputError as `readTable` does. */
export const readComparisons = async (
  given: GivenTable & Given<typeof options>,
  inputs: Inputs,
): Promise<PreferenceTable> => comparisons((await readRows(given, inputs)).columns);

/**
 * Reads counts of them by cluster.
 *
 * @throws InputError where a row has no cluster, since rows of none can't be told apart any more.
 */
export async function readCounts(
  given: GivenTable & Given<typeof options>,
  inputs: Inputs,
): Promise<PreferenceTable> {
  const kinds = { ...sums.kinds, said: recoded(preferred, parseValues(given.values)) };
  const { columns, count } = await readSums({ ...sums, kinds }, [given, inputs]);
  const { annotator, kept_prompt: prompt, first_model: a, second_model: b } = columns;
  const table = { a, b, annotator, prompt, preferred: columns.said };
  const said = preferredOf(table);
  const people = textsIn(
    annotator,
    Int32Array.from(count.keys()).filter((row) => (said[row] ?? -1) >= 0),
  );
  const { codes } = people > 1 ? annotator : prompt;
  const alone = codes.findIndex((code, row) => code < 0 && (said[row] ?? -1) >= 0);
  const odd = said.indexOf(unknown);
  if (alone >= 0 || odd >= 0) {
    throw new InputError(
      alone >= 0
        ? `Expected ${people > 1 ? "an annotator" : "a prompt"} of each comparison in ${tableName(given)} but one has none`
        : `Expected ${expectedPreferred} for preferred but received ${quoted(textAt(columns.said, odd))}`,
      { hint: "Analyze the table of comparisons itself." },
    );
  }
  return { ...table, preferred: said, count, arePromptsShared: columns.are_shared[0] === 1 };
}

/** In place of an outcome, where a word names neither of a row's images. */
const unknown = -2;

/** What each row prefers, by its place in `outcomes`; -1 where nobody answered. */
function preferredOf({
  a,
  b,
  preferred: said,
}: Pick<Table<Comparisons>["columns"], "a" | "b" | "preferred">): Int8Array {
  const { codes } = [said, a, b].map(coded).reduce(codesTogether);
  const known = new Map<number, number>();
  return Int8Array.from(codes, (code, row) => {
    if (code < 0) return -1;
    const met = known.get(code);
    if (met !== undefined) return met;
    const [one = "", other = "", word = ""] = [a, b, said].map((column) => textAt(column, row));
    const side = preferredSide(word, { a: one, b: other });
    const place = side === undefined ? unknown : outcomes.indexOf(side);
    known.set(code, place);
    return place;
  });
}

/** Finds rows that compare a model with itself, and preferences that name neither of a row's images. */
function* soundRows({ length, columns }: Table<Comparisons>): Generator<RowProblem> {
  const { a, b, preferred: said } = columns;
  const preferred = preferredOf(columns);
  const words = new Set<string>();
  for (let row = 0; row < length; row++) {
    if (textAt(a, row) === textAt(b, row)) {
      const problem = `Expected two models in each row but received "${textAt(a, row)}" twice`;
      yield { row, problem };
    } else if (preferred[row] === unknown) {
      const word = textAt(said, row) ?? "";
      const problem = `Expected ${expectedPreferred} for preferred but received ${quoted(word)}`;
      words.add(word);
      const each = [...words].slice(0, 5).map((word) => `${word}=…`);
      yield { row, problem, hint: `Say which of a, b and tie each word means: --values '${each}'` };
    }
  }
}

/** The table as `preferencesOf` takes it. */
const comparisons = (columns: Table<Comparisons>["columns"]): PreferenceTable => ({
  ...columns,
  preferred: preferredOf(columns),
});

/** A word that says a side by itself, as published tables have it. */
const side: TextKind<string | null> = {
  ...preferred,
  read(cell, about) {
    const read = preferred.read(cell, about);
    const word = "value" in read ? read.value : null;
    return word === null || word === undefined || preferredSide(word, {}) !== undefined
      ? read
      : { expected: expectedPreferred };
  },
};

export const tells: Tells = { columns: { a: text, b: text, preferred: side } };
