// node bench/growth-of-verbs.mjs [--write] [MOST_ROWS [LONGEST [VERB]]]
//
// How time and memory of the main verbs grow with the rows of a table, of which each has an image of its own up to
// 100,000: whole processes, processor seconds and peak memory, once each. --write: the table in README.md and the
// figure docs/research/growth-of-verbs.svg. A size is left out where the one before took more than LONGEST seconds (20).

import { spawnSync } from "node:child_process";
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { randomFrom } from "../dist/core/random.js";
import { svgFileOf } from "../dist/report/drawing/svg.js";
import { writeContrastiveRows } from "./contrastive-rows.mjs";
import { words, writeBetweenMarks } from "./written-table.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const most = Number(words[0] ?? 10_000_000);
const sizes = [1e3, 1e4, 1e5, 1e6, 1e7].filter((rows) => rows <= most);
const longest = Number(words[1] ?? 20);
const mostImages = 1e5;

const sayUsage =
  'data:text/javascript,process.on("exit", () => { const { userCPUTime, systemCPUTime, maxRSS } = ' +
  'process.resourceUsage(); process.stderr.write("peak " + maxRSS + " seconds " + ' +
  '(userCPUTime + systemCPUTime) / 1e6 + "\\n") })';

const random = randomFrom("bench", "growth");
const lines = (head, line) => async (path, rows) => {
  const file = createWriteStream(path);
  file.write(`${head}\n`);
  for (let row = 0; row < rows; row++) {
    if (!file.write(`${line(row)}\n`)) await new Promise((go) => file.once("drain", go));
  }
  file.end();
  await finished(file);
};
const rating = () => 1 + random.integer(5);

/** The verbs: how their table is written, and what is asked of it. */
const verbs = {
  "analyze contrastive": [writeContrastiveRows, (table) => ["analyze", "contrastive", table]],
  "analyze correlation": [
    lines("id,prompt,rating,clip-score,vqa-score", (row) =>
      [row, `text ${row >> 2}`, rating(), random.next(), random.next()].join(","),
    ),
    (table) => ["analyze", "correlation", table, "--human", "rating"],
  ],
  "analyze agreement": [
    lines("item,annotator,value", (row) => `${Math.floor(row / 5)},rater ${row % 5},${rating()}`),
    (table) => ["analyze", "agreement", table, "--scale", "ordinal"],
  ],
  compare: [
    lines("model,prompt,score", (row) => `model ${row % 3},text ${row >> 3},${random.next()}`),
    (table) => ["compare", table],
  ],
  score: [
    lines(
      "id,image,text",
      (row) => `${row},images/${row % mostImages}.png,A picture of ${row} cats`,
    ),
    (table, folder) => [
      ...["score", table, "--metric", join(folder, "length.mjs"), "--no-sanity"],
      ...["--out", join(folder, "scores.csv")],
    ],
  ],
};

const asked = Object.entries(verbs).filter(([verb]) => words[2] === undefined || verb === words[2]);
const folder = mkdtempSync(join(tmpdir(), "touchstone-growth-"));
const found = [];
try {
  mkdirSync(join(folder, "images"));
  writeFileSync(
    join(folder, "length.mjs"),
    'export default { name: "length", range: [0, 1], direction: "higher", score: async ({ text }) => (text.length % 10) / 10 };\n',
  );
  const raw = { width: 32, height: 32, channels: 3 };
  let images = 0;
  for (const [verb, [write, ask]] of asked) {
    for (const rows of sizes) {
      const table = join(folder, "table.csv");
      await write(table, rows);
      for (; verb === "score" && images < Math.min(rows, mostImages); images++) {
        const pixels = new Uint32Array((raw.width * raw.height * 3) / 4).fill(images);
        await sharp(new Uint8Array(pixels.buffer), { raw })
          .png()
          .toFile(join(folder, "images", `${images}.png`));
      }
      const program = ["--import", sayUsage, here("../bin/touchstone"), ...ask(table, folder)];
      const { status, stderr } = spawnSync(process.execPath, program, {
        cwd: folder,
        encoding: "utf8",
        maxBuffer: 1 << 26,
      });
      const [, peak, cpu] = /peak (\d+) seconds ([\d.]+)\s*$/.exec(stderr) ?? [];
      if (status !== 0) throw new Error(`${verb}, ${rows} rows: exit ${status}: ${stderr}`);
      found.push({ verb, rows, seconds: Number(cpu), mebibytes: Math.round(peak / 1024) });
      console.log(found.at(-1));
      rmSync(join(folder, ".touchstone"), { recursive: true, force: true });
      if (Number(cpu) > longest) break;
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}

if (process.argv.includes("--write")) {
  const cell = (verb, rows) => {
    const one = found.find((each) => each.verb === verb && each.rows === rows);
    return one === undefined
      ? "–"
      : `${one.seconds < 100 ? one.seconds.toPrecision(2) : Math.round(one.seconds)} s, ${one.mebibytes} MiB`;
  };
  const count = (rows) => rows.toLocaleString("en-US");
  const conditions =
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} processors (${cpus()[0].model.trim()}), load ` +
    `${loadavg()[0].toFixed(1)}, Node ${process.version.slice(1)}. Processor seconds and peak memory of a whole process, once each.`;
  writeBetweenMarks(
    "growth",
    [
      conditions,
      "",
      `| rows | ${sizes.map(count).join(" | ")} |`,
      `| --- | ${sizes.map(() => "---:").join(" | ")} |`,
      ...asked.map(
        ([verb]) => `| \`${verb}\` | ${sizes.map((rows) => cell(verb, rows)).join(" | ")} |`,
      ),
    ].join("\n"),
  );
  const log = { type: "log" };
  const panel = (field, title) => ({
    width: 300,
    height: 220,
    mark: { type: "line", point: true },
    encoding: {
      x: {
        field: "rows",
        type: "quantitative",
        scale: log,
        title: "rows",
        axis: { values: sizes, format: "~s" },
      },
      y: { field, type: "quantitative", scale: log, title },
      color: { field: "verb", type: "nominal", title: null, sort: null },
      shape: { field: "verb", type: "nominal", sort: null, legend: null },
    },
  });
  const svg = await svgFileOf({
    description:
      "Processor seconds and peak memory of five verbs by the rows of a table, both on logarithmic scales",
    data: { values: found },
    hconcat: [panel("seconds", "processor seconds"), panel("mebibytes", "peak memory (MiB)")],
  });
  writeFileSync(here("../docs/research/growth-of-verbs.svg"), svg);
}
