import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { runCommandLine } from "../../main.js";

test.each([
  ["lab:rater", "lab:refiner", "for judge but received lab:rater@", "lab:auditor answers rubrics"],
  ["lab:auditor", "lab:judge", "for refiner but received lab:judge@", "lab:refiner rewrites"],
  ["lab:auditor", "lab:auditor", "which answers rubrics of audits alone", "lab:refiner rewrites"],
  ["lab:vqa", "lab:refiner", "a model that answers messages of text and images for judge", ""],
])(
  "judge %s and refiner %s are refused before anything is painted",
  async (judge, refiner, ...said) => {
    const workingDirectory = await temporaryDirectory();
    const config = `generators: [lab:painter-slight]\njudge: ${judge}\nrefiner: ${refiner}\n`;
    await writeFile(join(workingDirectory, "audit.yaml"), config);
    const environment = fakeEnvironment({ workingDirectory });
    expect(await runCommandLine(["audit", "audit.yaml", "--run", "run"], environment)).toBe(2);
    const stderr = environment.written.stderr.replace(/\s+/g, " ");
    for (const words of said) expect(stderr).toContain(words);
    expect(stderr).not.toContain("Painting");
  },
);
