import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { scriptedOpenAi } from "../../../../test/support/scripted-openai.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { runCommandLine } from "../../main.js";

test("a chat model filters from the rating that is asked; a filter that keeps nothing stops before the metrics", async () => {
  const directory = await temporaryDirectory();
  const { received, variables } = await scriptedOpenAi({
    chat: ({ schema }) =>
      schema === "rating"
        ? { text: '{"rating": 6}' }
        : { text: "Yes", probabilities: { Yes: 0.7, No: 0.3 } },
  });
  const touchstone = async (...words: readonly string[]) => {
    const environment = fakeEnvironment({ workingDirectory: directory, variables });
    return { code: await runCommandLine(words, environment), ...environment.written };
  };
  const build = ["build", "--prompts", "2", "--domain", "objects", "--drawable-by", "lab:painter"];
  expect(await touchstone(...build, "--run", "run")).toMatchObject({ code: 0 });
  expect(await touchstone("generate", "--run", "run", "--samples", "1")).toMatchObject({ code: 0 });
  await cp(join(directory, "run"), join(directory, "lenient"), { recursive: true });
  const judge = ["--metric", "vqa-score=openai-compatible:judge"];
  const rate = ["--rate-with", "openai-compatible:rater"];

  const stopped = await touchstone("score", "run", ...judge, ...rate);
  expect(stopped).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(
      /rated both images 8 or more of 10\s\(prompt-rating\) but the filter kept none of 2: objects 0 of 2/,
    ),
  });
  expect(stopped.stderr).toContain("Lower --keep-from");
  expect(received.filter(({ body }) => body.model === "judge")).toEqual([]);

  const kept = await touchstone("score", "lenient", ...judge, ...rate, "--keep-from", "6");
  expect(kept).toMatchObject({ code: 0 });
  const report = await touchstone("report", "lenient", "--json");
  expect(report).toMatchObject({ code: 0 });
  expect(await touchstone("report", "lenient", "--keep-from", "6.5")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("6.5 or more of 10"),
  });
  expect(await touchstone("score", "lenient", ...judge, "--keep-from", "6")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Expected --rate-with for --keep-from"),
  });
  const other = await touchstone("score", "run", ...judge, "--rate-with", "clip-score=lab:vqa");
  expect(other).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Expected prompt-rating or vqa-rating for --rate-with"),
  });
  const named = ["--rate-with", "vqa-rating=openai-compatible:rater", "--keep-from", "7"];
  await cp(join(directory, "run"), join(directory, "yes"), { recursive: true });
  expect(await touchstone("score", "yes", ...judge, ...named)).toMatchObject({ code: 2 });
});
