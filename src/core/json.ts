/** A value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json };

/** Levels of nesting that are read, so that every engine refuses the same: some have no limit, others a stack. */
export const mostLevels = 100;

/** Tells whether a value holds arrays or objects more than so many levels within each other. */
export const isDeep = (value: unknown, levels = mostLevels): boolean =>
  value instanceof Object &&
  (levels === 0 || Object.values(value).some((inner) => isDeep(inner, levels - 1)));

/** Tells whether a value is an object with members: neither null nor an array. */
export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns a value as JSON has it: members that are undefined are left out. */
export function asJson(value: readonly unknown[]): readonly Json[];
export function asJson(value: object): JsonObject;
export function asJson(value: object): Json {
  return JSON.parse(JSON.stringify(value));
}

/**
 * JSON text with object members in code-unit order and no white space, so that equal values give
 * equal text (RFC 8785 for the values that occur here).
 *
 * @throws RangeError for NaN and infinities, which JSON can't hold.
 * @example canonicalJson({ b: 1, a: [true, null] }) // '{"a":[true,null],"b":1}'
 */
export function canonicalJson(value: Json): string {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new RangeError(`Expected a finite number for JSON but received ${value}`);
  }
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const { sorted, members, texts } = shapeOf(value);
  let text = "";
  for (let at = 0; at < sorted.length; at++) {
    const name = sorted[at] ?? "";
    const member = value[name];
    if (member === undefined) continue;
    let written = texts[at];
    const isKept =
      member === members[at] && (typeof member !== "object" || Object.isFrozen(member));
    if (written === undefined || !isKept) {
      written = `${nameText(name)}:${canonicalJson(member)}`;
      members[at] = member;
      texts[at] = written;
    }
    text += text === "" ? written : `,${written}`;
  }
  return `{${text}}`;
}

/** An object's names, those in code-unit order, and its members as they were written last; arrays only where frozen. */
interface Shape {
  readonly names: readonly string[];
  readonly sorted: readonly string[];
  readonly members: Json[];
  readonly texts: string[];
}

/** That of the object that came last: entries of a plan, which is long, all have the same, and most members alike. */
let last: Shape = { names: [], sorted: [], members: [], texts: [] };

function shapeOf(value: JsonObject): Shape {
  const names = Object.keys(value);
  if (!isSame(names, last.names)) {
    last = { names, sorted: names.toSorted(), members: [], texts: [] };
  }
  return last;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

const nameTexts = new Map<string, string>();
const mostNameTexts = 1000;

/** The JSON text of a member's name, which comes again and again. */
function nameText(name: string): string {
  const known = nameTexts.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify(name);
  if (nameTexts.size < mostNameTexts) nameTexts.set(name, text);
  return text;
}

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value);
