import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { scriptedOpenAi } from "../../../../test/support/scripted-openai.js";
import {
  shownProblems,
  writerTask,
  writtenTriplet,
} from "../../../../test/support/scripted-writer.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";
import { runCommandLine } from "../../main.js";

/** A writer that breaks rules at first where an extra is counted, and always in a desert. */
async function writingServer() {
  return scriptedOpenAi({
    chat({ texts }) {
      const task = writerTask(texts);
      if (task === undefined) throw new Error("Expected a task");
      const triplet = writtenTriplet(task);
      const isSloppy = task.errorType === "count" && shownProblems(texts).length === 0;
      const isHopeless = task.environment === "in a desert";
      const said =
        isSloppy || isHopeless
          ? { ...triplet, correct: triplet.correct.replace(".", " near a house.") }
          : triplet;
      return { text: `Here it is:\n\`\`\`json\n${JSON.stringify(said)}\n\`\`\`` };
    },
  });
}

const build = [
  ...["build", "--run", "run", "--prompts", "40", "--domain", "animals"],
  ...["--writer", "openai-compatible:tiny"],
];

test("a chat model writes triplets within limits; what breaks a rule is asked again, then dropped and counted", async () => {
  const directory = await temporaryDirectory();
  const { received, variables } = await writingServer();
  const touchstone = async (...words: readonly string[]) => {
    return touchstoneHere(words, {
      workingDirectory: directory,
      variables: { ...variables, XDG_CACHE_HOME: join(directory, "cache") },
    });
  };
  const stopped = await touchstone(...build, "--max-calls", "5");
  expect(stopped.code).toBe(3);
  expect(stopped.stderr).toContain("touchstone run resume run");
  const asked = received.length;
  expect(asked).toBeGreaterThanOrEqual(5);

  expect((await touchstone("run", "resume", "run")).code).toBe(0);
  const said = JSON.parse((await touchstone(...build, "--json")).stdout);
  const prompts = (await readFile(join(directory, "run/records/01-build-prompts.jsonl"), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const dropped = prompts.filter(({ status }) => status !== "done");
  const counted = prompts.filter(
    ({ knob, environment }) => knob === "count" && environment !== "in a desert",
  );
  expect(prompts).toHaveLength(40);
  expect(dropped.length).toBeGreaterThan(0);
  expect(dropped.every(({ environment }) => environment === "in a desert")).toBe(true);
  expect(
    prompts.every(({ status, text }) => status !== "done" || /rests? quietly/.test(text)),
  ).toBe(true);
  expect(said).toMatchObject({
    prompts: 40 - dropped.length,
    unscored: dropped.length,
    writer: expect.stringMatching(/^openai-compatible:tiny at http:.*, wording /),
    dropped: { "no-buildings": dropped.length, "correct-copies-text": dropped.length },
    askedAgain: { triplets: dropped.length + counted.length },
  });
  // Three askings of what is dropped, two of what is put right, one of the rest.
  expect(received).toHaveLength(40 + 2 * dropped.length + counted.length);

  const again = await touchstone(...build);
  expect(again.code).toBe(0);
  expect(again.stdout).toMatch(/no-buildings +\d/);
  expect(again.stdout).toContain(`${said.askedAgain.triplets} triplets broke a rule`);
  expect(again.stdout).toContain("--wanted wanted.csv");
  expect(received).toHaveLength(40 + 2 * dropped.length + counted.length);
});

test("a writer that does not chat, and one named twice, are refused before anything is written", async () => {
  const workingDirectory = await temporaryDirectory();
  const refused = async (...words: readonly string[]) => {
    const environment = fakeEnvironment({ workingDirectory });
    return { code: await runCommandLine(words, environment), ...environment.written };
  };
  const words = ["build", "--prompts", "3", "--writer", "lab:dual-encoder-skewed"];
  expect(await refused(...words)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Expected a model that"),
  });
  expect(await refused(...words, "--writer", "lab:vqa")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Expected --writer once"),
  });
});

test("a taxonomy of one's own is linted by line, planned and built", async () => {
  const workingDirectory = await temporaryDirectory();
  const touchstone = async (...words: readonly string[]) => {
    const environment = fakeEnvironment({ workingDirectory });
    return { code: await runCommandLine(words, environment), ...environment.written };
  };
  const plants = [
    "domains:",
    "  plants:",
    "    knobs: [count]",
    "    categories:",
    "      tree: { hypernym: tree, pairs: [{ nonPrototype: ginkgo, prototype: oak }] }",
    "settings:",
    "  plants:",
    "    - { categories: [tree], environments: [on a hill], extras: [bench] }",
  ].join("\n");
  const own = ["build", "--run", "own", "--taxonomy", "plants.yaml"];
  expect(await touchstone(...own)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("plants.yaml"),
  });
  await writeFile(join(workingDirectory, "plants.yaml"), plants.replace("[bench]", "[bank]"));
  expect(await touchstone(...own)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('line 8: there is no extra "bank"'),
  });
  await writeFile(join(workingDirectory, "plants.yaml"), plants);
  expect(await touchstone(...own)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Expected a number of prompts for plants"),
  });
  const linted = await touchstone(...own, "--prompts", "3", "--lint");
  expect(linted).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("It builds 3 items: 3 of plants."),
  });
  expect(await touchstone(...own, "--prompts", "3", "--json")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"plants": 3'),
  });
  await writeFile(join(workingDirectory, "plants.yaml"), plants.replace("on a hill", "in a field"));
  expect(await touchstone(...own, "--prompts", "3")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("taxonomy"),
  });
});
