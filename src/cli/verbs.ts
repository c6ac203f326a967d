import type { Verb } from "./command.js";

/** The verbs that exist, in the order in which --help lists them. A new verb is one line here. */
export const verbs: readonly Verb[] = [
  {
    name: "analyze",
    summary: "draw conclusions from scores you have already, in a CSV, JSONL or Parquet",
    load: () => import("./commands/analyze.js"),
  },
  {
    name: "example",
    summary: "print a small sample of the table that a verb reads",
    load: () => import("./commands/example.js"),
  },
  {
    name: "doctor",
    summary: "say what is installed, what is missing and what to do about it",
    load: () => import("./commands/doctor.js"),
  },
  {
    name: "init",
    summary: "write a touchstone.config.yaml with comments",
    load: () => import("./commands/init.js"),
  },
];
