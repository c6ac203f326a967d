import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { exitCodes } from "../../src/cli/report-error.js";
import { type CommandBlock, commandBlocks, listedBlocks } from "./document-commands.js";
import { needs, type Place } from "./document-needs.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const documents = ["README.md", "CONTRIBUTING.md"];
for (const folder of ["docs", "docs/research"])
  for (const name of await readdir(join(root, folder)))
    if (name.endsWith(".md")) documents.push(`${folder}/${name}`);
const texts = new Map(
  await Promise.all(
    documents.map(async (name) => [name, await readFile(join(root, name), "utf8")] as const),
  ),
);

const checks = "docs/research/published-tables/checks.yaml";
texts.set(checks, listedBlocks(await readFile(join(root, checks), "utf8")));

/** A shell that stops at the first error, as its reader would; in a group of its own. */
function started(script: string, { directory, variables }: Place) {
  const child = spawn("bash", ["-euc", script], {
    cwd: directory,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      PATH: [join(root, "bin"), process.env.PATH].join(delimiter),
      ...variables,
    },
  });
  const written = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      written[name] += text;
    });
  }
  return { child, written, all: () => written.stdout + written.stderr };
}

async function run(script: string, place: Place): Promise<string> {
  const { child, written, all } = started(script, place);
  const [code] = await once(child, "close");
  expect(code, `${script}\n${all().slice(-4000)}`).toBe(0);
  return written.stdout;
}

/** Begins what serves until it is interrupted, and awaits a word of it. */
async function served(line: string, { until, place }: { until: string; place: Place }) {
  const { child, all } = started(`exec ${line}`, place);
  const ended = once(child, "close");
  await Promise.race([ended, said(child, () => all().includes(until))]);
  expect(all(), line).toContain(until);
  return {
    said: all(),
    async stop() {
      child.kill("SIGINT");
      const [code] = await ended;
      expect(code, `${line}\n${all().slice(-4000)}`).toBe(exitCodes.interrupted);
    },
  };
}

const said = (child: ChildProcess, isSaid: () => boolean) =>
  new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", () => {
        if (isSaid()) resolve();
      });
    }
  });

/** The lines of it that a page shows, in the page's order. */
function shownLines(printed: string, wanted: readonly string[]): string[] {
  const lines = printed.split("\n").map((line) => line.trim());
  let at = 0;
  return wanted.filter((line) => {
    const found = lines.indexOf(line.trim(), at);
    if (found !== -1) at = found + 1;
    return found !== -1;
  });
}

const title = ({ line, notRun, runBy }: CommandBlock) => {
  if (notRun !== undefined) return `line ${line}, not run: ${notRun}`;
  return `line ${line}${runBy === undefined ? "" : `, run by ${runBy}`}`;
};

const withCommands = [...texts].filter(([, text]) => commandBlocks(text).length > 0);

describe.each(withCommands)("%s", (_, markdown) => {
  let place: Place;
  const ends: (() => Promise<void>)[] = [];
  const besides: (() => Promise<void>)[] = [];

  // A clone after `npm ci`, in which what the commands write is one's own.
  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), "touchstone-"));
    for (const name of [
      "bin",
      "data",
      "dist",
      "docs",
      "node_modules",
      "package.json",
      "packages",
    ]) {
      await symlink(join(root, name), join(directory, name));
    }
    place = {
      directory,
      markdown,
      variables: {},
      words: new Map(),
      run: (script) => run(script, place),
      async beside(line, until) {
        const { said, stop } = await served(line, { until, place });
        besides.unshift(stop);
        return said;
      },
      onEnd: (end) => ends.unshift(end),
    };
  });
  afterAll(async () => {
    for (const end of ends) await end();
    await rm(place.directory, { recursive: true, force: true });
  });

  afterEach(async () => {
    for (const stop of besides.splice(0)) await stop();
  });

  for (const block of commandBlocks(markdown)) {
    const isElsewhere = block.notRun !== undefined || block.runBy !== undefined;
    it.skipIf(isElsewhere)(title(block), { timeout: 3_600_000 }, async ({ skip }) => {
      for (const need of block.needs) {
        const supply = needs[need];
        if (supply === undefined) throw new Error(`Expected one of ${Object.keys(needs)}: ${need}`);
        const missing = await supply(place);
        if (missing !== undefined) skip(missing);
      }
      let { script } = block;
      for (const [from, to] of [...block.changes, ...place.words]) {
        if (!script.includes(from) && block.changes.some(([one]) => one === from)) {
          throw new Error(`Expected ${from} in the block`);
        }
        script = script.replaceAll(from, to);
      }
      const { until, prints } = block;
      if (until === undefined) {
        expect(shownLines(await run(script, place), prints)).toEqual(prints);
      } else {
        for (const line of script.trim().split("\n")) {
          const { said, stop } = await served(line, { until, place });
          try {
            const [address] = /http:\/\/\S+/.exec(said) ?? [];
            if (address !== undefined)
              expect((await fetch(address)).status, address).toBeLessThan(500);
          } finally {
            await stop();
          }
        }
      }
    });
  }
});
