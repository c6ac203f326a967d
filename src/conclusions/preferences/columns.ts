import type { PreferenceRow } from "../../analysis/preferences/preference-cells.js";
import type { Given } from "../../core/options.js";
import { isNotAvailable, oneOf, optionalText, type TextKind, text } from "../../tables/columns.js";
import { quoted } from "../../tables/format.js";
import { parseValues, recoded } from "../../tables/recoded-column.js";
import { rowsOf } from "../../tables/rows-of.js";
import type { RowProblem, Table, TableShape, Tells } from "../../tables/shapes.js";
import { inColumns } from "../conclusion.js";
import type { options } from "./options.js";

type Preferred = "a" | "b" | "tie";
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

/** Words of LMArena, MT-Bench, Pick-a-Pic and surveys, and comparisons of their judges: A>B, B>>A. */
const others: Readonly<Record<Preferred, RegExp>> = {
  a: /^(model|image|response|option)[-_ ]?(a|1)$|^(left|first)$|^a ?>{1,2} ?b$|^b ?<{1,2} ?a$/,
  b: /^(model|image|response|option)[-_ ]?(b|2)$|^(right|second)$|^b ?>{1,2} ?a$|^a ?<{1,2} ?b$/,
  tie: /^ties?\b|^(both|equal|draw|same|neither)$|^both[-_ ]?bad$|^no[-_ ]preference$|^a ?= ?b$|^b ?= ?a$/,
};

/**
 * Which of a row's two images a word names: a, b or tie in any case, the name of one of its models, or a word
 * as published data have it, such as model_a, left and A>B; undefined where it is none of these.
 *
 * @example preferredSide("painter-b", { a: "painter-a", b: "painter-b" }) // "b"
 */
function preferredSide(
  word: string,
  { a, b }: { readonly a: string; readonly b: string },
): Preferred | undefined {
  const lower = word.toLowerCase();
  if (lower === "a" || lower === "b" || lower === "tie") return lower;
  if (word === a) return "a";
  if (word === b) return "b";
  return (["a", "b", "tie"] as const).find((side) => others[side].test(lower));
}

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

/** Finds rows that compare a model with itself, and preferences that name neither of a row's images. */
function* soundRows(table: Table<Comparisons>): Generator<RowProblem> {
  let row = -1;
  const words = new Set<string>();
  for (const { a, b, preferred: said } of rowsOf(table, kinds)) {
    row++;
    if (a === b) {
      yield { row, problem: `Expected two models in each row but received "${a}" twice` };
    } else if (said !== null && preferredSide(said, { a, b }) === undefined) {
      const problem = `Expected ${expectedPreferred} for preferred but received ${quoted(said)}`;
      words.add(said);
      const each = [...words].slice(0, 5).map((word) => `${word}=…`);
      yield { row, problem, hint: `Say which of a, b and tie each word means: --values '${each}'` };
    }
  }
}

/** Until `preferences` takes columns: the same, a row for each comparison. */
export const comparisonRows = (table: Table<Comparisons>): PreferenceRow[] =>
  Array.from(rowsOf(table, kinds), ({ preferred: said, ...row }) => ({
    ...row,
    preferred: said === null ? null : (preferredSide(said, row) ?? null),
  }));

export const tells: Tells = {
  columns: {
    a: text,
    b: text,
    preferred: oneOf(["a", "b", "A", "B", "tie", "Tie", "TIE", "NA"]),
  },
};
