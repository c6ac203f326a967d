import { largestOf } from "../core/extremes.js";
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
