import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../test/support/fake-environment.js";
import { imageServer } from "../../../test/support/image-server.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { runCommandLine } from "../run-command-line.js";

test("flags of prompts are refused of a model that is asked the question alone", async () => {
  const directory = await temporaryDirectory();
  await imageServer({ directory, images: 4 });
  const rows = Array.from(
    { length: 4 },
    (_, at) => `${at}.png,Is it good?,${at % 2 ? "yes" : "no"}`,
  );
  await writeFile(join(directory, "q.csv"), ["image,question,answer", ...rows].join("\n"));
  const calibrate = async (...words: readonly string[]) => {
    const environment = fakeEnvironment({ workingDirectory: directory });
    const model = ["--model", "lab:vqa"];
    const code = await runCommandLine(["calibrate", "q.csv", ...model, ...words], environment);
    return { code, stderr: environment.written.stderr.replace(/\s+/g, " ") };
  };
  for (const [flag, value] of [
    ["--pool", "yes-no"],
    ["--prompts", "20"],
    ["--samples", "3"],
  ] as const) {
    const { code, stderr } = await calibrate(flag, value);
    expect(code, flag).toBe(2);
    expect(stderr).toContain(`Expected no ${flag} for lab:vqa`);
    expect(stderr).toContain("is asked the question as it stands, once");
  }
  // It is asked all the same, though it can't read these images.
  const { stderr } = await calibrate();
  expect(stderr).not.toContain("Expected no --");
  expect(stderr).toContain("4 to do");
});
