import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

const root = fileURLToPath(new URL("..", import.meta.url));
const own = z
  .object({
    exports: z.record(z.string(), z.unknown()),
    dependencies: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(await readFile(join(root, "package.json"), "utf8")));

const shown = await Promise.all(
  ["README.md", "docs/library.md"].map((name) => readFile(join(root, name), "utf8")),
);
const examples = [...shown.join("\n").matchAll(/```ts\n([\s\S]*?)```/g)].map(
  ([, code = ""]) => code,
);

/** The folder of a user who installed the package and nothing else. */
const project = await mkdtemp(join(tmpdir(), "touchstone-"));
const [packed] = z
  .tuple([
    z.object({
      filename: z.string(),
      files: z.array(z.object({ path: z.string(), size: z.number() })),
    }),
  ])
  .parse(
    JSON.parse(
      execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", project], {
        cwd: root,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
        maxBuffer: 64e6,
      }),
    ),
  );
const files = packed.files;
const paths = files.map(({ path }) => path);

const tops = ["bin", "bridge", "data", "dist", "docs", "weights"];
const largestFile = 4_000_000;
// WebAssembly that runs the lab's models: three of the files of onnxruntime-web, which has 139 MB in all.
const runtime = "dist/onnxruntime/";
const largestRuntime = 14_500_000;
const largestWeights = 26_000_000;
// Without the runtime. Weights may take 26 of them, the pages of the studio and of studies 3.
const largestPackage = 37_600_000;

beforeAll(async () => {
  const modules = join(project, "node_modules");
  await mkdir(join(modules, "touchstone-t2i"), { recursive: true });
  const into = ["--strip-components=1", "-C", join(modules, "touchstone-t2i")];
  execFileSync("tar", ["-xzf", join(project, packed.filename), ...into]);
  // What npm would install beside it, from here in place of the registry.
  for (const name of [...Object.keys(own.dependencies), "@types/node"]) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(root, "node_modules", name), join(modules, name));
  }
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    target: "es2023",
    module: "nodenext",
    types: ["node"],
    outDir: "out",
  };
  const settings = JSON.stringify({ compilerOptions, include: ["*.ts"] });
  await writeFile(join(project, "tsconfig.json"), settings);
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
  for (const [at, code] of examples.entries()) {
    await writeFile(join(project, `example-${at}.ts`), code);
  }
});

afterAll(() => rm(project, { recursive: true, force: true }));

describe("the package, installed in an empty folder", () => {
  it("is strictly typed in the examples of README and docs/library.md", () => {
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    // Threads check what they share once each: beside other tests that is twice the work.
    const words = [compiler, "-p", project, "--singleThreaded"];
    const { stdout } = spawnSync(process.execPath, words, {
      encoding: "utf8",
    });
    expect(stdout).toBe("");
  });

  it("prints what these examples say, where they need no model from elsewhere", () => {
    const local = [...examples.entries()].filter(([, code]) => !code.includes("transformersJs"));
    for (const [at, code] of local) {
      const printed = execFileSync(process.execPath, [`out/example-${at}.js`], {
        cwd: project,
        encoding: "utf8",
        // Where FORCE_COLOR is set, numbers would be coloured.
        env: { PATH: process.env.PATH },
      }).split("\n");
      // A remark beside a print is what it prints, where it begins with no word of a sentence.
      const said = [...code.matchAll(/console\.log\(.*\/\/ ([\d[].*|true|[\w-]+(?: [\d.]+)?)$/gm)];
      expect(printed, code).toEqual(expect.arrayContaining(said.map(([, line]) => line)));
    }
    expect(local.length).toBeGreaterThan(6);
  });

  it("exports nothing that no example shows, and few names in few entries", async () => {
    const entries = Object.keys(own.exports).filter((entry) => entry !== "./package.json");
    expect(entries.length).toBeLessThanOrEqual(10);
    const shown = new Set(examples.flatMap((code) => importedNames(code)));
    let names = 0;
    for (const entry of entries) {
      const from = entry.replace(".", "touchstone-t2i");
      const declared = z.object({ types: z.string() }).parse(own.exports[entry]).types;
      const text = await readFile(join(root, declared), "utf8");
      names += [...text.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = ""]) =>
        list.split(","),
      ).length;
      const program = `console.log(Object.keys(await import("${from}")).join("\\n"))`;
      const words = ["--input-type=module", "-e", program];
      const exported = execFileSync(process.execPath, words, { cwd: project, encoding: "utf8" });
      expect(
        exported
          .trim()
          .split("\n")
          .filter((name) => !shown.has(`${from} ${name}`)),
      ).toEqual([]);
    }
    expect(names).toBeLessThanOrEqual(250);
  });
});

/** What a program imports of the package, as "ENTRY NAME". */
const importedNames = (code: string) =>
  [...code.matchAll(/import \{([^}]*)\} from "(touchstone-t2i[^"]*)"/g)].flatMap(
    ([, list = "", entry]) => list.split(",").map((name) => `${entry} ${name.trim()}`),
  );

describe("what the package holds", () => {
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
      const there = readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })
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
    const total = (of: typeof files) => of.reduce((sum, { size }) => sum + size, 0);
    const ours = files.filter(({ path }) => !path.startsWith(runtime));
    expect(ours.filter(({ size }) => size > largestFile)).toEqual([]);
    expect(total(ours)).toBeLessThan(largestPackage);
    expect(total(files) - total(ours)).toBeLessThan(largestRuntime);
    const weights = files.filter(({ path }) => path.startsWith("weights/"));
    expect(total(weights)).toBeLessThanOrEqual(largestWeights);
  });
});
