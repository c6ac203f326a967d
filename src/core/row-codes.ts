import { nameCount, type TextColumn } from "./text-column.js";

/** Numbers of values by row, from 0 up to `count`: equal values have the same, and -1 stands for none. */
export interface RowCodes {
  readonly codes: Int32Array;
  readonly count: number;
}

/** The codes of a column of texts. */
export const coded = (column: TextColumn): RowCodes => ({
  codes: column.codes,
  count: nameCount(column),
});

/** The codes of a column of texts, with one of its own for no text. */
export const codesWithNone = (column: TextColumn): RowCodes => {
  const none = nameCount(column);
  const codes = column.codes.slice();
  for (let row = 0; row < codes.length; row++) if ((codes[row] ?? -1) < 0) codes[row] = none;
  return { codes, count: none + 1 };
};

/** The rows of code c are `rows[start[c]]` up to `rows[start[c + 1]]`, in order; rows without one are left out. */
export interface RowsByCode {
  readonly start: Int32Array;
  readonly rows: Int32Array;
}

export function rowsByCode({ codes, count }: RowCodes): RowsByCode {
  const start = new Int32Array(count + 1);
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] ?? -1;
    if (code >= 0) start[code + 1] = (start[code + 1] ?? 0) + 1;
  }
  for (let code = 0; code < count; code++) {
    start[code + 1] = (start[code + 1] ?? 0) + (start[code] ?? 0);
  }
  const next = start.slice();
  const rows = new Int32Array(start[count] ?? 0);
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] ?? -1;
    if (code < 0) continue;
    const at = next[code] ?? 0;
    rows[at] = row;
    next[code] = at + 1;
  }
  return { start, rows };
}

/** Numbers of pairs of values; -1 where either is none. Linear: no pair is looked up. */
export function codesTogether(one: RowCodes, other: RowCodes): RowCodes {
  // Rows come in the order of the first value. By the second: which first one it was met with last, and their number.
  const metWith = new Int32Array(other.count).fill(-1);
  const pairOf = new Int32Array(other.count);
  const codes = new Int32Array(one.codes.length).fill(-1);
  let count = 0;
  const { rows } = rowsByCode(one);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? 0;
    const first = one.codes[row] ?? -1;
    const second = other.codes[row] ?? -1;
    if (second < 0) continue;
    if (metWith[second] !== first) {
      metWith[second] = first;
      pairOf[second] = count;
      count += 1;
    }
    codes[row] = pairOf[second] ?? 0;
  }
  return { codes, count };
}

/** The same codes numbered in the order in which they first occur; those of no row are left out. */
export function inOrderOfRows({ codes, count }: RowCodes): RowCodes {
  const place = new Int32Array(count).fill(-1);
  let found = 0;
  const numbered = new Int32Array(codes.length).fill(-1);
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] ?? -1;
    if (code < 0) continue;
    if (place[code] === -1) {
      place[code] = found;
      found += 1;
    }
    numbered[row] = place[code] ?? 0;
  }
  return { codes: numbered, count: found };
}

/** The numbers at some places. */
export function picked<Numbers extends Float64Array | Int32Array>(
  numbers: Numbers,
  places: Int32Array | Uint32Array,
): Numbers {
  const Kind = numbers.constructor as new (length: number) => Numbers;
  const found = new Kind(places.length);
  for (let at = 0; at < places.length; at++) found[at] = numbers[places[at] ?? 0] ?? 0;
  return found;
}

/** The texts of some rows, in the order in which these first have them. */
export function pickedTexts({ codes, names }: TextColumn, rows: Int32Array): TextColumn {
  const its = picked(codes, rows);
  const { codes: numbered, count } = inOrderOfRows({ codes: its, count: names.length });
  const found = new Array<string>(count);
  for (let at = 0; at < numbered.length; at++) {
    const code = numbered[at] ?? -1;
    if (code >= 0) found[code] ??= names[its[at] ?? 0] ?? "";
  }
  return { codes: numbered, names: found };
}

/** Some rows by their text, in the order in which these first have it; rows without one are left out. */
export function rowsByText(column: TextColumn, rows: Int32Array): [string, Int32Array][] {
  const { codes, names } = pickedTexts(column, rows);
  const { start, rows: places } = rowsByCode({ codes, count: names.length });
  return names.map((name, at) => [name, picked(rows, places.subarray(start[at], start[at + 1]))]);
}

/** The places at which all of some columns have a number. */
export function placesWith(
  length: number,
  wanted: readonly (Float64Array | undefined)[],
): Int32Array {
  const places = new Int32Array(length);
  for (let place = 0; place < length; place++) places[place] = place;
  return wanted.reduce<Int32Array>(placesOf, places);
}

/** Those of some places at which a column has a number; they are written over. */
function placesOf(places: Int32Array, column: Float64Array | undefined): Int32Array {
  if (column === undefined) return new Int32Array();
  let count = 0;
  for (let at = 0; at < places.length; at++) {
    const place = places[at] ?? 0;
    if (Number.isNaN(column[place] ?? Number.NaN)) continue;
    places[count] = place;
    count += 1;
  }
  return places.subarray(0, count);
}
