/**
 * How long a provider asks to wait, in milliseconds, from a header Retry-After in seconds or as an
 * HTTP date (RFC 9110, 10.2.3); `undefined` where it says neither.
 *
 * @param now milliseconds since 1970
 * @example retryAfter("1.5", 0) // 1500
 */
export function retryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // Only dates: the parser of Date takes all sorts of words and numbers.
  if (!/^[A-Z][a-z]{2},? /.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
