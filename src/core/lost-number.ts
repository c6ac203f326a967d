/**
 * A number in a JSON text that would be read as 0 and is none, such as 1e-400: nobody gave a 0.
 * `undefined` where there is none. What stands in strings is no number.
 *
 * @example lostNumber('{"score": 1e-400}') // "1e-400"
 */
export function lostNumber(text: string): string | undefined {
  // Most texts have none that could be: many digits behind a point, or an exponent of three. To look
  // for a word takes less than a pattern.
  if (text.length < 300 && !text.includes("e-") && !text.includes("E-")) return undefined;
  if (!/e-\d{3}|\d{300}/i.test(text)) return undefined;
  const bare = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  return bare.match(/\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi)?.find(isLost);
}

/** Whether the text of a number is read as 0 though one of its digits is not. */
export const isLost = (digits: string): boolean =>
  Number(digits) === 0 && /[1-9]/.test(digits.split(/e/i, 1)[0] ?? "");
