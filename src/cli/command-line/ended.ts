const oneWriter =
  "One process collects a run, in a folder: touchstone run resume DIR. See docs/scale.md.";

/** Verbs and flags of earlier versions, each with what to do instead. */
const ended: ReadonlyMap<string, string> = new Map([
  ["worker", `Workers ended with 0.2. ${oneWriter}`],
  ["--workers-only", `Workers ended with 0.2. ${oneWriter}`],
]);

/** What to do instead of a verb or flag that ended; undefined for any other word. */
export const insteadOf = (word: string): string | undefined => ended.get(word);
