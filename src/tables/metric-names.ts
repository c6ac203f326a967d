import { largestOf } from "../core/arrays.js";
import { codesTogether, codesWithNone, inOrderOfRows, picked } from "../core/row-codes.js";
import {
  isTextColumn,
  nameCount,
  type TextColumn,
  textAt,
  textColumn,
} from "../core/text-column.js";
import { numeric, type TextKind } from "./columns.js";

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

/** A text in the column of its name, or of another: never refused, and not renamed by --map. */
export const factColumn = (column: string): TextKind<string | undefined> => ({
  isRequired: false,
  holds: "text",
  column,
  read: (cell) => ({ value: textOf(cell) || undefined }),
});

/** What `score`'s results say of their metric, beside its name and its model. */
export const metricFacts = {
  convention: factColumn("convention"),
  template: factColumn("template"),
  statistic: factColumn("statistic"),
  baseUrl: factColumn("baseUrl"),
  metricVersion: factColumn("metricVersion"),
} as const;

/** Columns that tell of which metric a row is, for a table in columns. */
export const metricColumns = {
  metric: factColumn("metric"),
  model: factColumn("model"),
  ...metricFacts,
} as const;

/**
 * The metric of each of some rows, by what they say in columns called as `metricColumns`; -1 where a row names none.
 *
 * @param unnamed what a metric is called that has no name, such as one that is a number; else it is none.
 */
export function metricOfRows(
  columns: object,
  rows: Int32Array,
  unnamed?: (row: number) => string | undefined,
): TextColumn {
  const told = Object.entries<unknown>({ ...columns }).flatMap(([name, column]) =>
    Object.hasOwn(metricColumns, name) && isTextColumn(column) ? [[name, column] as const] : [],
  );
  const { codes, first } = toldTogether(
    told.map(([, column]) => column),
    rows,
  );
  const metrics = new MetricNames();
  const keys = Array.from(first, (row) =>
    metrics.add(
      Object.fromEntries(
        told.flatMap(([name, column]) => {
          const said = textAt(column, row);
          return said === undefined ? [] : [[name, said]];
        }),
      ),
    ),
  );
  const names = metrics.names();
  const each = textColumn(
    keys.map((key, at) => (key === undefined ? unnamed?.(first[at] ?? 0) : names.get(key))),
  );
  return { codes: codes.map((code) => each.codes[code] ?? -1), names: each.names };
}

/** Numbers of what some rows say in several columns together, and the first row that says each. */
function toldTogether(columns: readonly TextColumn[], rows: Int32Array) {
  const { codes, count } = inOrderOfRows(
    columns
      .filter((column) => nameCount(column) > 0)
      .map(codesWithNone)
      .map((each) => ({ ...each, codes: picked(each.codes, rows) }))
      .reduce(codesTogether, { codes: new Int32Array(rows.length), count: 1 }),
  );
  const first = new Int32Array(count);
  for (let at = rows.length - 1; at >= 0; at--) first[codes[at] ?? 0] = rows[at] ?? 0;
  return { codes, first };
}
