import { outcomes, type PreferenceTable } from "../../analysis/preferences/preference-cells.js";
import type { Given } from "../../core/options.js";
import { coded, codesTogether } from "../../core/row-codes.js";
import { textAt } from "../../core/text-column.js";
import { isNotAvailable, oneOf, optionalText, type TextKind, text } from "../../tables/columns.js";
import { quoted } from "../../tables/format.js";
import { parseValues, recoded } from "../../tables/recoded-column.js";
import type { RowProblem, Table, TableShape, Tells } from "../../tables/shapes.js";
import { inColumns } from "../conclusion.js";
import { preferredSide } from "../preferred-side.js";
import type { options } from "./options.js";

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

export const readComparisons = inColumns(columns);

/** In place of an outcome, where a word names neither of a row's images. */
const unknown = -2;

/** What each row prefers, by its place in `outcomes`; -1 where nobody answered. */
function preferredOf({ a, b, preferred: said }: Table<Comparisons>["columns"]): Int8Array {
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
export const comparisons = ({ columns }: Table<Comparisons>): PreferenceTable => ({
  ...columns,
  preferred: preferredOf(columns),
});

export const tells: Tells = {
  columns: {
    a: text,
    b: text,
    preferred: oneOf(["a", "b", "A", "B", "tie", "Tie", "TIE", "NA"]),
  },
};
