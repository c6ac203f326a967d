import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommandLine } from "../src/cli/main.js";
import { fakeEnvironment } from "./support/fake-environment.js";
import { type Behaviour, completion, misbehavingServer } from "./support/misbehaving-server.js";
import { temporaryDirectory } from "./support/temporary-directory.js";

const key = "sk-planted/key+0123456789-abcdefgh";
const header = `Bearer ${key}`;
const base64 = (text: string) => Buffer.from(text).toString("base64");
const spellings = [
  key,
  encodeURIComponent(key),
  encodeURIComponent(key).toLowerCase(),
  // What of base64 is the same whatever else stands around it.
  base64(key).slice(0, 40),
  base64(header).slice(12, 50),
  JSON.stringify(key).replaceAll("/", "\\/").slice(1, -1),
];

const reply = (json: Parameters<typeof completion>[0]): Behaviour => ({
  kind: "reply",
  json: completion(json),
});
const fault = (status: number, text: string, headers = {}): Behaviour => ({
  kind: "raw",
  status,
  text,
  headers,
});

/** Whatever comes, it tells the key in some spelling. */
const indiscretions: readonly Behaviour[] = [
  reply({ text: `Yes ${key}`, probabilities: { Yes: 0.75, No: 0.125, [key]: 0.01 } }),
  fault(400, JSON.stringify({ error: { message: `bad header ${header}`, code: key } })),
  fault(500, header),
  reply({ text: `Yes ${base64(header)}`, probabilities: { yes: 0.5, [base64(key)]: 0.5 } }),
  fault(429, JSON.stringify({ detail: encodeURIComponent(header) }), { "retry-after": "0" }),
  reply({ refusal: `I don't like ${header}` }),
  fault(200, `<html><title>${header}</title></html>`),
  reply({ text: `{"rating": "${key}"}` }),
  fault(200, JSON.stringify(completion({ text: key })).replaceAll("/", "\\/")),
  fault(200, JSON.stringify(completion({ text: key })).replaceAll("sk-", "\\u0073k-")),
  reply({ text: "Yes", probabilities: { [`${key}`]: 0.9, No: 0.1 }, finish_reason: key }),
  fault(200, `{"error": {"message": "${encodeURIComponent(key).toLowerCase()}"}}`),
  reply({ text: '{"rating": 3}', probabilities: { Yes: 0.5, No: 0.5 } }),
];

const configuration = (baseUrl: string) => `models:
  hosted:
    provider: openai-compatible
    model: tiny
    baseUrl: ${baseUrl}
    keyVariable: PLANTED_KEY
    attempts: 1
    price: { input: 1, output: 1 }
`;

test("a key stands nowhere in what is printed or written, whatever the server says", async () => {
  const workingDirectory = await temporaryDirectory();
  const server = await misbehavingServer({
    behave: (_, number) => indiscretions[number % indiscretions.length] ?? reply({}),
  });
  await writeFile(join(workingDirectory, "touchstone.config.yaml"), configuration(server.baseUrl));
  const variables = { PLANTED_KEY: key, XDG_CACHE_HOME: join(workingDirectory, "cache") };
  const printed: string[] = [];
  const touchstone = async (line: string, isTerminal = false) => {
    const environment = fakeEnvironment({ variables, workingDirectory, isTerminal });
    const code = await runCommandLine(line.split(" "), environment);
    printed.push(environment.written.stdout, environment.written.stderr);
    return { code, ...environment.written };
  };

  await touchstone("build --run run --prompts 1 --domain animals --drawable-by lab:painter");
  await touchstone("generate --run run --samples 1");
  const asked = "--model hosted --metric vqa-score --metric mllm-rating";
  await touchstone(`score run ${asked}`, true);
  await touchstone("run resume run --json");
  await touchstone(`score run ${asked} --rate-with hosted --debug`);
  await touchstone("report run");
  for (const verb of ["run status run", "run verify run", "doctor --models"]) {
    await touchstone(verb);
    await touchstone(`${verb} --json`);
  }
  const blobs = await filesBelow(join(workingDirectory, "run/blobs"));
  const rows = blobs.map((image) => JSON.stringify({ image, text: "two cats" })).join("\n");
  await writeFile(join(workingDirectory, "rows.jsonl"), `${rows}\n`);
  for (const more of ["--out scores.jsonl", "--out scores.csv", "--json --debug", "--no-cache"]) {
    await touchstone(`score rows.jsonl ${asked} ${more}`, more === "--no-cache");
  }
  for (const asJson of ["", " --json"]) {
    for (const record of await recordKeys(workingDirectory)) {
      expect((await touchstone(`run explain ${record} --run run${asJson}`)).code).toBe(0);
    }
  }

  expect(server.received.length).toBeGreaterThan(2 * indiscretions.length);
  expect(new Set(server.received.map(({ headers }) => headers.authorization))).toEqual(
    new Set([header]),
  );
  const files = await filesBelow(workingDirectory);
  const written = await Promise.all(files.map((file) => readFile(file, "latin1")));
  // It was told, and taken out.
  expect(written.join("\n")).toContain("[PLANTED_KEY]");
  expect(printed.join("\n")).toContain("[PLANTED_KEY]");
  const found = [...printed, ...written].flatMap((text) =>
    spellings.filter((spelling) => text.includes(spelling)),
  );
  expect(found).toEqual([]);
  expect(
    files.filter((file) => /trace|replies|report\.html|scores/.test(file)).length,
  ).toBeGreaterThan(4);
});

async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name));
}

/** Of scores by the hosted model, one of each ending. */
async function recordKeys(directory: string): Promise<string[]> {
  const files = await filesBelow(join(directory, "run/records"));
  const hosted = files.filter((file) => file.includes("score-images"));
  const texts = await Promise.all(hosted.map((file) => readFile(file, "utf8")));
  const records: { key: string; status: string; reason?: string }[] = texts
    .flatMap((text) => text.trim().split("\n"))
    .map((line) => JSON.parse(line));
  const byEnding = new Map(records.map(({ key, status, reason }) => [reason ?? status, key]));
  return [...byEnding.values()];
}
