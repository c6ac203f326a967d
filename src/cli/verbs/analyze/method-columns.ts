import type { PredictionRow } from "../../../analysis/calibration/significance.js";
import { type GivenTable, type Inputs, tableReader } from "../../../conclusions/table-options.js";
import { answer, type ColumnKind, probability, text } from "../../../tables/columns.js";
import { type ModelColumn, parseModelColumns } from "../compare/score-columns.js";

/**
 * Reads a table with a row for each item and a column of probabilities for each method.
 *
 * @param options.methods as `--methods` gives them: `A=p_a,B=p_b`.
 * @param options.run the kind of the column run; an item may stand once in each.
 * @throws InputError as `tableRows` does, and for methods of another form.
 */
export async function readMethodColumns(
  given: GivenTable,
  {
    methods,
    run,
    unique,
    inputs,
  }: {
    readonly methods: string;
    readonly run: ColumnKind<string | undefined>;
    readonly unique: readonly ("id" | "run")[];
    readonly inputs: Inputs;
  },
): Promise<PredictionRow[]> {
  const pairs = parseModelColumns(methods, "methods");
  const named = Object.fromEntries(pairs.map(({ column }) => [column, probability]));
  const read = tableReader({ columns: { ...named, id: text, label: answer, run }, unique });
  const rows = await read(given, inputs);
  return rows.flatMap(({ id, label, run, ...row }) =>
    pairs.map(({ model, column }) => {
      const found: unknown = Reflect.get(row, column);
      return {
        id,
        label,
        method: model,
        probability: typeof found === "number" ? found : null,
        run,
      };
    }),
  );
}

/** Says to give --methods where columns of probabilities stand side by side. */
export function methodShape(columns: readonly string[]): string | undefined {
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
