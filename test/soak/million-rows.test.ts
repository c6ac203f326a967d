import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/temporary-directory.js";
import { touchstone } from "../support/touchstone.js";
import { youngMegabytes } from "../support/young-megabytes.js";

const rows = 1_000_000;
/** Megabytes beside the table. */
const mostMegabytes = 300;

const prompt = (row: number) => `a red thing of the kind number ${row % 50_000}`;
const share = (row: number) => ((row * 7919) % 1000) / 1000;
const four = ["clip", "vqa", "pick", "hps"];
const pair = (row: number) => [`pair-${row >> 2}`, four[row & 3], prompt(row >> 2)];

/** A table for each conclusion: its columns, a row of it, and the words beside the file. */
const tables: Record<
  string,
  {
    readonly columns: string;
    readonly row: (row: number) => readonly (string | number | undefined)[];
    readonly words?: readonly string[];
  }
> = {
  "analyze contrastive": {
    columns: "id,metric,prompt,domain,correct,adversarial",
    row: (row) => [...pair(row), "animals", share(row), share(row + 1)],
  },
  "analyze swap": {
    columns: "id,metric,prompt,original,swapped,asDescribed",
    row: (row) => [...pair(row), share(row), share(row + 1), 1],
  },
  "analyze correlation": {
    columns: "id,prompt,human,clip,vqa,pick,hps",
    row: (row) => [`image-${row}`, prompt(row), row % 5, ...four.map((_, at) => share(row * at))],
    words: ["--human", "human", "--metrics", four.join()],
  },
  "analyze agreement": {
    columns: "item,annotator,value",
    row: (row) => [`item-${Math.floor(row / 5)}`, `person ${row % 5}`, row % 4],
    words: ["--scale", "ordinal", "--resamples", "100"],
  },
  "analyze calibration": {
    columns: "id,prompt,label,probability",
    row: (row) => [`image-${row}`, prompt(row), row % 2, share(row)],
    words: ["--resamples", "100"],
  },
  "analyze significance": {
    columns: "id,method,label,probability",
    row: (row) => [
      `pair-${Math.floor(row / 5)}`,
      `judge-${row % 5}`,
      Math.floor(row / 5) % 2,
      share(row),
    ],
    words: ["--permutations", "100"],
  },
  "analyze preferences": {
    columns: "a,b,preferred,prompt,annotator",
    row: (row) => [
      ...[`model-${row % 20}`, `model-${(row + 1 + (row % 7)) % 20}`],
      ...[["a", "b", "tie"][row % 3], prompt(row), `person ${row % 5000}`],
    ],
    words: ["--interval", "delta"],
  },
  compare: {
    columns: "model,prompt,score",
    row: (row) => [`model-${row % 20}`, `a prompt ${Math.floor(row / 20)}`, share(row)],
  },
};

/** Columns of numbers; the others hold texts. */
const numbers = new Set(
  "correct,adversarial,original,swapped,human,clip,vqa,pick,hps,label,probability,score".split(","),
);

/** The most memory of a process that only reads the table, in megabytes. */
async function megabytesOfTable(file: string, columns: readonly string[]): Promise<number> {
  const kinds = columns.map((name) => `${name}: ${numbers.has(name) ? "score" : "text"}`);
  const from = (path: string) => JSON.stringify(pathToFileURL(join("dist", path)).href);
  const program = `
    import { tableBytes } from ${from("files/read-table.js")};
    import { readTable } from ${from("tables/table.js")};
    import { score, text } from ${from("tables/columns.js")};
    const source = [await tableBytes({ name: "it", path: ${JSON.stringify(file)} }, false)];
    globalThis.table = await readTable({ source, shape: { kinds: { ${kinds.join()} } } });
    console.log(process.resourceUsage().maxRSS / 1024);
  `;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program]);
  return Number(stdout);
}

test.each(Object.entries(tables))(
  "%s of a million rows takes little more memory than the table",
  {
    timeout: 1_800_000,
  },
  async (verb, { columns, row, words = [] }) => {
    const folder = await temporaryDirectory();
    const file = join(folder, "rows.csv");
    const lines = function* () {
      yield `${columns}\n`;
      for (let at = 0; at < rows; at++) yield `${row(at).join(",")}\n`;
    };
    await pipeline(Readable.from(lines()), createWriteStream(file));
    const measure = join(folder, "measure.mjs");
    await writeFile(
      measure,
      'process.on("exit", () => process.stderr.write("maxRSS " + process.resourceUsage().maxRSS));',
    );
    const started = performance.now();
    const { code, stderr } = await touchstone([...verb.split(" "), file, ...words], {
      variables: { NODE_OPTIONS: `--import=${pathToFileURL(measure).href}` },
    });
    expect(code).toBe(0);
    const seconds = Math.round((performance.now() - started) / 1000);
    const megabytes = Number(/maxRSS (\d+)/.exec(stderr)?.[1]) / 1024;
    const ofTable = await megabytesOfTable(file, columns.split(","));
    console.log({ verb, seconds, megabytes, ofTable });
    expect(megabytes).toBeGreaterThan(50);
    expect(megabytes).toBeLessThanOrEqual(ofTable + mostMegabytes + youngMegabytes);
  },
);
