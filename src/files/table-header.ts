import { InputError } from "../core/errors.js";
import { nearest } from "../core/nearest.js";
import type { ColumnKinds } from "./table-columns.js";
import { quoted } from "./table-format.js";

/** @throws InputError where --map names a column that the table is not asked for. */
export function checkMap(map: Readonly<Record<string, string>>, wanted: readonly string[]): void {
  for (const target of Object.keys(map)) {
    if (wanted.includes(target)) continue;
    const meant = nearest(target, wanted);
    throw new InputError(
      `Expected one of ${wanted.join(", ")} before = in --map but received ${quoted(target)}`,
      meant === undefined ? {} : { hint: `Did you mean --map ${meant}=${map[target]}?` },
    );
  }
}

/** @throws InputError where two columns have one name. */
export function checkHeader(names: readonly string[], name: string): void {
  const twice = names.find((column, index) => names.indexOf(column) !== index);
  if (twice === undefined) return;
  throw new InputError(
    `Expected each column once but ${quoted(twice)} is there twice (in ${name})`,
  );
}

/** @throws InputError naming the columns that are missing and those that are there. */
export function checkColumns({
  columns,
  map,
  seen,
  name,
}: {
  columns: ColumnKinds;
  map: Readonly<Record<string, string>>;
  seen: ReadonlySet<string>;
  name: string;
}): void {
  const missing = Object.entries(columns)
    .filter(([target, { isRequired }]) => isRequired || map[target] !== undefined)
    .map(([target]) => ({ target, column: map[target] ?? target }))
    .filter(({ column }) => !seen.has(column));
  const [first] = missing;
  if (first === undefined) return;
  const taken = Object.keys(columns).flatMap((target) => map[target] ?? target);
  const unused = [...seen].filter((column) => !taken.includes(column));
  const meant = seen.has(first.target)
    ? first.target
    : (nearest(first.column, unused) ?? (unused.length === 1 ? unused[0] : "my_column"));
  const names = missing.map(({ target, column }) =>
    target === column ? target : `${column} (mapped to ${target})`,
  );
  throw new InputError(
    `Expected the column${names.length === 1 ? "" : "s"} ${names.join(", ")} in ${name} ` +
      `but found ${[...seen].join(", ")}`,
    { hint: `Where a column has another name, say so: --map ${first.target}=${meant}` },
  );
}
