import { commandGroup } from "../../command-line/command.js";

export default commandGroup({
  description:
    "Runs that were made by demo, build, generate and score: a run is a folder that can be stopped " +
    "at any moment, looked at, checked and gone on with, by several processes at a time.",
  verbs: [
    {
      name: "resume",
      summary: "resume a run: ask only for what is missing",
      load: () => import("./run-resume.js"),
    },
    {
      name: "status",
      summary: "show a run's progress, cost and running processes",
      load: () => import("./run-status.js"),
    },
    {
      name: "verify",
      summary: "check every record, key and image of a run",
      load: () => import("./run-verify.js"),
    },
  ],
});
