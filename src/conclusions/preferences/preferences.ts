import {
  outcomes,
  type PreferenceTable,
  preferenceUnits,
  raterKinds,
  textsIn,
} from "../../analysis/preferences/preference-cells.js";
import { preferencesOf } from "../../analysis/preferences/preferences.js";
import { InputError } from "../../core/errors.js";
import type { Arguments, Given } from "../../core/options.js";
import { coded, codesTogether } from "../../core/row-codes.js";
import { textAt } from "../../core/text-column.js";
import { tieModels } from "../../stats/bradley-terry.js";
import {
  isNotAvailable,
  notAvailableWords,
  numeric,
  optionalText,
  type TextKind,
  text,
} from "../../tables/columns.js";
import { quoted } from "../../tables/format.js";
import { parseValues, recoded, valuesArgument } from "../../tables/recoded-column.js";
import type { RowProblem, Table, TableShape } from "../../tables/shapes.js";
import { conclusion, inColumns } from "../conclusion.js";
import { preferredSide } from "../preferred-side.js";
import { intervalArguments } from "../shared-options.js";
import { rows, type SumsSpec } from "../sums/sums-query.js";
import { readSums } from "../sums/sums-table.js";
import { type GivenTable, type Inputs, tableName } from "../table-options.js";
import { preferencesView } from "./view.js";

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
const readComparisons = async (
  given: GivenTable & Given<typeof options>,
  inputs: Inputs,
): Promise<PreferenceTable> => comparisons((await readRows(given, inputs)).columns);

/**
 * Reads counts of them by cluster.
 *
 * @throws InputError where a row has no cluster, since rows of none can't be told apart any more.
 */
async function readCounts(
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

export const options = {
  ties: {
    kind: "choice",
    choices: tieModels,
    default: "half",
    description: "count a tie as half a win for each, or as an outcome of its own (Davidson 1970)",
  },
  prior: {
    kind: "number",
    minimum: 0,
    maximum: 1000,
    default: 0,
    value: "WINS",
    description: "add so many wins each way between any two models: 0.1 keeps strengths finite",
  },
  cluster: {
    kind: "choice",
    choices: preferenceUnits,
    description:
      "whose comparisons intervals take together (default: annotators, else prompts); both where " +
      "annotators share prompts (two-way)",
  },
  raters: {
    kind: "choice",
    choices: raterKinds,
    default: "alike",
    description: "take annotators as equally reliable, or each as reliable as found (Crowd-BT)",
  },
  ...valuesArgument,
  ...intervalArguments,
} as const satisfies Arguments;

export default conclusion({
  title: "Preferences",
  description:
    "Ranks models by people's preferences: Bradley-Terry strengths, win rates of pairs, and " +
    "how often the image shown first is preferred. Reads JSONL, JSON, CSV or Parquet with the " +
    "columns a and b (models; the image of a was shown first), preferred (a, b, tie or the " +
    "model's name; empty: no answer) and, optionally, prompt and annotator. Intervals resample annotators, else " +
    "prompts. Where a model never lost, strengths are undefined without --prior. `touchstone " +
    "example preferences` prints a sample.",
  examples: [
    "touchstone analyze preferences preferences.csv",
    "touchstone analyze preferences preferences.jsonl --ties davidson --out preferences.html",
    "touchstone example preferences | touchstone analyze preferences - --json",
  ],
  example: {
    shows:
      "which of two images twelve people preferred, of four models, with ties and one unscored",
  },
  page: "preferences.html",
  options,
  sums: async () => ({ sums, read: readCounts }),
  read: readComparisons,
  conclude: (table, given) => preferencesOf(table, given),
  view: preferencesView,
  async figure(found) {
    const { preferencesFigure } = await import("./figure.js");
    return preferencesFigure(found);
  },
});

const sumKinds = {
  are_shared: numeric,
  annotator: optionalText,
  kept_prompt: optionalText,
  first_model: optionalText,
  second_model: optionalText,
  said: optionalText,
};

const nothing = notAvailableWords.map((word) => `'${word}'`).join(", ");

// Intervals draw annotators, where two of them answered, else prompts.
const several = "(SELECT COUNT(DISTINCT annotator) FROM read_1 WHERE is_answered = 1) > 1";

/** Comparisons, counted by whom intervals draw as a whole. */
const sums: SumsSpec<typeof sumKinds> = {
  name: "preferences",
  texts: { a: "a", b: "b", preferred: "preferred", prompt: "prompt", annotator: "annotator" },
  derived: () => [
    { is_answered: `CASE WHEN TRIM(LOWER(preferred)) NOT IN (${nothing}) THEN 1 ELSE 0 END` },
    { kept_prompt: `CASE WHEN ${several} THEN NULL ELSE prompt END` },
  ],
  parts: ({ number }) => ({
    comparisons: {
      from: rows,
      by: {
        annotator: "annotator",
        kept_prompt: "kept_prompt",
        first_model: "a",
        second_model: "b",
        said: "preferred",
      },
      of: {
        are_shared: `(SELECT CASE WHEN 2 * SUM(CASE WHEN people > 1 THEN 1 ELSE 0 END) > COUNT(*) THEN ${number(1)} ELSE ${number(0)} END
    FROM (SELECT prompt, COUNT(DISTINCT annotator) AS people FROM ${rows}
      WHERE prompt IS NOT NULL AND annotator IS NOT NULL GROUP BY prompt) by_prompt)`,
      },
    },
  }),
  kinds: sumKinds,
  required: { comparisons: { first_model: "a", second_model: "b" } },
  only: {},
};
