const oneFolder =
  "A run is a folder that one process collects: touchstone run resume DIR. One in a database is copied into a " +
  "folder by version 0.2.0: run copy ADDRESS DIR";

/** Verbs and flags of earlier versions, each with what to do instead. */
const ended: ReadonlyMap<string, string> = new Map(
  ["worker", "--workers-only", "run copy", "--store", "--blobs"].map((word) => [word, oneFolder]),
);

/** What to do instead of a verb or flag that ended; undefined for any other word. */
export const insteadOf = (word: string): string | undefined => ended.get(word);
