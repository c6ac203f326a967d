import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const root = fileURLToPath(new URL("..", import.meta.url));
const packed = z
  .tuple([z.object({ files: z.array(z.object({ path: z.string(), size: z.number() })) })])
  .parse(
    JSON.parse(
      execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
        cwd: root,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
        maxBuffer: 64_000_000,
      }),
    ),
  )[0].files;
const paths = packed.map(({ path }) => path);

const tops = ["bin", "bridge", "data", "dist", "docs", "weights"];
const largestFile = 4_000_000;
// WebAssembly that runs the lab's models: three of the files of onnxruntime-web, which has 139 MB in all.
const runtime = "dist/onnxruntime/";
const largestRuntime = 14_500_000;
const largestWeights = 26_000_000;
// Without the runtime. Weights may take 26 of them, the pages of the studio and of studies 3.
const largestPackage = 37_000_000;

describe("the package", () => {
  it.each([
    "package.json",
    "README.md",
    "LICENSE",
    // README shows them.
    "docs/audit.png",
    "docs/report.png",
    "docs/studio.png",
    "NOTICE",
    "bin/touchstone",
    "dist/index.js",
    "dist/index.d.ts",
    "dist/cli/main.js",
    "dist/lab/art.json",
    "dist/onnxruntime/ort-wasm-simd-threaded.wasm",
    "dist/web/studio.html",
    "data/config.schema.json",
    "data/config.template.yaml",
    "data/prototypicality/taxonomy.yaml",
    "data/lab/world.yaml",
    "bridge/touchstone_bridge/__main__.py",
  ])("holds %s", (path) => {
    expect(paths).toContain(path);
  });

  it("holds every file of data and weights", () => {
    for (const folder of ["data", "weights"]) {
      const there = readdirSync(`${root}/${folder}`, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length).replace(/^\//, ""));
      expect(there.length).toBeGreaterThan(3);
      expect(paths).toEqual(expect.arrayContaining(there));
    }
  });

  it("holds nothing foreign: no source, test, training or notes", () => {
    const foreign = paths.filter(
      (path) =>
        !(tops.includes(path.split("/")[0] ?? "") && path.includes("/")) &&
        !/^(package\.json|README\.md|LICENSE|NOTICE)$/.test(path),
    );
    expect(foreign).toEqual([]);
    const notForUsers = /\.test\.|\/fixtures\/|\/tests?\/|(?<!\.d)\.ts$|\.map$|\.npz$|(^|\/)\.[^/]/;
    expect(paths.filter((path) => notForUsers.test(path))).toEqual([]);
    // Python is what the bridge is made of, and nothing else.
    const python = paths.filter((path) => path.endsWith(".py"));
    expect(python.filter((path) => !path.startsWith("bridge/touchstone_bridge/"))).toEqual([]);
  });

  it("is light", () => {
    const total = (of: typeof packed) => of.reduce((sum, { size }) => sum + size, 0);
    const ours = packed.filter(({ path }) => !path.startsWith(runtime));
    expect(ours.filter(({ size }) => size > largestFile)).toEqual([]);
    expect(total(ours)).toBeLessThan(largestPackage);
    expect(total(packed) - total(ours)).toBeLessThan(largestRuntime);
    const weights = packed.filter(({ path }) => path.startsWith("weights/"));
    expect(total(weights)).toBeLessThanOrEqual(largestWeights);
  });
});

describe("the version", () => {
  const read = (path: string) => readFileSync(`${root}/${path}`, "utf8");
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(read("package.json")));

  it.each([
    ...["package-lock.json", "CHANGELOG.md", "docs/cite.md", "docs/gate.md"],
    ...["action/action.yml", "action/gate.sh"],
    ...["deploy/kubernetes/study.yaml", "deploy/kubernetes/workers.yaml"],
  ])("is the package's own in %s", (path) => {
    const named =
      /(?:touchstone(?:-t2i)?[@:]|action@v|version = \{|^## \[|"touchstone-t2i",\s+"version": ")(\d+\.\d+\.\d+)/gm;
    const versions = [...read(path).matchAll(named)].map(([, found]) => found);
    // A changelog goes on with what came before.
    expect(path === "CHANGELOG.md" ? versions.slice(0, 1) : [...new Set(versions)]).toEqual([
      version,
    ]);
  });
});
