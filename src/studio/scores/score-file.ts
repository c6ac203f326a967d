import { keyOf } from "../../core/keys.js";
import { type UnscoredReason, unscoredReasons } from "../../core/unscored.js";
import { readTable } from "../../files/read-table.js";
import { numeric, oneOf, optionalOneOf, optionalText, text } from "../../tables/columns.js";
import type { ScoredMetric, ScoredRow, ScoredRowPage } from "./score-api.js";
import type { ScoreQuery } from "./score-query.js";

/** By what `score` writes; whatever else stands in a row is of no use here. */
const columns = {
  image: text,
  text: optionalText,
  metric: text,
  model: optionalText,
  status: oneOf(["scored", "unscored"]),
  value: numeric,
  reason: optionalOneOf(unscoredReasons),
  detail: optionalText,
  convention: optionalText,
  statistic: optionalText,
  low: { ...numeric, isRequired: false },
  high: { ...numeric, isRequired: false },
  direction: oneOf(["higher", "lower"]),
};

/** A file of scores that `score --out` wrote. */
export class ScoreFile {
  readonly #rows: (ScoredRow & { readonly metric: string })[] = [];
  readonly #metrics = new Map<string, Omit<ScoredMetric, "scored" | "reasons">>();

  /** @throws InputError for a file that `score` did not write so. */
  static async read(path: string, name: string): Promise<ScoreFile> {
    const file = new ScoreFile();
    for await (const { row } of readTable({ source: { name, path }, columns })) {
      const { metric, model = "", convention = null, statistic = null, direction } = row;
      const { low, high } = row;
      const id = `${metric}~${keyOf({ metric, model, convention, statistic }).slice(0, 6)}`;
      if (!file.#metrics.has(id)) {
        const range = { low: low ?? null, high: high ?? null };
        file.#metrics.set(id, { id, metric, model, convention, statistic, direction, ...range });
      }
      const isScored = row.status === "scored";
      file.#rows.push({
        at: file.#rows.length,
        metric: id,
        image: row.image,
        text: row.text ?? "",
        value: isScored ? row.value : null,
        reason: isScored ? null : (row.reason ?? null),
        detail: isScored ? null : (row.detail ?? null),
      });
    }
    return file;
  }

  get metrics(): readonly ScoredMetric[] {
    return [...this.#metrics.values()].map((metric) => {
      const own = this.#rows.filter((row) => row.metric === metric.id);
      return {
        ...metric,
        scored: own.filter(({ value }) => value !== null).length,
        reasons: unscoredReasons.flatMap((reason: UnscoredReason) => {
          const rows = own.filter((row) => row.reason === reason).length;
          return rows === 0 ? [] : [{ reason, rows }];
        }),
      };
    });
  }

  /** Some images that its rows name, by which their folder is told. */
  sample(most: number): readonly string[] {
    return [...new Set(this.#rows.slice(0, 100 * most).map(({ image }) => image))].slice(0, most);
  }

  imageAt(at: number): string | undefined {
    return this.#rows[at]?.image;
  }

  /** Rows of one metric, worst first: what has no score comes last, unless it alone is asked for. */
  select({ metric, reason, text: words, order, limit, cursor }: ScoreQuery): ScoredRowPage {
    const [first] = this.#metrics.keys();
    const id = metric ?? first;
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    const sign =
      (this.#metrics.get(id ?? "")?.direction === "lower") === (order === "best") ? 1 : -1;
    const found = this.#rows
      .filter(
        (row) =>
          row.metric === id &&
          (reason === undefined ||
            (reason === "any" ? row.value === null : row.reason === reason)) &&
          wanted.every((word) => row.text.toLowerCase().includes(word)),
      )
      .sort((a, b) => {
        if (a.value === null || b.value === null) {
          return Number(a.value === null) - Number(b.value === null) || a.at - b.at;
        }
        return sign * (a.value - b.value) || a.at - b.at;
      });
    const end = cursor + limit;
    return {
      rows: found.slice(cursor, end).map(({ metric: _, ...row }) => row),
      total: found.length,
      next: end < found.length ? String(end) : null,
    };
  }
}
