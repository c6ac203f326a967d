import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { importViolations, type Sources } from "./import-rules.js";
import { readImports } from "./source-imports.js";

const root = fileURLToPath(new URL("../", import.meta.url));

function houseSources(): Sources {
  const paths = ["src", "packages/lab/src"].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" })
      .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
      .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts")),
  );
  return new Map(paths.map((path) => [path, readFileSync(`${root}${path}`, "utf8")]));
}

const violationsOf = (sources: Record<string, string>) =>
  importViolations(new Map(Object.entries(sources)));

describe("the house", () => {
  const sources = houseSources();

  it("has its files read", () => {
    expect(sources.size).toBeGreaterThan(50);
    for (const folder of [
      "src/core/",
      "packages/lab/src/models/",
      "packages/lab/src/world/",
      "src/metrics/",
    ]) {
      expect(
        [...sources.keys()].some((path) => path.startsWith(folder)),
        folder,
      ).toBe(true);
    }
  });

  it("breaks no rule", () => {
    expect(importViolations(sources)).toEqual([]);
  });

  it("would show a breach planted in it", () => {
    const planted = new Map(sources);
    const path = "src/runs/run-steps.ts";
    planted.set(path, `import { main } from "../cli/main.js";\n${sources.get(path)}`);
    const before = importViolations(sources);
    expect(importViolations(planted).filter((text) => !before.includes(text))).toEqual([
      "src/runs/run-steps.ts imports src/cli/main.ts, a room to its right",
    ]);
  });
});

describe("direction", () => {
  it("lets a room import itself and rooms to its left", () => {
    expect(
      violationsOf({
        "src/stats/mean.ts": 'import { InputError } from "../core/errors.js";',
        "src/runs/loop.ts": 'import { mean } from "../stats/mean.js";\nimport "./plan.js";',
        "src/index.ts": 'export { loop } from "./runs/loop.js";',
      }),
    ).toEqual([]);
  });

  it.each([
    ["a static import", 'import { loop } from "../runs/loop.js";'],
    ["a type import", 'import type { Loop } from "../runs/loop.js";'],
    ["an inline import type", 'export type Loop = import("../runs/loop.js").Loop;'],
    ["a re-export", 'export * from "../runs/loop.js";'],
    ["a bare import", 'import "../runs/loop.js";'],
    ["a dynamic import", 'const { loop } = await import("../runs/loop.js");'],
    [
      "an import inside a template",
      `const text = \`a $${'{await import("../runs/loop.js")}'} b\`;`,
    ],
    ["an import over several lines", 'import {\n  loop,\n  // "why"\n} from\n  "../runs/loop.js";'],
  ])("refuses %s from the right", (_, source) => {
    expect(violationsOf({ "src/metrics/a.ts": source })).toEqual([
      "src/metrics/a.ts imports src/runs/loop.ts, a room to its right",
    ]);
  });

  it("refuses the entry to the rooms, cli to the entry, and whatever lies outside src", () => {
    expect(
      violationsOf({
        "src/core/a.ts": 'import "../index.js";',
        "src/index.ts": 'import "./cli/main.js";',
        "packages/lab/src/b.ts": 'import "../../../training/c.js";',
      }),
    ).toEqual([
      "packages/lab/src/b.ts imports training/c.ts, outside src",
      "src/core/a.ts imports src/index.ts, a room to its right",
      "src/index.ts imports src/cli/main.ts, a room to its right",
    ]);
  });

  it("refuses a room that the house has not", () => {
    expect(violationsOf({ "src/helpers/a.ts": "" })).toEqual([
      "src/helpers/a.ts lies in no room of the house",
    ]);
  });
});

