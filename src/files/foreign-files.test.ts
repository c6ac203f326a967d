import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { inspectAi } from "../tables/foreign/inspect-ai.js";
import { promptfoo } from "../tables/foreign/promptfoo.js";
import { foreignFiles, zipEntries } from "./foreign-files.js";

const fixtures = fileURLToPath(new URL("../../test/fixtures/foreign", import.meta.url));
const read = (path: string, workingDirectory = fixtures) =>
  foreignFiles(path, { tool: inspectAi, workingDirectory });

test.each([
  ["inspect-ai-0.3.285.eval", "Zstandard"],
  ["inspect-ai-0.3.60.eval", "DEFLATE"],
])("%s, packed by %s, says what its log in JSON says", async (name) => {
  const [files = []] = await read(name);
  const [whole = []] = await read(name.replace(".eval", ".json"));
  const ids = (of: typeof files) =>
    inspectAi.read(of, {}).rows.map(({ id, metric, score }) => [id, metric, score]);
  expect(files.map((file) => file.name)).toContain("header.json");
  expect(ids(files).filter(([id]) => !String(id).includes("#"))).toEqual(ids(whole));
});

test("an archive that is damaged anywhere is refused, not read otherwise", async () => {
  const bytes = await import("node:fs/promises").then((fs) =>
    fs.readFile(join(fixtures, "inspect-ai-0.3.60.eval")),
  );
  const texts = (archive: Uint8Array) =>
    zipEntries(archive, "log.eval").map((entry) => Buffer.from(entry.bytes()).toString("base64"));
  const whole = texts(bytes).join();
  for (let at = 0; at < bytes.length; at += 37) {
    const cut = bytes.subarray(0, at);
    expect(() => texts(cut)).toThrow(/Expected a ZIP archive|Could not unpack/);
    const flipped = Uint8Array.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ 0xff;
    try {
      // Some bytes say nothing of the content: times, and what systems add.
      const found = texts(flipped).join();
      expect(found === whole || found.length < whole.length).toBe(true);
    } catch (error) {
      expect(String(error)).toMatch(/ZIP archive|unpack/);
    }
  }
  expect(() => zipEntries(deflateRawSync("text"), "log.eval")).toThrow("no table of files");
});

test("JSON lines with one result alone are a list of one, as promptfoo writes it", async () => {
  const folder = await temporaryDirectory();
  const all = await readFile(join(fixtures, "promptfoo-0.123.1.jsonl"), "utf8");
  await writeFile(join(folder, "one.jsonl"), `${all.split("\n")[0]}\n`);
  const [files = []] = await read("one.jsonl", folder);
  expect(promptfoo.read(files, {}).rows).toMatchObject([{ model: "painter-a", score: 0.25 }]);
});

test("what is no JSON, and a folder without any, say so", async () => {
  const folder = await temporaryDirectory();
  await expect(read(".", folder)).rejects.toThrow("Expected logs of inspect_ai");
  await writeFile(join(folder, "a.json"), '{"score": Infinity}');
  await expect(read("a.json", folder)).rejects.toMatchObject({
    message: "Expected JSON in a.json but received something else",
    hint: "Infinity is not JSON",
  });
  await writeFile(join(folder, "promptfooconfig.yaml"), "prompts: [a cat]\nproviders: [echo]\n");
  await expect(read("promptfooconfig.yaml", folder)).rejects.toMatchObject({
    message: "Expected JSON in promptfooconfig.yaml but received something else",
    hint: "It takes logs of inspect_ai (.eval or .json)",
  });
  await writeFile(join(folder, "b.jsonl"), '{"a": 1}\n{"a":\n');
  await expect(read("b.jsonl", folder)).rejects.toThrow("(in b.jsonl, line 2)");
  await expect(read("none.json", folder)).rejects.toThrow("none.json");
});

test("NaN, as Python writes it, is no number, but text in a string", async () => {
  const folder = await temporaryDirectory();
  const text = String.raw`{"a": NaN, "b": "NaN \"NaN\\", "c": [1, NaN], "NaN": "\\\" NaN"}`;
  const value = { a: null, b: 'NaN "NaN\\', c: [1, null], NaN: '\\" NaN' };
  await writeFile(join(folder, "a.json"), text);
  expect(await read("a.json", folder)).toEqual([[{ name: "a.json", value }]]);
  await writeFile(join(folder, "b.jsonl"), `${text}\n{"a": NaN}\n`);
  expect(await read("b.jsonl", folder)).toEqual([
    [{ name: "b.jsonl", value: [value, { a: null }] }],
  ]);
});
