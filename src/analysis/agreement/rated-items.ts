import { InputError } from "../../core/errors.js";
import { rowsByCode } from "../../core/row-codes.js";
import type { TextColumn } from "../../core/text-column.js";
import { inOrder, orderOf } from "../inference/sorted-names.js";
import type { RatedItems } from "./pairwise-agreement.js";

/** The names of all annotators; null where no row has one. */
export function annotatorsOf(annotator: TextColumn, item: TextColumn): string[] | null {
  const rows = annotator.codes.length;
  const unnamed = annotator.codes.reduce((count, code) => (code < 0 ? count + 1 : count), 0);
  if (unnamed === rows && rows > 0) return null;
  if (unnamed === 0) return inOrder(annotator.names);
  const first = item.names[item.codes[annotator.codes.indexOf(-1)] ?? -1] ?? "";
  throw new InputError(
    `Expected an annotator in every row or in none but ${unnamed} of ${rows} ` +
      `rows have none, the first of item "${first}"`,
    {
      hint: "Name the annotators of these ratings, or remove the column; raters are then anonymous",
    },
  );
}

/** Ratings of each item, items in the order of their names, those of an item in the order of their annotators. */
export function ratedItems(
  { item, annotator, value }: Readonly<Record<"item" | "annotator" | "value", TextColumn>>,
  {
    categories,
    annotators,
  }: { readonly categories: readonly string[]; readonly annotators: readonly string[] | null },
): RatedItems {
  const placesOf = (names: readonly string[], all: readonly string[]) => {
    const places = new Map(all.map((name, place) => [name, place]));
    return Int32Array.from(names, (name) => places.get(name) ?? -1);
  };
  const positions = placesOf(value.names, categories);
  // The number says nothing about anonymous ratings.
  const numbers = annotators && placesOf(annotator.names, annotators);
  const { start: from, rows } = rowsByCode({ codes: item.codes, count: item.names.length });
  const order = orderOf(item.names);
  const start = new Int32Array(order.length + 1);
  const number = new Int32Array(rows.length);
  const position = new Int32Array(rows.length);
  let end = 0;
  for (const [at, code] of order.entries()) {
    const its = rows.subarray(from[code], from[code + 1]);
    const numberOf = (row: number) => numbers?.[annotator.codes[row] ?? -1] ?? 0;
    for (const row of its.sort((a, b) => numberOf(a) - numberOf(b) || a - b)) {
      const category = positions[value.codes[row] ?? -1] ?? -1;
      if (category < 0) continue;
      number[end] = numberOf(row);
      position[end] = category;
      end += 1;
    }
    start[at + 1] = end;
  }
  return { start, number: number.subarray(0, end), position: position.subarray(0, end) };
}

/** The items with so many ratings or more. */
export function itemsWith({ start }: RatedItems, least: number): Int32Array {
  const items = Int32Array.from({ length: start.length - 1 }, (_, item) => item);
  return items.filter((item) => (start[item + 1] ?? 0) - (start[item] ?? 0) >= least);
}

/** Tests if all rated items have the same number of ratings, two or more. */
export function isEven({ start }: RatedItems): boolean {
  const lengths = new Set<number>();
  for (let item = 0; item < start.length - 1; item++) {
    lengths.add((start[item + 1] ?? 0) - (start[item] ?? 0));
  }
  lengths.delete(0);
  return lengths.size === 1 && !lengths.has(1);
}
