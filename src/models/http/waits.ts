import type { Random } from "../../core/random.js";

const [minute, day] = [60_000, 86_400_000];

/**
 * When a wait ends, for people: how long it still takes and the time of day on this machine.
 *
 * @param now milliseconds since 1970
 * @param wait milliseconds
 * @example endOfWait(Date.now(), 7000) // "in 7 s, at 14:03:07"
 */
export const endOfWait = (now: number, wait: number): string =>
  `in ${Math.round(wait / 1000)} s, at ${new Date(now + wait).toLocaleTimeString("en-GB")}`;

/**
 * How long a wait is that nobody waits for.
 *
 * @example longWait(7_200_000) // "120 minutes"
 */
export function longWait(wait: number): string {
  if (!Number.isFinite(wait)) return "without end";
  return wait > 2 * day ? `${Math.round(wait / day)} days` : `${Math.ceil(wait / minute)} minutes`;
}

const firstWait = 1000;
const longestWait = 60_000;

/**
 * How long to wait after a failure, in milliseconds: uniform on [0, min(60 s, 1 s x 2^(failures - 1))],
 * the "full jitter" of Brooker (2015, "Exponential Backoff And Jitter"), so that many calls that
 * failed together do not come back together.
 *
 * @param failures how often the call has failed, at least 1
 */
export const backoff = (failures: number, random: Pick<Random, "between">): number =>
  random.between(0, Math.min(longestWait, firstWait * 2 ** (failures - 1)));

/** Milliseconds of a unit, by the first letters of its name. */
const units: readonly (readonly [name: RegExp, milliseconds: number])[] = [
  [/^(ms|milli)/i, 1],
  [/^s/i, 1000],
  [/^m/i, 60_000],
  [/^h/i, 3_600_000],
  [/^d/i, 86_400_000],
];

const part =
  "\\d+(?:\\.\\d+)?\\s*(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?)";
const duration = `(?:${part}\\s*)+(?![a-z])`;
const wholly = new RegExp(`^${duration}$`, "i");
const parts = new RegExp(part, "gi");
/** "Please retry in 34.1s", "try again in 6m0s", "retry after 20 seconds", "wait 3 minutes". */
const inWords = new RegExp(`\\b(?:re-?try|try again|wait)\\b[^\\d.;]{0,30}(${duration})`, "i");
/** Members of an error that hold a wait: a duration (google.rpc.RetryInfo), or seconds. */
const inMembers =
  /"(?:retryDelay|retry_?after(?:_?seconds)?|estimated_time)"\s*:\s*"?(\d+(?:\.\d+)?[a-z]*)"?/i;

/**
 * How long a provider asks to wait before the next call, in milliseconds: by the headers `retry-after-ms`
 * and `retry-after` (seconds, a duration or an HTTP date, RFC 9110, 10.2.3), by the error's members, by its
 * words, or by when a limit of which nothing is left (`…ratelimit…remaining…`) is filled again (`…reset…`). `undefined` where nothing is said, or
 * a wait that is over already: who says so leaves the wait to the caller.
 *
 * @param now milliseconds since 1970
 * @example askedWait({ headers: new Headers({ "retry-after": "1.5" }), text: "" }, 0) // 1500
 */
export function askedWait(
  { headers, text }: { readonly headers: Headers; readonly text: string },
  now: number,
): number | undefined {
  const said = [
    ...[...headers].map(([name, value]) =>
      name.endsWith("retry-after-ms") ? milliseconds(value, 1) : undefined,
    ),
    ofHeader(headers.get("retry-after"), now),
    milliseconds(inMembers.exec(text.slice(0, longest))?.[1], 1000),
    milliseconds(inWords.exec(text.slice(0, longest))?.[1], undefined),
    ...[...headers].map(([name, value]) => {
      const left = /ratelimit.*reset/.test(name)
        ? headers.get(name.replace("reset", "remaining"))
        : null;
      return left === null || Number(left) > 0 ? undefined : untilReset(value, now);
    }),
  ];
  return said.find((wait) => wait !== undefined && wait > 0);
}

/** An error is no longer; of what is, the beginning is looked at. */
const longest = 10_000;

/** A limit's reset as providers say it: a duration, seconds, or a moment (ISO, seconds or milliseconds since 1970). */
function untilReset(said: string, now: number): number | undefined {
  if (/^\d{4}-\d\d-\d\dT/.test(said)) return Date.parse(said) - now;
  const number = /^\d+(\.\d+)?$/.test(said) ? Number(said) : undefined;
  if (number === undefined || number < 1e9) return milliseconds(said, 1000);
  return (number < 1e12 ? number * 1000 : number) - now;
}

function ofHeader(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? "";
  // Only dates: the parser of Date takes all sorts of words and numbers.
  if (!/^[A-Z][a-z]{2},? /.test(text)) return milliseconds(text, 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date - now;
}

/** @param bare milliseconds that a number without a unit stands for; such a one says nothing where not given */
function milliseconds(said: string | null | undefined, bare: number | undefined) {
  const text = said?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return bare === undefined ? undefined : Number(text) * bare;
  if (!wholly.test(text)) return undefined;
  return [...text.matchAll(parts)].reduce((sum, [each]) => sum + ofPart(each), 0);
}

function ofPart(text: string): number {
  const [, number = "", unit = ""] = /^([\d.]+)\s*(.*)$/.exec(text) ?? [];
  return Number(number) * (units.find(([name]) => name.test(unit))?.[1] ?? 0);
}
