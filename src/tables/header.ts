import { InputError, MissingColumns, UnknownColumns } from "../core/errors.js";
import { nearest } from "../core/nearest.js";
import { listText } from "../core/phrases.js";
import { shellWord } from "../core/shell-word.js";
import type { ColumnKind, ColumnKinds } from "./columns.js";
import { quoted } from "./format.js";
import { partsOf } from "./nested-value.js";
import { knownAs } from "./other-names.js";
import { isIdentifier } from "./rater-names.js";

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

/** @throws InputError where two columns have one name that is asked for. */
export function checkHeader(
  names: readonly string[],
  name: string,
  isAsked: (column: string) => boolean,
): void {
  const seen = new Set<string>();
  const twice = names.find((column) => isAsked(column) && (seen.has(column) || !seen.add(column)));
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

/**
 * Says in a sentence which flag reads a table with these columns; undefined where none is known to.
 * `areNamed`: columns by other names stand for all that are missing.
 */
export type OtherShape = (columns: readonly string[], areNamed: boolean) => string | undefined;

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
      column: column ?? kind.column ?? target,
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
  const message =
    `Expected the column${names.length === 1 ? "" : "s"} ${names.join(", ")} in ${name} ` +
    `but found ${listed([...seen])}`;
  const hint = shapeHint(missing, { seen, wanted, otherShape });
  if (hint !== undefined) throw new MissingColumns(message, { columns: [...seen], hint });
  const map = mapFlag(missing[0]?.target ?? "", "my_column");
  throw new UnknownColumns(message, {
    columns: [...seen],
    hint: `If a column has another name, map it: ${map}`,
  });
}

/** Says how to read the table that came: other names of its columns, or a flag for its shape. */
function shapeHint(
  missing: readonly WantedColumn[],
  { otherShape, ...table }: NamedColumns & { otherShape: OtherShape | undefined },
): string | undefined {
  const other = notHeader([...table.seen]) ?? hiddenHint(missing, table.seen);
  if (other !== undefined) return other;
  const flags = mapFlags(missing, table);
  const areNamed = flags.length === missing.length && missing.length > 1;
  if (table.seen.has("key") && table.seen.has("0")) {
    return 'Rows go across, or have no names of columns: pandas writes both by df.to_json(FILE, orient="records")';
  }
  if (table.seen.has("key") && table.seen.has("step_version")) {
    return "These are records of a run. The rows behind its report: touchstone report RUN --tables DIR; of an audit: touchstone audit CONFIG --run RUN --out FILE.csv";
  }
  const shape = otherShape?.([...table.seen], areNamed);
  if (shape !== undefined) return shape;
  if (flags.length === 0) return undefined;
  const mapped = new Set(flags.map((flag) => /--map '?([^=]+)=/.exec(flag)?.[1]));
  const left = missing.flatMap(({ target }) => (mapped.has(target) ? [] : [target]));
  const more =
    left.length === 0 ? "" : `; no column looks like ${listText(left)}: add or map it, too`;
  return `If a column has another name, map it: ${flags.join(" ")}${more}`;
}

/** Says what stands in the first line where that is no header: nothing, a comment, a title, or other separators. */
function notHeader(seen: readonly string[]): string | undefined {
  const [first = ""] = seen;
  const next = "the header must be the first line";
  const isNumbered = first === "#" && seen.length > 1;
  if (!isNumbered && /^(#|\/\/|%)/.test(first))
    return `Line 1 is a comment (${quoted(first)}): remove it; ${next}`;
  const unnamed = seen.filter((name, at) => name === `column ${at + 1}`).length;
  if (unnamed === seen.length) return `Line 1 is blank: remove it; ${next}`;
  if (seen.length === 1 && /\||\S {2,}\S/.test(first))
    return `Line 1 (${quoted(first)}) has no comma, semicolon or tab between names: separate fields by one of these`;
  if (seen.length === 1 && /\s/.test(first))
    return `Line 1 may be a title (${quoted(first)}), and the header line 2: remove what stands above it; ${next}`;
  return unnamed > 0 && unnamed === seen.length - 1
    ? `Line 1 is a title (${quoted(first)}), and the header may be line 2: remove what stands above it; ${next}`
    : undefined;
}

/** Says how a name that looks the same differs from the one asked for: by signs that can't be seen, or its accents. */
function hiddenHint(
  missing: readonly WantedColumn[],
  seen: ReadonlySet<string>,
): string | undefined {
  for (const { target, column } of missing) {
    const found = [...seen].find((name) => name !== column && shownAs(name) === shownAs(column));
    if (found === undefined) continue;
    const hidden = [...found].filter((sign) => /\p{Cf}/u.test(sign));
    const code = hidden.map((sign) => `U+${sign.codePointAt(0)?.toString(16).toUpperCase()}`)[0];
    return code === undefined
      ? `${column} is there with its accents in another form of Unicode: ${mapFlag(target, found)}`
      : `${column} is there with a character that can't be seen (${code}): remove it from the header, or map it: --map $'${target}=${found.replace(/\p{Cf}/gu, escaped)}'`;
  }
  return undefined;
}

/** A name as it looks. */
const shownAs = (name: string) =>
  name
    .normalize("NFC")
    .replace(/\p{Cf}/gu, "")
    .trim();

const escaped = (sign: string) => `\\u${sign.codePointAt(0)?.toString(16).padStart(4, "0")}`;

const mapFlag = (target: string, column: string) => `--map ${shellWord(`${target}=${column}`)}`;

interface NamedColumns {
  readonly seen: ReadonlySet<string>;
  readonly wanted: readonly WantedColumn[];
}

/** The flags that read each missing column from the one that is likely meant, as far as names tell. */
function mapFlags(missing: readonly WantedColumn[], { seen, wanted }: NamedColumns): string[] {
  const taken = wanted.map(({ column }) => column);
  const unused = new Set([...seen].filter((column) => !taken.includes(column)));
  const meant = new Map<string, string>();
  const take = (target: string, column: string | undefined) => {
    if (column === undefined || meant.has(target)) return;
    meant.set(target, column);
    unused.delete(column);
  };
  for (const { target } of missing) if (seen.has(target)) take(target, target);
  for (const { target } of missing) take(target, knownAs(target, unused)[0]);
  for (const { target, column } of missing) take(target, nearest(column, unused));
  const left = missing.filter(({ target }) => !meant.has(target));
  // By elimination, but no column is what its name says it isn't.
  const [last, ...more] = left;
  const others = [...unused].filter((column) => isIdentifier(column) === (last?.target === "id"));
  if (more.length === 0 && others.length === 1) take(last?.target ?? "", others[0]);
  return missing.flatMap(({ target }) => {
    const column = meant.get(target);
    return column === undefined ? [] : [mapFlag(target, column)];
  });
}

const mostListed = 50;

const listed = (names: readonly string[]) =>
  names.length <= mostListed
    ? names.join(", ")
    : `${names.slice(0, mostListed).join(", ")} and ${names.length - mostListed} more`;
