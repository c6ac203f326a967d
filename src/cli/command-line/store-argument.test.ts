import { expect, test } from "vitest";
import { storedWords } from "./store-argument.js";

test.each([
  // What it names may be the folder of an export; the verb itself says where a run is.
  ["query tables --tables", "query tables --tables"],
  ["run status demo", "run status demo --store postgres://me@db/t"],
  ["run copy demo other", "run copy demo other"],
  ["analyze swap a.csv", "analyze swap a.csv"],
])("%s in a store is %s", (words, stored) => {
  const store = "postgres://me:secret@db/t";
  expect(storedWords(words.split(" "), { store }).join(" ")).toBe(stored);
});
