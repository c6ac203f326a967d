import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { completion, misbehavingServer } from "./support/misbehaving-server.js";
import { colouredImage } from "./support/scripted-openai.js";
import { temporaryDirectory } from "./support/temporary-directory.js";
import { touchstoneHere } from "./support/touchstone-here.js";

const bin = fileURLToPath(new URL("../bin/touchstone", import.meta.url));
const rows = 80;
/** Half as many again as the calls that a server takes at once. */
const inHand = 24;
/** A tenth of the rows with foreign texts, and eight grey images. */
const placebos = 16;

test("score that is killed goes on by the same command and writes the same, byte for byte", async () => {
  const whole = await temporaryDirectory();
  for (let at = 0; at < 5; at++) {
    await writeFile(join(whole, `${at}.png`), colouredImage(`image ${at}`, 0, 16));
  }
  const lines = Array.from({ length: rows }, (_, at) => `${at % 5}.png,scene ${at}.,${at}`);
  await writeFile(join(whole, "table.csv"), `image,text,seed\n${lines.join("\n")}\n`);
  const asked: string[] = [];
  let onCall: (() => void) | undefined;
  const server = await misbehavingServer({
    behave: ({ body }) => {
      const [, scene = ""] = /scene (\d+)\./.exec(JSON.stringify(body)) ?? [];
      asked.push(scene);
      onCall?.();
      const yes = (Number(scene) + 1) / (rows + 1);
      return { kind: "reply", json: completion({ probabilities: { Yes: yes, No: 1 - yes } }) };
    },
  });
  const variables = { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "sk-0123456789abcdef" };
  // Without a cache nothing but the run can know what was answered.
  const line =
    "score table.csv --metric vqa-score --model openai-compatible:tiny --no-cache --out x.csv";
  const killed = await temporaryDirectory();
  await cp(whole, killed, { recursive: true });
  const score = (workingDirectory: string) =>
    touchstoneHere(line.split(" "), { variables, workingDirectory });
  expect(await score(whole)).toMatchObject({ code: 0 });
  expect(asked).toHaveLength(rows + placebos);

  asked.length = 0;
  const child = spawn(process.execPath, [bin, ...line.split(" ")], {
    cwd: killed,
    env: { PATH: process.env.PATH, ...variables },
    stdio: "ignore",
  });
  onCall = () => {
    if (asked.length >= rows / 2) child.kill("SIGKILL");
  };
  const [, signal] = await once(child, "close");
  onCall = undefined;
  expect(signal).toBe("SIGKILL");
  await expect(readFile(join(killed, "x.csv"))).rejects.toThrow("ENOENT");
  expect(await score(killed)).toMatchObject({ code: 0 });

  expect(new Set(asked).size).toBe(rows);
  expect(asked.length).toBeLessThanOrEqual(rows + placebos + inHand);
  const runOf = async (directory: string) => {
    const [run = ""] = (await readdir(join(directory, ".touchstone"))).filter((name) =>
      name.startsWith("score-"),
    );
    return join(directory, ".touchstone", run);
  };
  const records = async (directory: string) => {
    const folder = join(await runOf(directory), "records");
    const names = await readdir(folder);
    return Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  };
  expect(await records(killed)).toEqual(await records(whole));
  const sanity = async (directory: string) => {
    const { models, ...found } = JSON.parse(
      await readFile(join(await runOf(directory), "sanity.json"), "utf8"),
    );
    // Each command draws other colours to be named.
    const { drawn, said, ...sight } = models["openai-compatible:tiny"].sight;
    return JSON.stringify({ sight, ...found });
  };
  expect(await sanity(killed)).toBe(await sanity(whole));
  const [one, other] = await Promise.all(
    [whole, killed].map((directory) => readFile(join(directory, "x.csv"), "utf8")),
  );
  expect(other).toBe(one);

  // What came of it was written: the same command asks about everything anew.
  asked.length = 0;
  expect(await score(killed)).toMatchObject({ code: 0 });
  expect(asked).toHaveLength(rows + placebos);
});
