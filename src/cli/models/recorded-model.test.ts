import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { status } from "../../../test/support/generator-behind.js";
import {
  type Behaviour,
  completion,
  misbehavingServer,
} from "../../../test/support/misbehaving-server.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../test/support/touchstone-here.js";
import { exitCodes } from "../report-error.js";

async function touchstone(
  workingDirectory: string,
  line: string,
  variables: Record<string, string> = {},
) {
  return touchstoneHere(line.split(" "), { workingDirectory, variables });
}

/** The records of the step whose file name holds `part`. */
async function recordsOf(directory: string, run: string, part: string) {
  const folder = join(directory, run, "records");
  const names = (await readdir(folder)).filter((name) => name.includes(part));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return texts.flatMap((text) =>
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  );
}

const build = "--prompts 1 --domain animals --drawable-by lab:painter";

test("what a run heard is heard again: images, answers, replies and failures", async () => {
  const directory = await temporaryDirectory();
  await touchstone(directory, `build --run run ${build}`);
  await touchstone(directory, "generate --run run --samples 1");
  await touchstone(directory, "score run --metric vqa-score --model lab:vqa");
  let calls = 0;
  const server = await misbehavingServer({
    behave: ({ body }): Behaviour => {
      const asked = JSON.stringify(body.messages?.at(-1)?.content);
      if (body.response_format !== undefined || !body.logprobs) {
        return { kind: "reply", json: completion({ text: '{"rating": 3}' }) };
      }
      if (asked.includes("never")) return status(400);
      const yes = 0.1 + 0.1 * calls++;
      return { kind: "reply", json: completion({ probabilities: { Yes: yes, No: 0.9 - yes } }) };
    },
  });
  const hosted = "--metric vqa-score --metric mllm-rating --model openai-compatible:judge";
  const variables = { OPENAI_BASE_URL: server.baseUrl };
  expect(await touchstone(directory, `score run ${hosted}`, variables)).toMatchObject({ code: 0 });
  const asked = server.received.length;

  await touchstone(directory, `build --run again ${build}`);
  const painted = await touchstone(
    directory,
    "generate --run again --samples 1 --model recorded:run@lab:painter",
  );
  expect(painted.code).toBe(exitCodes.done);
  const hashes = async (run: string) =>
    (await recordsOf(directory, run, "paint-images")).map(({ image }) => image);
  expect(await hashes("again")).toEqual(await hashes("run"));
  expect(await hashes("again")).toHaveLength(4);

  const lab = "score again --metric vqa-score --model recorded:run@lab:vqa";
  expect(await touchstone(directory, lab)).toMatchObject({ code: 0 });
  const judge = `score again ${hosted.replace("openai-compatible:judge", "recorded:run@openai-compatible:judge")}`;
  expect(await touchstone(directory, judge)).toMatchObject({ code: 0 });
  expect(server.received).toHaveLength(asked);
  for (const part of ["vqa-score-lab-vqa", "vqa-score-openai", "mllm-rating"]) {
    const values = (records: Awaited<ReturnType<typeof recordsOf>>) =>
      records.map(({ image, metric, text, status: ending, value }) => [
        ...[image, metric, text, ending, value],
      ]);
    const first = await recordsOf(directory, "run", part);
    const second = await recordsOf(
      directory,
      "again",
      part.replace("vqa-score-", "vqa-score-recorded-"),
    );
    expect(first).toHaveLength(4);
    expect(values(second)).toEqual(values(first));
  }
});

test("which of several models is to be said; what was not heard is not in the recording", async () => {
  const directory = await temporaryDirectory();
  await touchstone(directory, `build --run run ${build}`);
  await touchstone(directory, "generate --run run --samples 1");
  const early = await touchstone(directory, "score run --metric vqa-score --model recorded:run");
  expect(early).toMatchObject({ code: exitCodes.input });
  expect(early.stderr).toContain("answers about images but");
  await touchstone(directory, "score run --metric vqa-score --model lab:vqa");
  await touchstone(directory, "score run --metric vqa-score --model lab:filter-vqa");
  const unnamed = await touchstone(directory, "score run --metric vqa-score --model recorded:run");
  expect(unnamed.code).toBe(exitCodes.input);
  expect(unnamed.stderr.replace(/\s+/g, " ")).toMatch(/it holds lab:vqa@\w+, lab:filter-vqa@\w+/);
  const other = await touchstone(
    directory,
    "score run --metric vqa-score --model recorded:run@lab:x",
  );
  expect(other.code).toBe(exitCodes.input);

  await touchstone(directory, `build --run other --seed 5 ${build}`);
  const made = await touchstone(directory, "generate --run other --samples 1 --model recorded:run");
  expect(made.stdout).toMatch(/^0 images/);
  const [image] = await recordsOf(directory, "other", "paint-images");
  expect(image).toMatchObject({ status: "unscored", reason: "not-applicable" });
  expect(image.detail).toContain("is not in the recording");
});
