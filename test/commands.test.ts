import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { earlierNames, verbs } from "../src/cli/verbs.js";
import { listedCommands } from "./support/listed-commands.js";
import { parsedNext } from "./support/next-commands.js";
import { sampleCommands } from "./support/sample-commands.js";
import { temporaryDirectory } from "./support/temporary-directory.js";
import { touchstone } from "./support/touchstone.js";
import { touchstoneHere } from "./support/touchstone-here.js";

const commands = await listedCommands(verbs);
const samples = await sampleCommands();
/** Verbs that only have verbs of their own. */
const groups = new Set(
  commands.flatMap(({ path }) => {
    const words = path.split(" ");
    return words.slice(0, -1).map((_, at) => words.slice(0, at + 1).join(" "));
  }),
);
for (const { path } of commands) groups.delete(path);
const bin = fileURLToPath(new URL("../bin/touchstone", import.meta.url));

describe("touchstone", () => {
  it("has the verbs of this version", () => {
    expect(commands.map(({ path }) => path).sort()).toEqual(
      [
        ...samples.map(({ path }) => path),
        "audit",
        "build",
        "calibrate",
        "card diff",
        "demo",
        "doctor",
        "doctor completion",
        "doctor init",
        "evidence",
        "evidence collect",
        "evidence fetch",
        "evidence sets",
        "example",
        "export pairs",
        "export results",
        "generate",
        "import arena",
        "import evalscope",
        "import heim",
        "import inspect-ai",
        "import label-studio",
        "import lm-eval",
        "import lmms-eval",
        "import promptfoo",
        "judge",
        "judge prompts lint",
        "judge prompts list",
        "judge prompts sample",
        "judge prompts show",
        "judge verify",
        "lab evaluate",
        "lab experiment claims",
        "lab experiment ensemble",
        "lab experiment grouping",
        "lab experiment no-preference",
        "lab experiment proto-score",
        "lab serve",
        "label degrade",
        "leaderboard",
        "metrics",
        "metrics localize",
        "metrics models",
        "query",
        "report",
        "run clean",
        "run exclude",
        "run explain",
        "run export",
        "run finish",
        "run perform",
        "run plan",
        "run resume",
        "run status",
        "run verify",
        "score",
        "studio",
        "studio export",
        "study close",
        "study code",
        "study copy",
        "study create",
        "study erase",
        "study export",
        "study import",
        "study invite",
        "study panel",
        "study page",
        "study plan",
        "study serve",
        "study status",
        "study transcript",
      ].sort(),
    );
  });

  it("lists every verb that a file declares", async () => {
    const folders = ["../src/cli/verbs/", "../src/conclusions/", "../packages/lab/src/verbs/"];
    const texts = await Promise.all(
      folders.map(async (from) => {
        const folder = fileURLToPath(new URL(from, import.meta.url));
        const names = (await readdir(folder, { recursive: true })).filter(
          (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
        );
        return Promise.all(
          names.map(async (name) => ({ name, text: await readFile(join(folder, name), "utf8") })),
        );
      }),
    );
    const declares =
      /^(?:export default|(?:export )?const \w+ =) (?:command|conclusion)\(|: Command =>\s+command\(/gm;
    // `card` is a conclusion with a verb of its own around it, in a file of the same name.
    const declared = new Set(
      texts
        .flat()
        .flatMap(({ name, text }) => text.match(declares)?.map((_, at) => `${name} ${at}`) ?? []),
    );
    // Those of import are made from a list of tools.
    const own = commands.filter(({ path }) => !path.startsWith("import "));
    // `analyze FILE`, which says which of its verbs the table is for, is none of them.
    expect(declared.size).toBe(own.length + 1);
  });

  it("shows its verbs", async () => {
    const { code, stdout, stderr } = await touchstone(["--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const { name, summary } of verbs) {
      if (name.includes(" ")) continue;
      expect(stdout.replace(/\s+/g, " ")).toContain(`${name} ${summary}`);
    }
  });

  it.each(["", ...groups])(
    "shows examples that work in the help of verbs with verbs of their own: %s",
    async (name) => {
      const { stdout } = await inProcess([...name.split(" ").filter(Boolean), "--help"]);
      const [, listed = ""] = /^Examples:\n((?: {2}.+\n)+)/m.exec(stdout) ?? [];
      const lines = listed.trim().split(/\n\s*/);
      for (const line of lines) expect(await parsedNext(line)).not.toEqual([]);
      if (name !== "") expect(lines[0]).toContain(`touchstone ${name} `);
    },
  );

  it("refuses an unknown verb with the nearest one", async () => {
    const { code, stdout, stderr } = await touchstone(["docter"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("Did you mean doctor?");
  });

  it("lists at most 24 verbs, and none by an earlier name", async () => {
    const { stdout } = await inProcess(["--help"]);
    const listed = [...stdout.matchAll(/^ {2}([a-z-]+) {2,}/gm)].map(([, name = ""]) => name);
    expect(listed.length).toBeGreaterThan(20);
    expect(listed.length).toBeLessThanOrEqual(24);
    expect(listed.filter((name) => earlierNames.has(name))).toEqual([]);
  });

  it.each([...earlierNames])("runs %s as %s, and says so on stderr alone", async (name, now) => {
    const today = await inProcess([...now.split(" "), "--help"]);
    expect(today).toMatchObject({ code: 0, stderr: "" });
    const note = `Note: touchstone ${name} is now touchstone ${now}\n`;
    for (const words of [
      [name, "--help"],
      ["help", name],
    ])
      expect(await inProcess(words)).toEqual({ ...today, stderr: note });
    expect((await inProcess([name, "--help", "--json"])).stderr).toBe("");
    expect((await inProcess([`${name}x`])).stderr).toContain(`Did you mean ${now}?`);
  });

  it.each(["--help", "analyze --help"])(
    "loads no image, model or plot code for %s",
    async (words) => {
      expect(await heavyModules(words.split(" "))).toEqual([]);
    },
  );

  it("is quiet when its reader has read enough", async () => {
    const child = spawn(process.execPath, [bin, "--help"], { stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.destroy();
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      stderr += chunk;
    });
    const [code] = await once(child, "close");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it("ends with the code of what it found where nobody reads it", async () => {
    const words = ["compare", "-", "--fail-under", "2"];
    const child = spawn(process.execPath, [bin, ...words], { stdio: ["pipe", "pipe", "pipe"] });
    child.stdout.destroy();
    child.stderr.destroy();
    child.stdin.end("model,prompt,score\na,p1,0.1\na,p2,0.2\nb,p1,0.3\nb,p2,0.3\n");
    expect((await once(child, "close"))[0]).toBe(4);
  });
});

/** Which image, model and plot code a command line loads, by Node's own trace of it. */
async function heavyModules(words: readonly string[], stdin = ""): Promise<string[]> {
  const child = spawn(process.execPath, [bin, ...words], {
    env: { PATH: process.env.PATH, NODE_DEBUG: "esm,module" },
  });
  let text = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  child.stdin.end(stdin);
  const [code] = await once(child, "close");
  expect(code, words.join(" ")).toBe(0);
  expect(text, "the trace of loaded modules").toContain("dist/cli/main.js");
  const heavy =
    /node_modules\/(?:sharp|vega|vega-lite|@resvg|@huggingface)\/|dist\/onnxruntime\/|dist\/report\/(?:svg|png|plots\/[\w-]+)\.js|dist\/views\/figures\/[\w-]+\.js|dist\/conclusions\/[\w-]+\/[\w-]*figure\.js/g;
  return [...new Set(text.match(heavy))].sort();
}

describe("conclusions from a table", () => {
  it.each(samples.filter(({ isPlain }) => isPlain))(
    "$path loads no image, model or plot code without --plot",
    async ({ path, flags, quick, sample }) => {
      const out = join(await temporaryDirectory(), "out.md");
      const words = [...path.split(" "), "-", ...flags, ...quick, "--out", out];
      expect(await heavyModules(words, sample)).toEqual([]);
    },
  );

  it("loads it with --plot", async () => {
    const plot = join(await temporaryDirectory(), "plot.svg");
    const words = ["analyze", "contrastive", "-", "--plot", plot];
    const sample = samples.find(({ name }) => name === "contrastive")?.sample;
    expect(await heavyModules(words, sample)).toEqual(
      expect.arrayContaining(["dist/conclusions/contrastive/figure.js", "node_modules/vega/"]),
    );
  });
});

describe("an interrupted touchstone", () => {
  /** A metric that answers no more than `ending` lets it, once it has said that it was asked. */
  async function interrupted(ending: string, interruptions: number) {
    const workingDirectory = await temporaryDirectory();
    const metric = `export default {
      name: "slow", range: [0, 1], direction: "higher",
      score(_, { signal }) {
        const awake = setInterval(() => {}, 1000);
        process.stderr.write("asked\\n");
        return new Promise((resolve, reject) => {
          signal.addEventListener("abort", () => { ${ending} });
        });
      },
    };`;
    await writeFile(join(workingDirectory, "slow.mjs"), metric);
    await sharp({ create: { width: 4, height: 4, channels: 3, background: "red" } })
      .png()
      .toFile(join(workingDirectory, "red.png"));
    const words = ["score", "--image", "red.png", "--text", "red", "--metric", "./slow.mjs"];
    const child = spawn(process.execPath, [bin, ...words], { cwd: workingDirectory });
    let stderr = "";
    let sent = 0;
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      stderr += chunk;
      const isReady = sent === 0 ? stderr.includes("asked") : stderr.includes("interrupt again");
      if (!isReady || sent === interruptions) return;
      sent++;
      child.kill("SIGINT");
    });
    const [code] = await once(child, "close");
    return { code, stderr };
  }

  it("stops after the work in hand and ends with 130", async () => {
    const { code, stderr } = await interrupted("clearInterval(awake); reject(signal.reason);", 1);
    expect(code).toBe(130);
    expect(stderr).not.toContain("fault");
  });

  it("stops at once when it is interrupted again", async () => {
    expect((await interrupted("", 2)).code).toBe(130);
  });

  it("ends at once where the verb never looks for an interruption", async () => {
    const child = spawn(process.execPath, [bin, "analyze", "calibration", "-"]);
    const ended = once(child, "close");
    const columns = "id,label,probability\n";
    // Once so much has gone, the verb is at work; the end of its table never comes.
    await new Promise((resolve) => {
      child.stdin.write(columns + "pair,1,0.9\n".repeat(100_000), resolve);
    });
    child.kill("SIGINT");
    // A shell calls that 130.
    expect(await ended).toEqual([null, "SIGINT"]);
  });
});

/** As bin/touchstone does it, without the start of a process for each of dozens of lines. */
async function inProcess(words: readonly string[], workingDirectory?: string) {
  return touchstoneHere(words, workingDirectory === undefined ? {} : { workingDirectory });
}

describe.each(commands)("touchstone $path", ({ path, command }) => {
  const words = path.split(" ");

  it("shows a help with an example of itself, in 100 columns", async () => {
    const { code, stdout, stderr } = await inProcess([...words, "--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`Usage: touchstone ${path}`);
    expect(stdout).toContain("--json");
    for (const argument of Object.values(command.arguments)) {
      if (argument.kind !== "positional") continue;
      for (const flag of argument.flags ?? []) expect(argument.description).toContain(`--${flag}`);
    }
    for (const example of command.examples) {
      expect(stdout).toContain(`  ${example}\n`);
      expect(example).toContain(`touchstone ${path}`);
    }
    // A default is said one way, in parentheses.
    for (const { description } of Object.values(command.arguments))
      expect(description).not.toMatch(/[;,] default/);
    const text = stdout.slice(0, stdout.indexOf("Examples:"));
    expect(text.split("\n").filter((line) => line.length > 100)).toEqual([]);
  });

  it("refuses an unknown flag and leaves nothing behind", async () => {
    const workingDirectory = await temporaryDirectory();
    const { code, stdout, stderr } = await inProcess([...words, "--jsom"], workingDirectory);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(
      `Error: Unknown flag --jsom for ${path}\n` +
        `Did you mean --json? See: touchstone ${path} --help\n`,
    );
    const asJson = await inProcess([...words, "--json", "--jsom"], workingDirectory);
    expect(JSON.parse(asJson.stderr)).toMatchObject({ error: { code: "input" } });
    expect(await readdir(workingDirectory)).toEqual([]);
  });
});
