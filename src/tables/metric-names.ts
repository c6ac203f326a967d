import { largestOf } from "../core/arrays.js";
import { codesTogether, codesWithNone, inOrderOfRows, picked } from "../core/row-codes.js";
import { isTextColumn, type TextColumn, textColumn } from "../core/text-column.js";
import { type ColumnKinds, numeric, type TextKind } from "./columns.js";
import type { Table } from "./shapes.js";

const others = ["convention", "template", "statistic", "baseUrl", "metricVersion"] as const;

/** Lists what tells metrics of one name apart in `score`'s rows, most telling first. */
const detailsOf = (result: Readonly<Record<string, unknown>>) => {
  const model = textOf(result.model);
  return [model.replace(weights, ""), ...others.map((name) => textOf(result[name])), model];
};

/** By which a model's name says which weights it has: lab:vqa@f5c8e40c032d. */
const weights = /@[0-9a-f]{12}\b/g;

/**
 * Which metrics the rows of a table are results of, by the column `metric` of a table with a row for
 * each result. In what `score` writes, metrics of one name differ by model and convention, too; elsewhere
 * a column model names what made the images.
 */
export class MetricNames {
  readonly #sources = new Map<string, Source>();

  /** Notes the row's metric, and gives what is the same in all its rows; undefined where it names none. */
  add(all: Readonly<Record<string, unknown>>): string | undefined {
    const { metric } = all;
    if (typeof metric !== "string" || "value" in numeric.read(metric, { isText: true })) {
      return undefined;
    }
    const isResult = Object.hasOwn(all, "metricVersion");
    const source = { metric, details: isResult ? detailsOf(all) : [] };
    const key = JSON.stringify(source);
    if (!this.#sources.has(key)) this.#sources.set(key, source);
    return key;
  }

  /**
   * Names each metric, by what `add` gave: "vqa-score", or "lab:vqa vqa-score" beside another
   * model's. What differs comes first, since tables cut long names.
   */
  names(): ReadonlyMap<string, string> {
    const sources = [...this.#sources.values()];
    const prefixes = sources.map(() => "");
    const name = (which: number) => `${prefixes[which]}${sources[which]?.metric}`;
    const most = Math.max(0, largestOf(sources.map(({ details }) => details.length)));
    for (let at = 0; at < most; at++) {
      const taken = sources.map((_, which) => name(which));
      for (const [which, { details }] of sources.entries()) {
        const alike = sources.filter((_, other) => taken[other] === taken[which]);
        const isTelling = new Set(alike.map((other) => other.details[at] ?? "")).size > 1;
        if (isTelling && details[at]) prefixes[which] += `${details[at]} `;
      }
    }
    return new Map([...this.#sources.keys()].map((key, which) => [key, name(which)]));
  }
}

interface Source {
  readonly metric: string;
  readonly details: readonly string[];
}

const textOf = (cell: unknown) =>
  typeof cell === "string" || typeof cell === "number" ? String(cell) : "";

/** A cell that tells metrics apart: never refused. */
const telling: TextKind<string | undefined> = {
  isRequired: false,
  holds: "text",
  read: (cell) => ({ value: textOf(cell) || undefined }),
};

/** Columns that tell of which metric a row is, for a table in columns. */
export const metricColumns = Object.fromEntries(
  ["metric", "model", ...others].map((name) => [name, telling]),
);

/** A text that a metric's results say, in a column of this name. */
export const factColumn = (column: string): TextKind<string | undefined> => ({
  ...telling,
  column,
});

/** What `score`'s results say of their metric, beside its name: its own model stands in `metricModel`. */
export const metricFacts = {
  metricModel: factColumn("model"),
  convention: factColumn("convention"),
  template: factColumn("template"),
  statistic: factColumn("statistic"),
  baseUrl: factColumn("baseUrl"),
  metricVersion: factColumn("metricVersion"),
} as const;

/** The metric of each of some rows of a table in columns, by the names that tell all of them apart. */
export function metricsOf(
  columns: Readonly<Record<keyof typeof metricFacts | "metric", TextColumn>>,
  rows: Int32Array,
): TextColumn {
  const facts = ["metric", ...Object.keys(metricFacts)] as (keyof typeof columns)[];
  const { codes, first } = toldTogether(
    facts.map((fact) => columns[fact]),
    rows,
  );
  const names = new MetricNames();
  const sources = Array.from(first, (row) => {
    const said = (fact: keyof typeof columns) => textAt(columns[fact], row);
    const metric = said("metric");
    const { metricModel: model, ...own } = Object.fromEntries(
      facts.map((fact) => [fact, said(fact)]),
    );
    const isResult = own.metricVersion !== undefined;
    return { key: names.add(isResult ? { ...own, model } : { metric }), metric };
  });
  const called = names.names();
  const each = textColumn(
    sources.map(({ key, metric }) => (key === undefined ? metric : called.get(key))),
  );
  return { codes: codes.map((code) => each.codes[code] ?? -1), names: each.names };
}

/**
 * The metric of each row of a table that was read with `metricColumns`, -1 where it names none.
 *
 * @param rows some of them.
 */
export function metricOfRows(
  table: Pick<Table<ColumnKinds>, "has"> & { readonly columns: object },
  rows: Int32Array,
): TextColumn {
  const told = Object.entries<unknown>({ ...table.columns }).flatMap(([name, column]) =>
    Object.hasOwn(metricColumns, name) && table.has(name) && isTextColumn(column)
      ? [[name, column] as const]
      : [],
  );
  const { codes, first } = toldTogether(
    told.map(([, column]) => column),
    rows,
  );
  const metrics = new MetricNames();
  const keys = Array.from(first, (row) =>
    metrics.add(Object.fromEntries(told.map(([name, column]) => [name, textAt(column, row)]))),
  );
  const names = [...metrics.names()];
  const numbers = new Map(names.map(([key], number) => [key, number]));
  return {
    codes: codes.map((code) => numbers.get(keys[code] ?? "") ?? -1),
    names: names.map(([, name]) => name),
  };
}

/** Numbers of what some rows say in several columns together, and the first row that says each. */
function toldTogether(columns: readonly TextColumn[], rows: Int32Array) {
  const { codes, count } = inOrderOfRows(
    columns
      .map(codesWithNone)
      .map((each) => ({ ...each, codes: picked(each.codes, rows) }))
      .reduce(codesTogether, { codes: new Int32Array(rows.length), count: 1 }),
  );
  const first = new Int32Array(count);
  for (let at = rows.length - 1; at >= 0; at--) first[codes[at] ?? 0] = rows[at] ?? 0;
  return { codes, first };
}

const textAt = ({ codes, names }: TextColumn, row: number) => names[codes[row] ?? -1];
