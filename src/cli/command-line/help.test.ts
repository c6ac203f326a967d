import { expect, test } from "vitest";
import { command } from "./command.js";
import { commandHelp } from "./help.js";

test("help keeps to its width however the program was called", () => {
  const described = command({
    description:
      "Measures one thing and then another, and says so. `touchstone example thing` prints a sample " +
      "of the table that it reads; `touchstone example other` prints another.",
    examples: ["touchstone measure table.csv"],
    arguments: { next: { kind: "switch", description: "say what touchstone measure --help says" } },
    async run() {},
  });
  const program = "/opt/long/path/to/bin/touchstone";
  const help = commandHelp("measure", described, { program, width: 60 });
  expect(help).toContain(`Usage: ${program} measure`);
  expect(help).toContain(`  ${program} measure table.csv`);
  expect(help.replaceAll(/\s+/g, " ")).toContain(`\`${program} example thing\` prints`);
  for (const line of help.split("\n")) expect(line.length).toBeLessThanOrEqual(60);
});
