import { appendFile, mkdir, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { madeImageUrl, plantedKey, status } from "../../../../test/support/generator-behind.js";
import { type Behaviour, misbehavingServer } from "../../../../test/support/misbehaving-server.js";
import { colouredImage } from "../../../../test/support/scripted-openai.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";
import { runCommandLine } from "../../main.js";
import { exitCodes } from "../../report-error.js";

async function touchstone(
  workingDirectory: string,
  line: string,
  variables: Record<string, string> = {},
) {
  return touchstoneHere(line.split(" "), { workingDirectory, variables });
}

const lines = async (directory: string, name = "metadata.jsonl") =>
  (await readFile(join(directory, "images", name), "utf8"))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

const dog = "A dog is in the snow.";
const cat = "A cat is in the snow with exactly two rocks.";
const painting = "generate prompts.csv --model lab:painter --samples 2 --out images";

async function folderOf(...rows: string[]): Promise<string> {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "prompts.csv"), ["id,text", ...rows, ""].join("\n"));
  return directory;
}

test("a table of prompts becomes a folder that score reads", async () => {
  const directory = await folderOf(
    `p1,${dog}`,
    `p2,${cat}`,
    "p3,a sonnet about the sea",
    `p4,${dog}`,
  );
  const { code, stdout, stderr } = await touchstone(directory, painting);
  expect(code).toBe(exitCodes.done);
  expect(stdout).toContain("4 of 6 images in images");
  expect(stdout).toContain("2 not made: not-applicable");
  expect(stdout).toMatch(/^For example ".+": not in the lab's English: Expected /m);
  expect(stdout).toContain("All reasons: images/unscored.jsonl");
  expect(stderr).toContain("1 prompts occur more than once in prompts.csv");
  const made = await lines(directory);
  expect(made.map(({ id, text, sample }) => [id, text, sample])).toEqual([
    ["p1", dog, 1],
    ["p1", dog, 2],
    ["p2", cat, 1],
    ["p2", cat, 2],
  ]);
  expect(made[0].file_name).toMatch(/^a-dog-is-in-the-snow-[0-9a-f]{8}-1\.png$/);
  expect(made[0]).toMatchObject({ model: "lab:painter@no-defects", seed: expect.any(Number) });
  expect(await lines(directory, "unscored.jsonl")).toMatchObject([
    { id: "p3", sample: 1, reason: "not-applicable", retryable: false },
    { id: "p3", sample: 2 },
  ]);
  const scored = await touchstone(
    directory,
    "score images --metric vqa-score --model lab:vqa --json",
  );
  expect(scored.code).toBe(exitCodes.done);
  expect(JSON.parse(scored.stdout).results).toHaveLength(4);
});

test.each([
  ["no image", 0, "No image was made: 4 not-applicable"],
  ["half of the images", 2, "2 of 4 images were not made: 2 not-applicable"],
  ["more than half", 3, undefined],
])("where %s could be made, a script sees it", async (_, made, words) => {
  const rows = [dog, cat, "A cat is in the snow.", "A fish is in the snow."].map((text, at) =>
    at < made ? text : `sonnet ${at}`,
  );
  const directory = await folderOf(...rows.map((text, at) => `p${at},${text}`));
  const line = "generate prompts.csv --model lab:painter --out images";
  // What fails for good is not asked again, and the second time ends as the first.
  for (const _ of [1, 2]) {
    const { code, stdout, stderr } = await touchstone(directory, line);
    expect(code).toBe(words === undefined ? exitCodes.done : exitCodes.incomplete);
    expect(stdout).toContain(`${made} of 4 images in images`);
    expect(stderr).toContain(words ?? "");
    expect(words === undefined ? stdout : stderr).toContain(
      words === undefined ? "Next: touchstone score images" : "They would fail again",
    );
  }
  expect(await lines(directory)).toHaveLength(made);
});

test("further columns of the prompts stay with their images, also when there are more", async () => {
  const directory = await temporaryDirectory();
  const table = join(directory, "prompts.csv");
  const head = "text,skill,seed,note";
  await writeFile(table, [head, `${dog},place,x,`, ""].join("\n"));
  await touchstone(directory, painting);
  await writeFile(table, [head, `${dog},place,x,`, `${cat},counting,y,two`, ""].join("\n"));
  await touchstone(directory, painting);
  const made = await lines(directory);
  expect(made.map(({ skill, note }) => [skill, note])).toEqual([
    ["place", undefined],
    ["place", undefined],
    ["counting", "two"],
    ["counting", "two"],
  ]);
  expect(made.every(({ seed }) => Number.isInteger(seed))).toBe(true);
});

test("prompts may stand in a column that score reads texts from", async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "prompts.csv"), `prompt\n${dog}\n`);
  const { code, stderr } = await touchstone(directory, painting);
  expect(code).toBe(exitCodes.done);
  expect(stderr).toContain("text from the column prompt");
  expect(await lines(directory)).toMatchObject([{ text: dog }, { text: dog }]);
});

