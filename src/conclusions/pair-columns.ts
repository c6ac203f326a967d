import { InputError } from "../core/errors.js";
import { listText } from "../core/list-text.js";
import type { Arguments } from "../core/options.js";
import type { ColumnTable } from "../tables/column-table.js";
import { type ColumnKinds, type RowOf, score, text } from "../tables/columns.js";
import { quoted } from "../tables/format.js";
import type { OtherShape } from "../tables/header.js";
import { tableRows } from "../tables/table-rows.js";
import {
  type GivenTable,
  type Inputs,
  rowReader,
  tableName,
  tableRequest,
} from "./table-options.js";

/** The two scores of a pair: `correct` and `adversarial`. */
export type Sides = readonly [one: string, other: string];

/** For verbs of pairs that read a column for each metric and side, too. */
export const wideArguments = (sides: Sides) =>
  ({
    wide: {
      kind: "switch",
      description: `a metric is two columns: clip_${sides[0]} and clip_${sides[1]}, or ${sides[0]}_clip`,
    },
  }) as const satisfies Arguments;

/** Row of a pair: its columns, the metric, and the score of each side. */
type PairRow<Kinds extends ColumnKinds, Side extends string> = RowOf<Kinds> & {
  readonly metric: string;
} & { readonly [One in Side]: number | null };

/**
 * How a verb of pairs reads its table: a row for each metric and item, with the two scores under the
 * sides' names; or, with --wide, two columns for each metric.
 *
 * @param columns those beside metric and scores; `id` names the item.
 */
export function pairReader<
  const Kinds extends ColumnKinds & { readonly id: unknown },
  const Side extends string,
>(columns: Kinds, sides: readonly [one: Side, other: Side]) {
  const [one, other] = sides;
  const readLong = rowReader<ColumnKinds>({
    columns: { ...columns, metric: text, [one]: score, [other]: score },
    unique: ["id", "metric"],
    otherShape: pairedShape(sides),
  });
  /** @param take is given the rows, or takes them by column; what is wrong with them is thrown behind the last. */
  return async (
    given: GivenTable & { readonly wide: boolean },
    inputs: Inputs,
    take: ((row: PairRow<Kinds, Side>) => void) | ColumnTable<PairRow<Kinds, Side>>,
  ): Promise<void> => {
    const add = typeof take === "function" ? take : take.add.bind(take);
    // Every column was read by its own kind.
    const taken = (row: object) => add(row as PairRow<Kinds, Side>);
    if (!given.wide) return readLong(given, inputs, typeof take === "function" ? taken : take);
    for (const row of await readPairColumns(given, { columns, sides, inputs })) taken(row);
  };
}

/**
 * A table with two columns for each metric, as rows of one metric and item each.
 *
 * @param options.columns the other columns; `id` names the item.
 * @param options.sides what the columns' names begin or end with; --map names others.
 * @throws InputError as `tableRows` does; for a metric that has one side only, or a side twice; and
 *   where there is none.
 */
async function readPairColumns(
  given: GivenTable,
  {
    columns,
    sides,
    inputs,
  }: {
    readonly columns: ColumnKinds;
    readonly sides: Sides;
    readonly inputs: Inputs;
  },
): Promise<object[]> {
  const { map = {}, ...request } = await tableRequest(given, inputs);
  const name = tableName(given);
  const markers = sides.map((side) => (Object.hasOwn(map, side) ? (map[side] ?? side) : side));
  const others = Object.fromEntries(Object.entries(map).filter(([to]) => !sides.includes(to)));
  const read = [];
  const found = new Set<string>();
  const problems: string[] = [];
  const asked = { ...request, map: others, columns, unique: ["id"] as const };
  for await (const { row, all, line, name: file, isText } of tableRows(asked)) {
    const cells = flat(all);
    const scores = new Map<string, number | null>();
    for (const [column, cell] of cells) {
      found.add(column);
      if (sideOf(column, markers) === undefined) continue;
      const value = score.read(cell, { isText });
      if ("value" in value) scores.set(column, value.value);
      else {
        problems.push(
          `Expected ${value.expected} for ${column} but received ${quoted(cell)} (in ${file}, line ${line})`,
        );
      }
    }
    read.push({ row, scores });
  }
  if (problems.length > 0) {
    throw new InputError(`Expected a sound table but found unsound scores in ${name}`, {
      problems,
    });
  }
  const metrics = pairedColumns([...found], markers);
  checkPairs(metrics, { markers, found: [...found], name });
  return read.flatMap(({ row, scores }) =>
    [...metrics].map(([metric, [[one = ""], [other = ""]]]) => ({
      ...row,
      metric,
      [sides[0]]: scores.get(one) ?? null,
      [sides[1]]: scores.get(other) ?? null,
    })),
  );
}

