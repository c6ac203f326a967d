/** A value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json };

/** Levels of nesting that are read, so that every engine refuses the same: some have no limit, others a stack. */
export const mostLevels = 100;

/** Tells whether a value holds arrays or objects more than so many levels within each other. */
export const isDeep = (value: unknown, levels = mostLevels): boolean =>
  value instanceof Object &&
  (levels === 0 || Object.values(value).some((inner) => isDeep(inner, levels - 1)));

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
  const members = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] as Json)}`);
  return `{${members.join(",")}}`;
}

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value);
