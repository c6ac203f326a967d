/** The text, or its beginning and end with … between them where it does not fit. */
export function middleLeftOut(text: string, isFitting: (short: string) => boolean): string {
  if (isFitting(text)) return text;
  const letters = [...text];
  for (let kept = letters.length - 1; kept > 1; kept--) {
    const start = letters.slice(0, Math.ceil(kept / 2)).join("");
    const end = letters.slice(letters.length - Math.floor(kept / 2)).join("");
    const short = `${start}…${end}`;
    if (isFitting(short)) return short;
  }
  return "…";
}

/**
 * Names so shortened that each fits and different ones stay different: where beginning and end are
 * not enough, the end that all have in common is left out, and as much of their beginning as must be.
 */
export function shortApart(
  names: readonly string[],
  isFitting: (short: string) => boolean,
): string[] {
  const short = names.map((name) => middleLeftOut(name, isFitting));
  if (new Set(short).size === new Set(names).size) return short;
  const letters = names.map((name) => [...name]);
  const [first = []] = letters;
  const shared = (of: (name: readonly string[], at: number) => string | undefined) => {
    const end = first.findIndex((_, at) =>
      letters.some((name) => at >= name.length || of(name, at) !== of(first, at)),
    );
    return end === -1 ? first.length : end;
  };
  const start = shared((name, at) => name[at]);
  const end = shared((name, at) => name[name.length - 1 - at]);
  const without = (left: number) =>
    letters.map((name) => {
      const rest = name.slice(left, Math.max(start, name.length - end)).join("");
      return `${left === 0 ? "" : "…"}${rest}${end === 0 ? "" : "…"}`;
    });
  for (let left = 0; left < start; left++) {
    const apart = without(left);
    if (apart.every(isFitting)) return apart;
  }
  return without(start).map((name) => middleLeftOut(name, isFitting));
}
