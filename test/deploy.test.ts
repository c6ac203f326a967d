import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { parsedNext } from "./support/next-commands.js";

const deploy = fileURLToPath(new URL("../deploy", import.meta.url));

/** Every list of words in a value that begins with the program. */
function commandsIn(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [];
  const words = Array.isArray(value) ? value.map(String) : [];
  if (/(^|\/)touchstone$/.test(words[0] ?? "")) return [words];
  return Object.values(value).flatMap(commandsIn);
}

test("what deploy/ starts is command lines of ours, and no secret stands in it", async () => {
  const names = (await readdir(deploy, { recursive: true })).filter((name) =>
    /\.ya?ml$/.test(name),
  );
  const started: string[] = [];
  for (const name of names) {
    const text = await readFile(join(deploy, name), "utf8");
    expect(text).not.toMatch(/postgres:\/\/[^@/\s]*:[^@/\s]*@/);
    for (const document of parseAllDocuments(text, { merge: true })) {
      expect(document.errors).toEqual([]);
      for (const words of commandsIn(document.toJS())) {
        started.push(...(await parsedNext(words.join(" "))));
      }
    }
  }
  expect(started.sort()).toEqual(["studio", "study serve", "study serve"]);
});