test("what a killed process left is gone on with, to the same bytes", async () => {
  const directory = await folderOf(`p1,${dog}`, `p2,${cat}`);
  await touchstone(directory, painting);
  const folder = join(directory, "images");
  const list = join(folder, "metadata.jsonl");
  const names = (await readdir(folder)).sort();
  const images = await Promise.all(names.map((name) => readFile(join(folder, name), "hex")));
  const text = await readFile(list, "utf8");
  const again = async () => {
    const { code, stdout } = await touchstone(directory, `${painting} --json`);
    expect(code).toBe(exitCodes.done);
    expect((await readdir(folder)).sort()).toEqual(names);
    const now = await Promise.all(names.map((name) => readFile(join(folder, name), "hex")));
    expect(now).toEqual(images);
    return JSON.parse(stdout).reused;
  };
  expect(await again()).toBe(4);
  // A torn last line; an image that is not there; nothing but a torn line.
  await truncate(list, text.length - 9);
  expect(await again()).toBe(3);
  await rm(join(folder, names[0] ?? ""));
  expect(await again()).toBe(3);
  await truncate(list, 9);
  expect(await again()).toBe(0);
  // Half-written names of others are passed over; more samples keep the first ones.
  await appendFile(list, "\n");
  const more = await touchstone(directory, painting.replace("--samples 2", "--samples 3"));
  expect(more.stdout).toContain("6 of 6 images in images, 4 of them from before");
});

test("a hosted generator: refusals stay, failures are asked again, limits stop and go on", async () => {
  const directory = await folderOf("1,fine", "2,declined", "3,down", "4,also fine");
  let isDown = true;
  const declined = {
    error: { message: "Rejected by the safety system", code: "moderation_blocked" },
  };
  const server = await misbehavingServer({
    behave: ({ body }): Behaviour => {
      if (body.prompt === "declined") return status(400, declined);
      if (body.prompt === "down" && isDown) return { kind: "reply", json: { data: [{}] } };
      return { kind: "reply", json: { data: [{ b64_json: madeImageUrl.split(",")[1] }] } };
    },
  });
  const configuration = [
    "models:",
    "  mine:",
    "    provider: openai-images",
    "    model: painter",
    `    baseUrl: ${server.baseUrl}`,
    "    keyVariable: MY_OWN_KEY",
    "    concurrency: 1",
    "    pricePerImage: 0.5",
  ];
  await writeFile(join(directory, "touchstone.config.yaml"), configuration.join("\n"));
  const line = "generate prompts.csv --model mine --out images";
  const keys = { MY_OWN_KEY: plantedKey };

  const limited = await touchstone(directory, `${line} --max-calls 1`, keys);
  expect(limited.code).toBe(exitCodes.incomplete);
  expect(limited.stderr).toContain("3 of 4 images were not made: the limit of 1 call was met");
  expect(limited.stderr.replace(/\s+/g, " ")).toContain(
    "touchstone generate prompts.csv --model mine --samples 1 --out images",
  );
  expect(server.received).toHaveLength(1);

  const first = await touchstone(directory, `${line} --json`, keys);
  expect(first.code).toBe(exitCodes.incomplete);
  expect(JSON.parse(first.stderr.trim().split("\n").at(-1) ?? "").error).toMatchObject({
    message: "2 of 4 images were not made: 1 refused, 1 provider-error",
    hint: "Ask again for what may be made now: touchstone generate prompts.csv --model mine --samples 1 --out images",
  });
  expect(JSON.parse(first.stdout)).toEqual({
    out: "images",
    total: 4,
    made: 2,
    reused: 1,
    unscored: { refused: 1, "provider-error": 1 },
    spent: { calls: 2, cached: 0, cost: 1 },
    run: expect.stringMatching(/^\.touchstone\/generate-/),
  });
  expect(server.received).toHaveLength(4);

  isDown = false;
  const second = await touchstone(directory, line, keys);
  expect(second.code).toBe(exitCodes.done);
  expect(second.stdout).toContain("3 of 4 images in images, 2 of them from before");
  expect(server.received.at(-1)?.body.prompt).toBe("down");
  expect(server.received).toHaveLength(5);
  expect((await lines(directory)).map(({ text }) => text)).toEqual(["fine", "down", "also fine"]);
  expect(server.received[0]?.headers.authorization).toBe(`Bearer ${plantedKey}`);
  for (const name of await readdir(join(directory, "images"))) {
    expect(await readFile(join(directory, "images", name), "latin1")).not.toContain(plantedKey);
  }
  const other = await touchstone(
    directory,
    "generate prompts.csv --model lab:painter --out images",
  );
  expect(other.code).toBe(exitCodes.input);
  expect(other.stderr.replace(/\s+/g, " ")).toContain(
    "holds some by openai-images:painter at http",
  );
});

