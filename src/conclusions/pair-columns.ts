import { InputError } from "../core/errors.js";
import type { Arguments } from "../core/options.js";
import { listText } from "../core/phrases.js";
import { type ColumnKinds, score, text } from "../tables/columns.js";
import type { OtherShape } from "../tables/header.js";
import { readTable } from "../tables/table.js";
import { type GivenTable, type Inputs, tableName, tableRequest } from "./table-options.js";

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

type PairKinds<Kinds extends ColumnKinds, Side extends string> = Kinds & {
  readonly metric: typeof text;
} & { readonly [One in Side]: typeof score };

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
  // The sides are columns of their own.
  const kinds = { ...columns, metric: text, [one]: score, [other]: score } as unknown as PairKinds<
    Kinds,
    Side
  >;
  /**
   * @throws InputError as `readTable` does; of two columns a metric for one that has one side only, or a side
   *   twice; and where there is none.
   */
  return async (given: GivenTable & { readonly wide: boolean }, inputs: Inputs) => {
    const request = await tableRequest(given, inputs);
    if (!given.wide) {
      const shape = { kinds, unique: ["id", "metric"], otherShape: pairedShape(sides) };
      return { ...(await readTable({ ...request, shape })), kinds };
    }
    const name = tableName(given);
    const { map = {} } = request;
    const markers = sides.map((side) => (Object.hasOwn(map, side) ? (map[side] ?? side) : side));
    const shape = {
      kinds,
      unique: ["id"],
      sideBySide: {
        given(found: readonly string[]) {
          const metrics = pairedColumns(found, markers);
          checkPairs(metrics, { markers, found, name });
          return new Map(
            [...metrics].map(([metric, [[first], [second]]]) => [metric, [first, second]]),
          );
        },
        name: "metric",
        values: sides,
      },
    };
    return { ...(await readTable({ ...request, shape })), kinds };
  };
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
export function pairedColumns(
  columns: readonly string[],
  markers: readonly string[],
): Map<string, Pair> {
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
