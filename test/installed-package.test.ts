import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

const root = fileURLToPath(new URL("..", import.meta.url));
const manifestSchema = z.object({
  exports: z.record(z.string(), z.unknown()),
  dependencies: z.record(z.string(), z.string()),
  peerDependencies: z.record(z.string(), z.string()),
});
const manifestOf = async (folder: string) =>
  manifestSchema.parse(JSON.parse(await readFile(join(root, folder, "package.json"), "utf8")));
const own = await manifestOf("");
const ofLab = await manifestOf("packages/lab");

const read = (names: readonly string[]) =>
  Promise.all(names.map((name) => readFile(join(root, name), "utf8")));
const documents = await read(["README.md", "docs/library.md"]);
const examples = [
  ...[...documents.join("\n").matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code),
  ...(await read(readdirSync(join(root, "examples")).map((name) => `examples/${name}`))),
];

/** The folder of a user who installed the package and nothing else, and of one who has the lab, too. */
const alone = await mkdtemp(join(tmpdir(), "touchstone-"));
const project = await mkdtemp(join(tmpdir(), "touchstone-"));

const packedSchema = z.tuple([
  z.object({
    filename: z.string(),
    files: z.array(z.object({ path: z.string(), size: z.number() })),
  }),
]);
/** Packs the package in a folder of the repository. */
function pack(folder: string) {
  const words = ["pack", "--json", "--ignore-scripts", "--pack-destination", project];
  const printed = execFileSync("npm", words, {
    cwd: join(root, folder),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 64e6,
  });
  const [packed] = packedSchema.parse(JSON.parse(printed));
  return { ...packed, paths: packed.files.map(({ path }) => path) };
}
const tool = pack("");
const lab = pack("packages/lab");

// In bytes as they lie on the disk. The pages of the studio and of studies take 3 MB of the tool.
const largestTool = 12_000_000;
const largestFile = 2_000_000;
// 26 MB of weights, and WebAssembly that runs them: 14 MB of the 139 that onnxruntime-web has.
const largestLab = 43_000_000;
const largestOfLab = 14_500_000;

/** Unpacks packages into a folder, and what npm would install beside them, from here in place of the registry. */
async function install(into: string, packages: Readonly<Record<string, { filename: string }>>) {
  const modules = join(into, "node_modules");
  for (const [name, { filename }] of Object.entries(packages)) {
    await mkdir(join(modules, name), { recursive: true });
    const words = ["--strip-components=1", "-C", join(modules, name)];
    execFileSync("tar", ["-xzf", join(project, filename), ...words]);
  }
  for (const name of [...Object.keys(own.dependencies), "@types/node"]) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(root, "node_modules", name), join(modules, name));
  }
}

