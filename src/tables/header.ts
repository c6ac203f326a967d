import { InputError } from "../core/errors.js";
import { nearest } from "../core/nearest.js";
import type { ColumnKind, ColumnKinds } from "./columns.js";
import { quoted } from "./format.js";
import { partsOf } from "./nested-value.js";
import { knownAs } from "./other-names.js";

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
  const seen = new Set<string>();
  const twice = names.find((column) => seen.has(column) || !seen.add(column));
  if (twice === undefined) return;
  throw new InputError(
    `Expected each column once but ${quoted(twice)} is there twice (in ${name})`,
  );
}

/** A column that is asked for. */
export interface WantedColumn {
  /** The name that was asked for. */
  readonly target: string;
  /** The name in the table. */
  readonly column: string;
  readonly kind: ColumnKind<unknown>;
  readonly isMapped: boolean;
  /** Whether its name may lead into objects, or join columns. */
  readonly mayLeadOn: boolean;
}

/** Which flag reads a table with these columns, a sentence; undefined where none is known to. */
export type OtherShape = (columns: readonly string[]) => string | undefined;

/** The columns that are asked for, under the names that the map says. */
export function wantedColumns(
  columns: ColumnKinds,
  map: Readonly<Record<string, string>>,
): WantedColumn[] {
  return Object.entries(columns).map(([target, kind]) => {
    // A column may be called "constructor", which every object has.
    const column = Object.hasOwn(map, target) ? map[target] : undefined;
    return {
      target,
      column: column ?? target,
      kind,
      isMapped: column !== undefined,
      mayLeadOn: /[.+]/.test(column ?? target),
    };
  });
}

/** @throws InputError naming the columns that are missing and those that are there. */
export function checkColumns({
  wanted,
  seen,
  name,
  otherShape,
}: {
  wanted: readonly WantedColumn[];
  seen: ReadonlySet<string>;
  name: string;
  otherShape?: OtherShape | undefined;
}): void {
  const missing = wanted.filter(
    ({ column, kind, isMapped }) =>
      (kind.isRequired || isMapped) &&
      !seen.has(column) &&
      !(column.includes("+") && partsOf(column).every((part) => seen.has(part))),
  );
  if (missing.length === 0) return;
  const names = missing.map(({ target, column }) =>
    target === column ? target : `${column} (mapped to ${target})`,
  );
  throw new InputError(
    `Expected the column${names.length === 1 ? "" : "s"} ${names.join(", ")} in ${name} ` +
      `but found ${listed([...seen])}`,
    {
      hint:
        otherShape?.([...seen]) ??
        `If a column has another name, map it: ${mapHint(missing, { seen, wanted })}`,
    },
  );
}

/** The flags that read each missing column from the one that is likely meant, as far as names tell. */
function mapHint(
  missing: readonly WantedColumn[],
  { seen, wanted }: { seen: ReadonlySet<string>; wanted: readonly WantedColumn[] },
): string {
  const taken = wanted.map(({ column }) => column);
  const unused = new Set([...seen].filter((column) => !taken.includes(column)));
  const flags = missing.flatMap(({ target, column }) => {
    const meant = seen.has(target)
      ? target
      : (nearest(column, unused) ??
        (missing.length === 1 && unused.size === 1 ? [...unused] : knownAs(target, unused))[0]);
    if (meant === undefined) return [];
    unused.delete(meant);
    return [`--map ${target}=${meant}`];
  });
  return flags.length > 0 ? flags.join(" ") : `--map ${missing[0]?.target}=my_column`;
}

const mostListed = 50;

const listed = (names: readonly string[]) =>
  names.length <= mostListed
    ? names.join(", ")
    : `${names.slice(0, mostListed).join(", ")} and ${names.length - mostListed} more`;
