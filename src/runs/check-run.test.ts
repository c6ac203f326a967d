import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scriptedOpenAi } from "../../test/support/scripted-openai.js";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../test/support/touchstone-here.js";

test("the placebos of a run are forecast, kept beside it and not asked again", async () => {
  const workingDirectory = await temporaryDirectory();
  const server = await scriptedOpenAi({
    // It never looks at the image.
    chat: ({ texts }) => {
      const p = 0.1 + (texts.join("").length % 40) / 50;
      return { text: "Yes", probabilities: { Yes: p, No: 1 - p } };
    },
  });
  const variables = { ...server.variables, XDG_CACHE_HOME: join(workingDirectory, "cache") };
  const run = (...words: readonly string[]) =>
    touchstoneHere(words, { variables, workingDirectory });
  await run(
    ...["build", "--prompts", "12", "--domain", "objects", "--drawable-by", "lab:painter"],
    ...["--run", "run"],
  );
  await run("generate", "--run", "run", "--model", "openai-images:painter", "--samples", "1");
  const before = server.received.length;
  const score = ["score", "run", "--metric", "vqa-score=openai-compatible:tiny"];
  const { code, stdout, stderr } = await run(...score);
  expect(code).toBe(0);
  const said = [...stderr.matchAll(/about (\d+) calls?/g)];
  const forecast = said.reduce((sum, [, calls]) => sum + Number(calls), 0);
  expect(forecast).toBe(server.received.length - before + server.sights.length);
  expect(stdout.replace(/\s+/g, " ")).toContain("is not shown to look at its images");
  const kept = () => readFile(join(workingDirectory, "run/sanity.json"), "utf8");
  const found = await kept();
  const asked = server.received.length;
  await rm(variables.XDG_CACHE_HOME, { recursive: true });
  expect((await run("run", "resume", "run")).code).toBe(0);
  expect(server.received.length).toBe(asked);
  expect(JSON.parse(await kept()).metrics).toEqual(JSON.parse(found).metrics);
  const report = await run("report", "run", "--json", "--fail-on", "defect");
  expect(report.code).toBe(4);
  const { sanity } = JSON.parse(report.stdout);
  expect(sanity.metrics["vqa-score=openai-compatible:tiny"]).toMatchObject({ state: "defect" });
  expect(sanity.models["openai-compatible:tiny"].sight.state).toBe("sees");
});
