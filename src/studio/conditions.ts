import { columnName } from "./column-name.js";
import { Refusal } from "./refusal.js";
import type { RunIndex } from "./run-index.js";
import type { ScoreTable } from "./score-table.js";

/** A condition on an image's score by one metric. */
export interface Condition {
  readonly table: ScoreTable;
  readonly isMet: (value: number) => boolean;
}

const tests = {
  "<": (value: number, bound: number) => value < bound,
  "<=": (value: number, bound: number) => value <= bound,
  ">": (value: number, bound: number) => value > bound,
  ">=": (value: number, bound: number) => value >= bound,
  "=": (value: number, bound: number) => value === bound,
} as const;

const shape = /^(?<name>.+?)\s*(?<test><=|>=|<|>|=)\s*(?<bound>-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?)$/i;

/**
 * Reads conditions such as `vqa < 0.5 and clip > 0.3`: each names a metric by words that its name begins
 * with. An image without the score meets none of them.
 *
 * @throws Refusal where one can't be read, or names no metric or several
 */
export function conditionsOf(text: string, index: RunIndex): readonly Condition[] {
  return text
    .split(/\s+and\s+/i)
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const { name = "", test = "", bound = "" } = shape.exec(part.trim())?.groups ?? {};
      const [, compare] = Object.entries(tests).find(([sign]) => sign === test) ?? [];
      if (compare === undefined) {
        throw new Refusal(400, "where", `Expected a metric, < or >, and a number in “${part}”`, {
          hint: "Write conditions as: vqa < 0.5 and clip > 0.3",
        });
      }
      const limit = Number(bound);
      return { table: tableNamed(name, index), isMet: (value) => compare(value, limit) };
    });
}

const wordsIn = (text: string) =>
  text
    .toLowerCase()
    .split(/[^a-z0-9.]+/)
    .filter(Boolean);

/**
 * The column whose name has words that begin with all of these. Of several those of the images' own texts
 * count, and of these the ones whose name begins so.
 */
function tableNamed(name: string, { tables }: RunIndex): ScoreTable {
  const columns = tables.map((table) => table.describe(0));
  const named = tables.map((table, at) => ({
    table,
    title: columns[at] === undefined ? table.id : columnName(columns[at], columns),
  }));
  const exact = named.find(({ table, title }) => [table.id, title].includes(name.trim()));
  if (exact !== undefined) return exact.table;
  const wanted = wordsIn(name);
  const meant = named.filter(({ title }) => {
    const words = wordsIn(title);
    return wanted.every((word) => words.some((one) => one.startsWith(word)));
  });
  const own = meant.filter(({ table: { against } }) => against === "own" || against === "prompt");
  const first = own.filter(({ title }) => title.toLowerCase().startsWith(wanted[0] ?? ""));
  const [found, ...others] = [first, own, meant].find(({ length }) => length > 0) ?? [];
  if (found !== undefined && others.length === 0) return found.table;
  const several = found === undefined ? "names no metric of the run" : "names several metrics";
  throw new Refusal(400, "where", `“${name.trim()}” ${several}`, {
    hint: `Its metrics: ${(found === undefined ? named : [found, ...others])
      .map(({ title }) => title)
      .join("; ")}`,
  });
}
