import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { misbehavingServer } from "./support/misbehaving-server.js";
import { colouredImage } from "./support/scripted-openai.js";
import { temporaryDirectory } from "./support/temporary-directory.js";
import { touchstoneHere } from "./support/touchstone-here.js";

const bin = fileURLToPath(new URL("../bin/touchstone", import.meta.url));
const rows = 60;
/** The calls that a generator takes at once. */
const inHand = 24;

test("generate --run that is killed goes on by the same command, and says the same however often", async () => {
  const directory = await temporaryDirectory();
  const table = (texts: readonly string[]) =>
    writeFile(join(directory, "prompts.csv"), `text\n${texts.join("\n")}\n`);
  const texts = Array.from({ length: rows }, (_, at) => `scene ${at}`);
  await table(texts);
  const asked: string[] = [];
  let onCall: (() => void) | undefined;
  const server = await misbehavingServer({
    behave: ({ body }) => {
      const text = String(body.prompt);
      asked.push(text);
      onCall?.();
      const image = colouredImage(text, 0, 16).toString("base64");
      return { kind: "reply", json: { data: [{ b64_json: image }] } };
    },
  });
  const variables = { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "sk-0123456789abcdef" };
  const words = "generate prompts.csv --out images --run own --model openai-images:tiny".split(" ");
  const child = spawn(process.execPath, [bin, ...words], {
    cwd: directory,
    env: { PATH: process.env.PATH, ...variables },
    stdio: "ignore",
  });
  onCall = () => {
    if (asked.length >= rows / 2) child.kill("SIGKILL");
  };
  const [, signal] = await once(child, "close");
  onCall = undefined;
  expect(signal).toBe("SIGKILL");

  const records = join(directory, "own", "records");
  const kept = async () => {
    const files = await Promise.all(
      (await readdir(records)).map((name) => readFile(join(records, name), "utf8")),
    );
    return files.flatMap((file) => file.split("\n").filter((line) => line !== ""));
  };
  const textsOf = async () => (await kept()).map((line): string => JSON.parse(line).text);
  const generate = () => touchstoneHere(words, { variables, workingDirectory: directory });
  const before = new Set(await textsOf());
  expect(before.size).toBeGreaterThan(0);
  asked.length = 0;
  const resumed = await generate();
  expect(resumed).toMatchObject({ code: 0 });
  expect(asked.toSorted()).toEqual(texts.filter((text) => !before.has(text)).toSorted());
  expect(asked.length).toBeLessThanOrEqual(rows / 2 + inHand);
  expect(await textsOf()).toEqual(texts);

  // Again and again: nothing is asked, nothing is lost.
  const whole = await kept();
  const list = await readFile(join(directory, "images", "metadata.jsonl"), "utf8");
  asked.length = 0;
  for (const _ of [1, 2]) {
    const { code, stdout, stderr } = await generate();
    expect(code).toBe(0);
    expect(stdout).toContain(`${rows} of ${rows} images in images, ${rows} of them from before`);
    expect(stderr).not.toMatch(/went to the trace|but not in own/);
    expect(await kept()).toEqual(whole);
    expect(await readFile(join(directory, "images", "metadata.jsonl"), "utf8")).toBe(list);
  }
  expect(asked).toEqual([]);

  // One more prompt, and one image that is gone: they alone are asked for.
  const [first = ""] = list.split("\n");
  await rm(join(directory, "images", JSON.parse(first).file_name));
  await table([...texts, "scene new"]);
  expect(await generate()).toMatchObject({ code: 0 });
  expect(asked.toSorted()).toEqual([JSON.parse(first).text, "scene new"].toSorted());
  expect(await textsOf()).toEqual([...texts, "scene new"]);

  // Prompts that the table lost: their records go to the trace, which is said; their images stay.
  asked.length = 0;
  await table(texts.slice(0, 10));
  const fewer = await generate();
  expect(fewer.stderr.replace(/\s+/g, " ")).toContain(
    "51 records of other items went to the trace of own. Another --run keeps both.",
  );
  expect(await textsOf()).toEqual(texts.slice(0, 10));
  await table(texts);
  const back = await generate();
  expect(back.stderr.replace(/\s+/g, " ")).toContain(
    "50 of 60 images stand in images but not in own: they are not made again, and get no record.",
  );
  expect(asked).toEqual([]);
  expect(await textsOf()).toEqual(texts.slice(0, 10));
});
