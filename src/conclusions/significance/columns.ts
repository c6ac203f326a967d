import type { Given } from "../../core/options.js";
import {
  answer,
  type NumberKind,
  optionalText,
  probability,
  type TextKind,
  text,
} from "../../tables/columns.js";
import type { RowProblem, Table, TableShape, Tells } from "../../tables/shapes.js";
import { inColumns } from "../conclusion.js";
import { type ModelColumn, parseModelColumns } from "../shared-options.js";
import type { options } from "./options.js";

type Predictions = Readonly<
  Record<"id" | "method", TextKind<string>> &
    Record<"run", TextKind<string | undefined>> & {
      label: typeof answer;
      probability: NumberKind<number | null>;
    }
>;

/** A row for each item and method; with --methods, a row for each item and a column for each method. */
function columns({
  unit,
  methods,
}: Pick<Given<typeof options>, "unit" | "methods">): TableShape<Predictions> {
  const isOfRuns = unit === "run";
  const item = isOfRuns ? (["run", "id"] as const) : (["id"] as const);
  const kinds = { id: text, method: text, label: answer, probability };
  const run: Predictions["run"] = isOfRuns ? text : optionalText;
  if (methods !== undefined) {
    const given = parseModelColumns(methods, "methods");
    return {
      kinds: { ...kinds, run },
      unique: item,
      sideBySide: {
        given: new Map(given.map(({ model, column }) => [model, [column]])),
        name: "method",
        values: ["probability"],
      },
    };
  }
  return {
    kinds: { ...kinds, run },
    unique: [...item, "method"],
    check: oneLabel,
    otherShape: (names) =>
      isOfRuns && names.includes("probability") && !names.includes("run")
        ? "The column run names a judge's runs; --unit item needs none"
        : methodShape(names),
  };
}

export const tells: Tells = { columns: { id: text, method: text, label: answer, probability } };

export const readPredictions = inColumns(columns);

/** An item has one label, whoever judges it. */
function* oneLabel({ length, columns: { id, label } }: Table<Predictions>): Generator<RowProblem> {
  const labels = new Float64Array(id.names.length).fill(Number.NaN);
  for (let row = 0; row < length; row++) {
    const code = id.codes[row] ?? 0;
    const own = label[row] ?? Number.NaN;
    if (Number.isNaN(own)) continue;
    const earlier = labels[code] ?? Number.NaN;
    if (Number.isNaN(earlier)) labels[code] = own;
    else if (earlier !== own) {
      const problem = `Expected one label for id "${id.names[code]}" but received both 0 and 1`;
      yield { row, problem };
    }
  }
}

/** Says to give --methods where columns of probabilities stand side by side. */
function methodShape(columns: readonly string[]): string | undefined {
  if (columns.includes("method")) return undefined;
  const pairs = columns.flatMap((column): ModelColumn[] => {
    const model = column.replace(
      /^(?:p|prob|probability)[-_. ]+|[-_. ]+(?:p|prob|probability)$/i,
      "",
    );
    return model === column ? [] : [{ model, column }];
  });
  if (pairs.length < 2) return undefined;
  const flag = pairs.map(({ model, column }) => `${model}=${column}`).join(",");
  return `With a column of probabilities for each method: --methods ${flag}`;
}
