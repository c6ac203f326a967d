import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { verbs } from "../src/cli/verbs.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const documents = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "docs/published-tables.md",
  "docs/intervals.md",
  "docs/judging.md",
  "docs/trust-card.md",
  "docs/audit-your-generator.md",
  "docs/calibrate-your-judge.md",
];

describe.each(documents)("%s", (name) => {
  const read = () => readFileSync(join(root, name), "utf8");

  it("links to files that are there", () => {
    const links = [...read().matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(
      (match) => match[1] ?? "",
    );
    const missing = links.filter((link) => !existsSync(join(root, dirname(name), link)));
    expect(missing).toEqual([]);
  });

  it("names paths that are there", () => {
    const paths = [...read().matchAll(/`((?:src|data|test|bin|scripts|training)\/[\w./-]*\w)`/g)]
      .map((match) => match[1] ?? "")
      .filter((path) => !path.includes("my-"));
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it("calls verbs and scripts that exist", () => {
    const called = [...read().matchAll(/(?:bin\/|`|^\s*)touchstone ([a-z]+)/gm)].map(
      (match) => match[1],
    );
    const names = verbs.map((verb) => verb.name);
    expect(called.filter((verb) => !names.includes(verb ?? ""))).toEqual([]);
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const run = [...read().matchAll(/npm run ([\w-]+)/g)].map((match) => match[1] ?? "");
    expect(run.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
  });
});