test.each(["the same command", "run resume"])(
  "what ended in the middle is gone on with by %s, and no image is made twice",
  async (how) => {
    const texts = Array.from({ length: 12 }, (_, at) => `scene ${at}`);
    const directory = await folderOf(...texts.map((text, at) => `p${at},${text}`));
    const whole = await folderOf(...texts.map((text, at) => `p${at},${text}`));
    const made: string[] = [];
    let mostMade = 6;
    const server = await misbehavingServer({
      behave: ({ body }): Behaviour => {
        if (made.length === mostMade) return status(401);
        made.push(String(body.prompt));
        const image = colouredImage(String(body.prompt), 0, 16);
        return { kind: "reply", json: { data: [{ b64_json: image.toString("base64") }] } };
      },
    });
    const line = "generate prompts.csv --out images --model openai-images:painter";
    const variables = { OPENAI_BASE_URL: server.baseUrl };
    expect(await touchstone(directory, line, variables)).toMatchObject({ code: exitCodes.input });
    expect(made).toHaveLength(mostMade);
    expect(await lines(directory)).toEqual([]);

    mostMade = Number.POSITIVE_INFINITY;
    const [run = ""] = (await readdir(join(directory, ".touchstone"))).filter((name) =>
      name.startsWith("generate-"),
    );
    const again = how === "run resume" ? `run resume .touchstone/${run}` : line;
    const { code, stdout } = await touchstone(directory, again, variables);
    expect(code).toBe(exitCodes.done);
    expect(stdout).toContain("12 of 12 images in images, 6 of them from before");
    expect(made.toSorted()).toEqual(texts.toSorted());
    await touchstone(whole, line, variables);
    expect(await filesOf(directory)).toEqual(await filesOf(whole));
  },
);

test("the run that --run names holds what is made, and is gone on with", async () => {
  const directory = await folderOf(`p1,${dog}`, `p2,${cat}`);
  const line = "generate prompts.csv --out images --run own --model lab:painter";
  const stopped = await touchstone(directory, `${line} --max-calls 1`);
  expect(stopped.code).toBe(exitCodes.incomplete);
  expect(stopped.stderr.replaceAll(/\s+/g, " ")).toContain("--run own");
  expect(await readdir(join(directory, "own"))).toContain("run.json");
  const whole = await touchstone(directory, line);
  expect(whole.stdout).toContain("2 of 2 images in images, 1 of them from before");
  expect(whole.stderr).not.toContain("other items");
  await writeFile(join(directory, "other.csv"), `id,text\np3,A dog is in the meadow.\n`);
  const words = line.replace("prompts.csv --out images", "other.csv --out others");
  const other = await touchstone(directory, words);
  expect(other.stderr.replaceAll(/\s+/g, " ")).toContain(
    "2 records of other items went to the trace of own. Another --run keeps both.",
  );
  expect(await touchstone(directory, line)).toMatchObject({ code: exitCodes.done });
  expect(await touchstone(directory, "run resume own")).toMatchObject({ code: exitCodes.done });
  expect(await touchstone(directory, "run verify own")).toMatchObject({ code: exitCodes.done });
  const planned = await touchstone(directory, "generate prompts.csv --out later --run next --plan");
  expect(planned.stdout).toMatch(/Wrote the recipe of \S*next: 1 step\. Nothing was asked/);
});

test("an image that somebody changed stays, and the run says that it has none of it", async () => {
  const directory = await folderOf(`p1,${dog}`, `p2,${cat}`);
  const line = "generate prompts.csv --out images --run own --model lab:painter";
  await touchstone(directory, line);
  const [{ file_name }] = await lines(directory);
  const file = join(directory, "images", file_name);
  await appendFile(file, "mine");
  const changed = await readFile(file, "hex");
  const { code, stdout, stderr } = await touchstone(directory, line);
  expect(code).toBe(exitCodes.done);
  expect(stdout).toContain("2 of 2 images in images, 2 of them from before");
  expect(stderr.replaceAll(/\s+/g, " ")).toContain(
    "1 of 2 images stand in images but not in own: they are not made again, and get no record.",
  );
  expect(await readFile(file, "hex")).toBe(changed);
});