describe("circles", () => {
  it.each([
    ["of values", 'import { b } from "./b.js";', 'import { a } from "./a.js";'],
    ["of types", 'import type { B } from "./b.js";', 'import type { A } from "./a.js";'],
  ])("are refused, %s", (_, a, b) => {
    expect(violationsOf({ "src/core/a.ts": a, "src/core/b.ts": b })).toEqual([
      "src/core/a.ts -> src/core/b.ts -> src/core/a.ts: a circle of imports",
    ]);
  });

  it("are none where two ways lead to one file", () => {
    expect(
      violationsOf({
        "src/core/a.ts": 'import "./b.js";\nimport "./c.js";',
        "src/core/b.ts": 'import "./d.js";',
        "src/core/c.ts": 'import "./d.js";',
        "src/core/d.ts": "",
      }),
    ).toEqual([]);
  });
});

describe("purity", () => {
  it.each([
    ["node:fs", 'import { readFileSync } from "node:fs";'],
    ["fs", 'import { readFileSync } from "fs";'],
    ["sharp", 'import sharp from "sharp";'],
    ["zod-like", 'import { z } from "zod-like";'],
    ["node:url", 'const url = await import("node:url");'],
  ])("refuses %s in the pure rooms", (name, source) => {
    for (const room of ["core", "stats", "ensembles", "analysis"]) {
      expect(violationsOf({ [`src/${room}/a.ts`]: source })).toEqual([
        `src/${room}/a.ts imports ${name}, but is pure`,
      ]);
    }
    expect(violationsOf({ "src/files/a.ts": source })).toEqual([]);
  });

  it("allows what runs anywhere", () => {
    const source = 'import { z } from "zod";\nimport { sha256 } from "@noble/hashes/sha2.js";';
    expect(violationsOf({ "src/core/a.ts": source })).toEqual([]);
  });

  it.each([
    "Buffer.from(text)",
    "process.platform",
    "Date.now()",
    "new Date()",
    "performance.now()",
  ])("refuses %s in a pure room", (source) => {
    expect(violationsOf({ "src/stats/a.ts": `const a = ${source};` })).toEqual([
      "src/stats/a.ts uses Node's globals or a clock, but is pure",
    ]);
  });

  it.each(["Math.exp(x)", "values.map(Math.log)", "x ** 2", "12 ** n"])(
    "refuses %s where a browser's digits must be Node's",
    (source) => {
      expect(violationsOf({ "src/stats/a.ts": `const a = ${source};` })).toEqual([
        "src/stats/a.ts rounds as the engine likes; src/stats/elementary is the same everywhere",
      ]);
      expect(violationsOf({ "src/stats/a.ts": "const a = 2 ** n + Math.sqrt(x);" })).toEqual([]);
    },
  );

  it("lets members have such names", () => {
    const source = "const a = { process: 1 }.process; const b = new Date(text);";
    expect(violationsOf({ "src/stats/a.ts": source })).toEqual([]);
  });

  it.each(["Math.random()", "crypto.getRandomValues(bytes)"])("refuses %s everywhere", (source) => {
    expect(violationsOf({ "packages/lab/src/a.ts": source })).toEqual([
      "packages/lab/src/a.ts makes random numbers of its own; randomFrom gives seeded ones",
    ]);
  });

  it("refuses a computed import in a pure room and node: in a plot's specification", () => {
    expect(
      violationsOf({
        "src/core/a.ts": "const a = await import(name);",
        "src/report/plots/b.ts": 'import { join } from "node:path";',
        "src/models/c.ts": "const c = await import(name);",
      }),
    ).toEqual([
      "src/core/a.ts imports a computed name, but is pure",
      "src/report/plots/b.ts imports node:path, but is pure",
    ]);
  });
});

