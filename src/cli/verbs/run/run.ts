import { commandGroup } from "../../command-line/command.js";

export default commandGroup({
  description:
    "A run is a folder that demo, build, generate and score write to. It can be stopped at any moment, " +
    "resumed and checked.",
  examples: ["touchstone run status runs/demo", "touchstone run resume runs/demo"],
  verbs: [
    {
      name: "resume",
      summary: "resume a run: ask only for what is missing",
      load: () => import("./run-resume.js"),
    },
    {
      name: "plan",
      summary: "write the tasks of a run as parts, for other machines",
      load: async () => ({ default: (await import("./run-parts.js")).plan }),
    },
    {
      name: "perform",
      summary: "perform parts of a run on any machine",
      load: () => import("./run-perform.js"),
    },
    {
      name: "finish",
      summary: "take the results of parts into the run",
      load: async () => ({ default: (await import("./run-parts.js")).finish }),
    },
    {
      name: "status",
      summary: "show a run's progress, cost and running processes",
      load: () => import("./run-status.js"),
    },
    {
      name: "exclude",
      summary: "leave triplets out of a run's conclusions, by hand",
      load: () => import("./run-exclude.js"),
    },
    {
      name: "export",
      summary: "write a run's records as Parquet tables",
      load: () => import("./run-export.js"),
    },
    {
      name: "verify",
      summary: "check every record, key and image of a run",
      load: () => import("./run-verify.js"),
    },
    {
      name: "explain",
      summary: "show how one score was made: image, question, value, command",
      load: () => import("./run-explain.js"),
    },
    {
      name: "clean",
      summary: "remove unnamed runs (.touchstone)",
      load: () => import("./run-clean.js"),
    },
  ],
});
