/**
 * The text of JSON with whole numbers beyond 2^53 as texts, as they stand: parsed, two ids of 64 bits would
 * become one. Costs nothing where no number is that long.
 *
 * @example withLongNumbers('{"id": 9007199254740993}') // '{"id": "9007199254740993"}'
 */
export function withLongNumbers(json: string): string {
  if (!/(?<![.\d])\d{16}/.test(json)) return json;
  return json.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
}