describe("the truth", () => {
  it("is out of a judge's reach, directly and over other files", () => {
    expect(
      violationsOf({
        "packages/lab/src/models/encoder.ts": 'import "../world/scene.js";',
        "packages/lab/src/models/answerer.ts": 'import "../weights.js";',
        "packages/lab/src/weights.ts": 'import type { Layout } from "./layout.js";',
        "packages/lab/src/layout.ts": 'export * from "./painter/layout.js";',
        "src/metrics/peek.ts": 'await import("../files/truth.js");',
      }),
    ).toEqual([
      "packages/lab/src/models/answerer.ts -> packages/lab/src/weights.ts -> packages/lab/src/layout.ts -> " +
        "packages/lab/src/painter/layout.ts: a judge reaches the truth",
      "packages/lab/src/models/encoder.ts -> packages/lab/src/world/scene.ts: a judge reaches the truth",
      "src/metrics/peek.ts -> src/files/truth.ts: a judge reaches the truth",
    ]);
  });

  it("may be known by those who do not judge", () => {
    expect(violationsOf({ "packages/lab/src/evaluate.ts": 'import "./world/truth.js";' })).toEqual(
      [],
    );
  });
});

describe("a run", () => {
  it.each([
    'import { RunFolder } from "../files/run-folder/run-folder.js";',
    'import type { Seals } from "../files/run-folder/seals.js";',
    'const { Blobs } = await import("../files/run-folder/blobs.js");',
  ])("is known above files by its contract alone: %s", (source) => {
    expect(violationsOf({ "src/runs/a.ts": source })).toHaveLength(1);
    expect(violationsOf({ "src/index.ts": source.replace("../", "./") })).toHaveLength(1);
    expect(violationsOf({ "src/files/a.ts": source.replace("../files/", "./") })).toEqual([]);
  });

  it.each([
    'const page = join(run, "report.html");',
    "const image = resolve(directory, 'blobs', hash);",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a source to read, not a template.
    "const path = join(directory, `records/${name}`);",
  ])("has no path joined into it: %s", (source) => {
    expect(violationsOf({ "src/cli/verbs/a.ts": source })).toEqual([
      "src/cli/verbs/a.ts joins a path into a run, which may be no folder",
    ]);
    expect(violationsOf({ "src/files/a.ts": source })).toEqual([]);
  });

  it("may be spoken of", () => {
    const source = 'const help = "Keys are in records/*.jsonl"; const all = names.join(", ");';
    expect(violationsOf({ "src/cli/verbs/a.ts": source })).toEqual([]);
  });
});

describe("the outside", () => {
  it.each([
    "console.log(1)",
    "process.exit(2)",
    "const key = process.env.KEY",
    "process.stdout.write('')",
  ])("is left to main: %s", (source) => {
    expect(violationsOf({ "src/runs/a.ts": source })).toEqual([
      "src/runs/a.ts prints, exits or reads the environment; only src/cli/main.ts does",
    ]);
    expect(violationsOf({ "src/cli/verbs/a.ts": source })).toHaveLength(1);
    expect(violationsOf({ "src/cli/main.ts": source })).toEqual([]);
  });

  it("is not meant by comments and strings", () => {
    const source = '// console.log(1)\n/* process.env */ const text = "process.exit(1)";';
    expect(violationsOf({ "src/runs/a.ts": source })).toEqual([]);
  });
});

describe("readImports", () => {
  it("tells imports from what only looks like them", () => {
    const source = [
      '/** @example import { a } from "./comment.js"; */',
      "const quote = /[\"'`/]/.test(text) ? 1 / 2 : \"from './string.js'\";",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a source to read, not a template.
      "const nested = `${`${'x'}`} from \"./template.js\" ${{ a: 1 }.a}`;",
      'import { b } from "./real.js"; // from "./line.js"',
    ].join("\n");
    expect(readImports(source).specifiers).toEqual(["./real.js"]);
  });

  it("finds imports after a division, an escaped quote and an escaped backtick", () => {
    const source =
      'const a = b / c; const d = "\\""; const e = `\\``; import f from "./g.js"; h / i;';
    expect(readImports(source).specifiers).toEqual(["./g.js"]);
  });

  it("names a computed import", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a source to read, not a template.
    expect(readImports("await import(`./${name}.js`)").specifiers).toEqual([null]);
    expect(readImports("require(name)").specifiers).toEqual([null]);
  });
});