const filesOf = async (directory: string) => {
  const folder = join(directory, "images");
  const names = (await readdir(folder)).sort();
  return Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), "hex")]));
};

test("images that another machine made are written from the run when it is concluded", async () => {
  const directory = await folderOf(`p1,${dog}`);
  await touchstone(directory, `${painting} --plan`);
  const [run = ""] = (await readdir(join(directory, ".touchstone"))).filter((name) =>
    name.startsWith("generate-"),
  );
  const place = join(".touchstone", run);
  const planned = await touchstone(directory, `run plan ${place} --exchange shared --json`);
  await touchstone(directory, `run perform ${JSON.parse(planned.stdout).parts.join(" ")}`);
  const made = await filesOf(directory);
  for (const [name = ""] of made.filter(([name = ""]) => name.endsWith(".png"))) {
    await rm(join(directory, "images", name));
  }
  await touchstone(directory, `run finish ${place} --exchange shared`);
  expect((await touchstone(directory, `run resume ${place}`)).code).toBe(exitCodes.done);
  expect(await lines(directory)).toHaveLength(2);
  const images = (files: typeof made) => files.filter(([name = ""]) => name.endsWith(".png"));
  expect(images(await filesOf(directory))).toEqual(images(made));
  expect(images(made)).toHaveLength(2);
  const again = await touchstone(directory, `${painting} --plan --json`);
  expect([again.code, JSON.parse(again.stdout)]).toEqual([0, { run: null, steps: [] }]);
});

test("an interruption keeps what is in hand, and says how to go on", async () => {
  const directory = await folderOf("1,one", "2,two", "3,three");
  const environment = fakeEnvironment({ workingDirectory: directory });
  const server = await misbehavingServer({
    behave: () => {
      environment.interrupt();
      return { kind: "reply", json: { data: [{ b64_json: madeImageUrl.split(",")[1] }] } };
    },
  });
  const words = ["generate", "prompts.csv", "--out", "images", "--model", "openai-images:painter"];
  const variables = { OPENAI_BASE_URL: server.baseUrl };
  const code = await runCommandLine(words, { ...environment, variables });
  expect(code).toBe(exitCodes.interrupted);
  expect(environment.written.stderr).toContain("it was interrupted");
  expect(environment.written.stderr).toContain("touchstone generate prompts.csv");
  const kept = (await lines(directory)).length;
  expect(kept).toBe(server.received.length);
  const again = await touchstone(directory, words.join(" "), variables);
  expect(again.code).toBe(exitCodes.done);
  expect(again.stdout).toContain(`3 of 3 images in images`);
  expect(server.received).toHaveLength(3);
});

test.each([
  ["generate prompts.csv --model lab:painter", "Expected --out"],
  ["generate nowhere.csv --model lab:painter --out images", "nowhere.csv"],
  ["generate prompts.csv --map text=prompt --model lab:painter --out images", "prompt"],
  ["generate prompts.csv --model lab:painter --out full", "which holds notes.txt"],
  ["generate --out images", "Expected a table of prompts with --out"],
  ["generate prompts.csv --model lab:vqa --out images", "Expected lab:painter"],
  ["generate prompts.csv --model fal:a/b --out images", "FAL_KEY"],
])("%s is refused, and nothing is written", async (line, words) => {
  const directory = await folderOf(`p1,${dog}`);
  await mkdir(join(directory, "full"));
  await writeFile(join(directory, "full/notes.txt"), "mine");
  const { code, stderr } = await touchstone(directory, line);
  expect(code).toBe(exitCodes.input);
  expect(stderr.replace(/\s+/g, " ")).toContain(words);
  expect((await readdir(directory)).sort()).toEqual(["full", "prompts.csv"]);
  expect(await readdir(join(directory, "full"))).toEqual(["notes.txt"]);
});

test("a generator that makes none of 20 images is asked for no more, and what it says stands there", async () => {
  const noImage = Buffer.from("no image").toString("base64");
  const server = await misbehavingServer({
    behave: () => ({ kind: "reply", json: { data: [{ b64_json: noImage }] } }),
  });
  const directory = await folderOf(...Array.from({ length: 40 }, (_, at) => `p${at},Scene ${at}`));
  const { code, stderr } = await touchstone(
    directory,
    "generate prompts.csv --model openai-images:mine --out images",
    { OPENAI_BASE_URL: server.baseUrl },
  );
  expect(code).toBe(exitCodes.incomplete);
  expect(stderr).toContain("no answer for any of 20 items, provider-error each");
  // Those in hand are waited for.
  expect(server.received.length).toBeLessThan(40);
  expect(await lines(directory, "unscored.jsonl")).toHaveLength(server.received.length);
});
