import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { verbs } from "../src/cli/verbs.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
const documents = [
  ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"],
  ...pages.map((name) => `docs/${name}`),
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

it("the web site's contents name every document", () => {
  const contents: { readonly pages: object }[] = JSON.parse(
    readFileSync(join(root, "docs/site/contents.json"), "utf8"),
  );
  const named = contents.flatMap((part) => Object.keys(part.pages));
  expect(pages.map((page) => page.slice(0, -3)).filter((page) => !named.includes(page))).toEqual(
    [],
  );
});
