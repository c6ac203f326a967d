import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { findingKinds } from "../src/analysis/judge-check/judge-conclusion.js";
import { earlierNames, verbs } from "../src/cli/verbs.js";
import { unscoredReasons } from "../src/core/unscored.js";
import { commandBlocks, listedBlocks } from "./soak/document-commands.js";
import { listedCommands } from "./support/listed-commands.js";
import { parsedNext } from "./support/next-commands.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = ["", "research/"].flatMap((folder) =>
  readdirSync(join(root, "docs", folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => folder + name),
);
const documents = [
  ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"],
  ...pages.map((name) => `docs/${name}`),
  "docs/research/published-tables/checks.yaml",
];

describe.each(documents)("%s", (name) => {
  const read = () => {
    const text = readFileSync(join(root, name), "utf8");
    return name.endsWith(".yaml") ? listedBlocks(text) : text;
  };

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
    if (name === "CHANGELOG.md") names.push(...earlierNames.keys());
    expect(called.filter((verb) => !names.includes(verb ?? ""))).toEqual([]);
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const run = [...read().matchAll(/npm run ([\w-]+)/g)].map((match) => match[1] ?? "");
    expect(run.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
  });

  // CHANGELOG.md tells of flags that went.
  it.skipIf(name === "CHANGELOG.md")("shows flags that the verbs take", async () => {
    const refused: string[] = [];
    for (const line of shownCommands(read())) {
      await parsedNext(line).catch((error: Error) => {
        // A verb that is named without what it is given, or with a stand-in for it.
        if (!/but received (?:nothing|"[A-Z]+")$|^Unknown verb "(?:[A-Z]+|…)"/.test(error.message))
          refused.push(`${line}: ${error.message}`);
      });
    }
    expect(refused).toEqual([]);
  });

  it("says which test runs a block of commands, and that one reads this document", () => {
    for (const { runBy, line } of commandBlocks(read())) {
      if (runBy === undefined) continue;
      const test = readFileSync(join(root, runBy), "utf8");
      expect(test, `line ${line}`).toContain(basename(name));
    }
  });
});

/** The command lines of a document, in its blocks and in its sentences, without what a shell does with them. */
function shownCommands(markdown: string): string[] {
  const inBlocks = commandBlocks(markdown).flatMap(({ script }) =>
    script.replace(/\\\n\s*/g, " ").split("\n"),
  );
  const sentences = markdown.replace(/^```.*?^```$/gms, "");
  const inSentences = [...sentences.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
  return [...inBlocks, ...inSentences]
    .map((line) =>
      line
        .replace(/\s+/g, " ")
        .replace(/^ ?(?:node )?/, "")
        .replace(/"\$\(.*\)"/, "KEY"),
    )
    .filter((line) => /^(?:[A-Z_]+=\S+ )*(?:\S*\/)?touchstone [^-]/.test(line))
    .map((line) => line.replace(/ (?:#|2?>|\|(?! ?touchstone)).*$/, ""))
    .filter((line) => !line.includes("…") && !line.endsWith("--help"));
}

it("the map names every room of the source, and in each what is there", () => {
  const map = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const rows = [...map.matchAll(/^\| `(\w+)` \| (.*) \| (.*) \|$/gm)];
  const rooms = rows.map(([, room = ""]) => room);
  const order = /^`(core .*)`$/m.exec(map)?.[1]?.split(/[ |]+/);
  expect(rooms).toEqual(order);
  expect(rooms.toSorted()).toEqual(
    readdirSync(join(root, "src"), { withFileTypes: true })
      .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
      .sort(),
  );
  const named = rows.flatMap(([, room = "", what = "", files = ""]) => [
    ...[...what.matchAll(/`([\w-]+\/|[\w/-]+\.ts)`/g), ...files.matchAll(/`([^`]+)`/g)].map(
      ([, name = ""]) => `src/${room}/${name}`,
    ),
  ]);
  expect(named.length).toBeGreaterThan(rooms.length);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it("the Python package's page says of conclusions which columns they read, in the words of their help", async () => {
  const page = readFileSync(join(root, "python/README.md"), "utf8");
  const rows = [...page.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)];
  const conclusions = (await listedCommands(verbs)).filter(
    ({ command }) => "file" in command.arguments && "plot" in command.arguments,
  );
  const helps = new Map(
    conclusions.map(({ path, command }) => [
      path.replace("analyze ", "").replaceAll(" ", "_"),
      command.description.replaceAll("--", ""),
    ]),
  );
  expect(rows.length).toBeGreaterThan(10);
  for (const [, name = "", columns = ""] of rows) expect(helps.get(name)).toContain(columns);
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

it("tables of the reference name the kinds and reasons that the code has", () => {
  const rowsOf = (name: string): Readonly<Record<string, string>> =>
    parse(readFileSync(join(root, "data", name), "utf8")).rows;
  const named = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  const kinds = Object.keys(rowsOf("judge-findings.yaml")).flatMap(named);
  expect(kinds).toEqual(findingKinds);
  const done = Object.values(rowsOf("provider-failures.yaml")).flatMap(named);
  expect(done.length).toBeGreaterThan(5);
  expect(unscoredReasons).toEqual(expect.arrayContaining(done));
});