/** Says to give --wide where columns come in pairs. */
const pairedShape =
  (sides: Sides): OtherShape =>
  (columns) => {
    const whole = [...pairedColumns(columns, sides)].filter(([, pair]) =>
      pair.every(({ length }) => length > 0),
    );
    return whole.length === 0
      ? undefined
      : `Here a metric is two columns (${listText(whole.map(([metric]) => metric))}): --wide reads them`;
  };

type Pair = readonly [string[], string[]];

/** Each metric's columns of either side. */
function pairedColumns(columns: readonly string[], markers: readonly string[]): Map<string, Pair> {
  const metrics = new Map<string, Pair>();
  for (const column of columns) {
    const { metric, side } = sideOf(column, markers) ?? {};
    if (metric === undefined || side === undefined) continue;
    const pair = metrics.get(metric) ?? [[], []];
    metrics.set(metric, pair);
    pair[side].push(column);
  }
  return metrics;
}

const separator = /^[-_. :/|]+|[-_. :/|]+$/g;

/** The metric before or behind the side's name, apart from it by a sign or by a capital letter. */
function sideOf(
  column: string,
  markers: readonly string[],
): { metric: string; side: 0 | 1 } | undefined {
  for (const side of [0, 1] as const) {
    const marker = markers[side] ?? "";
    const lower = column.toLowerCase();
    const isLast = lower.endsWith(marker.toLowerCase());
    const isFirst = lower.startsWith(marker.toLowerCase());
    for (const rest of [
      ...(isLast ? [column.slice(0, column.length - marker.length)] : []),
      ...(isFirst ? [column.slice(marker.length)] : []),
    ]) {
      const metric = rest.replace(separator, "");
      const isApart = metric !== rest || (isLast && /[A-Z]/.test(column.at(rest.length) ?? ""));
      if (metric !== "" && isApart) return { metric, side };
    }
  }
  return undefined;
}

function checkPairs(
  metrics: ReadonlyMap<string, Pair>,
  {
    markers: [one = "", other = ""],
    found,
    name,
  }: {
    readonly markers: readonly string[];
    readonly found: readonly string[];
    readonly name: string;
  },
): void {
  if (metrics.size === 0) {
    throw new InputError(
      `Expected two columns for each metric, such as clip_${one} and clip_${other}, in ${name} but ` +
        `found ${listText(found)}`,
      { hint: `If their names end differently: --map ${one}=right` },
    );
  }
  for (const [metric, [first, second]] of metrics) {
    const lone = first[0] ?? second[0] ?? metric;
    const missing = first.length === 0 ? one : second.length === 0 ? other : undefined;
    if (missing !== undefined) {
      throw new InputError(
        `Expected a column of ${metric} for ${missing} beside ${lone} in ${name}`,
      );
    }
    const twice = [first, second].find(({ length }) => length > 1);
    if (twice !== undefined) {
      throw new InputError(
        `Expected one column of ${metric} for each side but found ${listText(twice)} in ${name}`,
      );
    }
  }
}

/** Cells by their columns' names, those of objects under `object.member`. */
const flat = (all: Readonly<Record<string, unknown>>): (readonly [string, unknown])[] =>
  Object.entries(all).flatMap(([name, cell]) =>
    typeof cell === "object" && cell !== null && !Array.isArray(cell)
      ? Object.entries(cell).map(([member, value]) => [`${name}.${member}`, value] as const)
      : [[name, cell] as const],
  );
