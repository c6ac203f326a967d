import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { z } from "zod";

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const read = (path: string) => readFileSync(at(path), "utf8");

it("is one version, wherever it is named", () => {
  const { status, stderr } = spawnSync(process.execPath, [at("scripts/release/version.mjs")], {
    encoding: "utf8",
  });
  expect([stderr, status]).toEqual(["", 0]);
  const versionSchema = z.object({ version: z.string() });
  const { version } = versionSchema.parse(JSON.parse(read("package.json")));
  expect(versionSchema.parse(JSON.parse(read("package-lock.json"))).version).toBe(version);
  expect(/^## \[(\d.*)\]/m.exec(read("CHANGELOG.md"))?.[1]).toBe(version);
});
