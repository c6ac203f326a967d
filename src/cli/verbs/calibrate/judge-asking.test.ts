import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { imageServer } from "../../../../test/support/image-server.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { runCommandLine } from "../../main.js";
import { hostingFor } from "../../models/hosting.js";
import { chooseModel } from "../../models/model-choice.js";
import { samplesOf, usualSamples } from "./judge-asking.js";

test("a model that never gives log-probabilities is asked several times, unless told how often", async () => {
  const variables = { ANTHROPIC_API_KEY: "a", GEMINI_API_KEY: "g" };
  const hosting = hostingFor({ variables, workingDirectory: "." });
  const { model } = await chooseModel("anthropic:claude", {}, hosting);
  expect(samplesOf(model, undefined)).toBe(usualSamples);
  expect(samplesOf(model, 2)).toBe(2);
  const other = await chooseModel("gemini:some", {}, hosting);
  expect(samplesOf(other.model, undefined)).toBeUndefined();
});

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

test("a model that was made for another task is refused before anything is opened or asked", async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "q.csv"), "image,question,answer\nnone.png,Is it good?,yes\n");
  await writeFile(join(directory, "r.csv"), "image,text,rating\nnone.png,An owl,3\n");
  await writeFile(
    join(directory, "p.csv"),
    "id,caption,image_a,image_b,preferred\n1,An owl,none.png,none.png,a\n",
  );
  const refusal = async (labels: string, model: string) => {
    const environment = fakeEnvironment({ workingDirectory: directory });
    const code = await runCommandLine(["calibrate", labels, "--model", model], environment);
    expect(code).toBe(2);
    const stderr = environment.written.stderr.replace(/\s+/g, " ");
    expect(stderr).not.toContain("none.png");
    return stderr;
  };
  expect(await refusal("q.csv", "lab:judge")).toMatch(
    /a model that judges questions of yes or no for --model but received lab:judge@\w+, which judges pairs alone In the lab lab:vqa .* openai-compatible:NAME/,
  );
  expect(await refusal("r.csv", "lab:judge")).toContain("In the lab lab:rater (--pool ordinal-4)");
  expect(await refusal("p.csv", "lab:rater")).toContain("In the lab lab:judge");
  expect(await refusal("p.csv", "lab:auditor")).toContain("which answers rubrics of audits alone");
  expect(await refusal("r.csv", "lab:vqa")).toContain("In the lab lab:rater");
});