beforeAll(async () => {
  await install(alone, { "touchstone-t2i": tool });
  await install(project, { "touchstone-t2i": tool, "touchstone-t2i-lab": lab });
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

afterAll(async () => {
  for (const folder of [alone, project]) await rm(folder, { recursive: true, force: true });
});

describe("the package, installed in an empty folder", () => {
  it("is strictly typed in the examples of README, docs/library.md and examples", () => {
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
    const entries = [
      ...Object.keys(own.exports).map((entry) => ({
        entry,
        of: own,
        at: "",
        name: "touchstone-t2i",
      })),
      { entry: ".", of: ofLab, at: "packages/lab", name: "touchstone-t2i-lab" },
    ].filter(({ entry }) => !["./package.json", "./internal/*"].includes(entry));
    expect(entries.length).toBeLessThanOrEqual(10);
    const shown = new Set(examples.flatMap((code) => importedNames(code)));
    let names = 0;
    for (const { entry, of, at, name } of entries) {
      const from = entry.replace(".", name);
      const declared = z.object({ types: z.string() }).parse(of.exports[entry]).types;
      const text = await readFile(join(root, at, declared), "utf8");
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

const bin = (folder: string) => join(folder, "node_modules/touchstone-t2i/bin/touchstone");
const touchstone = (folder: string, words: readonly string[], input?: string) =>
  spawnSync(process.execPath, [bin(folder), ...words], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env.PATH },
    ...(input === undefined ? {} : { input }),
  });

describe("the tool without the lab", () => {
  it("concludes from tables", () => {
    for (const [name, ...words] of [
      ["contrastive", "analyze", "contrastive", "-"],
      ["compare", "compare", "-"],
      ["compare", "doctor", "completion", "bash"],
    ] as const) {
      const { stdout } = touchstone(alone, ["example", name]);
      const { status, stderr } = touchstone(alone, words, stdout);
      expect(status, stderr).toBe(0);
    }
  });

  it("serves the studio and a study", async () => {
    expect(touchstone(project, ["example", "study", "--out", "set"]).status).toBe(0);
    const create = ["study", "create", join(project, "set/study.yaml"), "--run", "study"];
    expect(touchstone(alone, create).status).toBe(0);
    for (const words of [
      ["studio", ".", "--no-open"],
      ["study", "serve", "study"],
    ]) {
      const child = spawn(process.execPath, [bin(alone), ...words, "--port", "0", "--json"], {
        cwd: alone,
        env: { PATH: process.env.PATH },
      });
      const [line] = await once(createInterface(child.stdout), "line");
      const { url } = z.object({ url: z.string() }).parse(JSON.parse(line));
      const page = await fetch(url);
      expect(await page.text()).toContain("<!doctype html>");
      child.kill();
      await once(child, "close");
    }
  });

  it.each([
    ["demo"],
    ["lab", "--help"],
    ["lab", "experiment", "claims", "answers.jsonl"],
    ["score", "images", "--model", "lab:vqa"],
    ["build", "--drawable-by", "lab:painter"],
    ["generate", "--run", "runs/benchmark"],
    ["card", "--metric", "vqa-score", "--model", "openai-compatible:NAME"],
    ["example", "calibrate", "--out", "pairs"],
  ])("says how to install it: %s %s %s", (...words) => {
    const { status, stderr } = touchstone(alone, words);
    expect(stderr).toContain(
      `npm install touchstone-t2i-lab@${ofLab.peerDependencies["touchstone-t2i"]}`,
    );
    expect(status).toBe(2);
    expect(touchstone(project, [words[0] ?? "", "--help"]).status).toBe(0);
  });

  it("says so in doctor, as of something optional", () => {
    const { status, stdout } = touchstone(alone, ["doctor", "--json"]);
    const { checks } = z
      .object({ checks: z.array(z.object({ name: z.string(), state: z.string() })) })
      .parse(JSON.parse(stdout));
    expect(checks.find(({ name }) => name === "lab")?.state).toBe("missing");
    expect(status).toBe(0);
  });
});

describe("with the lab", () => {
  it("asks its models", () => {
    const { status, stderr } = touchstone(project, ["example", "score", "--out", "pictures"]);
    expect(status, stderr).toBe(0);
    const words = ["score", "pictures/captions.csv", "--model", "lab:vqa", "--json"];
    expect(touchstone(project, words).status).toBe(0);
  });
});

describe("what the packages hold", () => {
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
    "dist/web/studio.html",
    "data/config.schema.json",
    "data/config.template.yaml",
    "data/prototypicality/taxonomy.yaml",
    "bridge/touchstone_bridge/__main__.py",
  ])("the tool holds %s", (path) => {
    expect(tool.paths).toContain(path);
  });

  it.each([
    "package.json",
    "README.md",
    "LICENSE",
    "NOTICE",
    "dist/index.d.ts",
    "dist/tool.js",
    "dist/art.json",
    "dist/onnxruntime/ort-wasm-simd-threaded.wasm",
    "data/world.yaml",
  ])("the lab holds %s", (path) => {
    expect(lab.paths).toContain(path);
  });

  it.each([
    ["", "data", tool.paths],
    ["packages/lab/", "data", lab.paths],
    ["packages/lab/", "weights", lab.paths],
  ])("they hold every file of %s%s", (place, folder, paths) => {
    const there = readdirSync(`${root}${place}${folder}`, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`.slice(`${root}${place}`.length))
      .map((path) => path.replace(/^\//, ""));
    expect(there.length).toBeGreaterThan(3);
    expect(paths).toEqual(expect.arrayContaining(there));
  });

  it.each([
    ["tool", tool.paths, ["bin", "bridge", "data", "dist", "docs"]],
    ["lab", lab.paths, ["data", "dist", "weights"]],
  ])("the %s holds nothing foreign: no source, test, training or notes", (_, paths, tops) => {
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

  it.each([
    ["tool", tool.files, largestTool, largestFile],
    ["lab", lab.files, largestLab, largestOfLab],
  ])("the %s is light", (_, files, largest, largestFile) => {
    expect(files.filter(({ size }) => size > largestFile)).toEqual([]);
    expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(largest);
  });
});
