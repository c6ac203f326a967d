// What a bench found, as lines on the terminal and, with --write, as its table in README.md.

import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { inSeconds } from "./side-by-side.mjs";

const readme = fileURLToPath(new URL("./README.md", import.meta.url));

/** The words of the command line but for --write. */
export const words = process.argv.slice(2).filter((word) => word !== "--write");

/** Prints what `sideBySide` found of one task. */
export function printFound(task, { aim, ...found }) {
  console.log(task);
  const others = Object.entries(found.others).map(
    ([name, seconds]) => `${name} ${inSeconds(seconds)}`,
  );
  console.log(
    `  ours ${inSeconds(found.ours)}, ${found.peer} ${inSeconds(found.theirs)}` +
      (others.length === 0 ? "" : ` (${others.join(", ")})`),
  );
  console.log(
    `  ${ratioText(found)} times as fast, the least and most of ${found.turns} turns in brackets; aim ${aim}`,
  );
}

/** Writes the table between the marks of README.md that name the bench, where --write was given. */
export function writeTable(bench, { versions, conditions, rows }) {
  if (!process.argv.includes("--write")) return;
  const lines = [
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} processors (${cpus()[0].model.trim()}), load ${loadavg()[0].toFixed(1)}, ` +
      `Node ${process.version.slice(1)}, ${versions}. ${conditions}`,
    "",
    "| task | ours | best peer | its time | times as fast | aim |",
    "| --- | ---: | --- | ---: | ---: | ---: |",
    ...rows.map(
      ({ task, aim, ...found }) =>
        `| ${task} | ${inSeconds(found.ours)} | ${found.peer} | ${inSeconds(found.theirs)} | ${ratioText(found)} | ${aim} |`,
    ),
  ];
  writeBetweenMarks(bench, lines.join("\n"));
}

/** Replaces what stands between `<!-- BENCH -->` and `<!-- /BENCH -->` in README.md. */
export function writeBetweenMarks(bench, text) {
  const page = readFileSync(readme, "utf8");
  const [start, end] = [`<!-- ${bench} -->`, `<!-- /${bench} -->`];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`Expected ${start} and ${end} in bench/README.md`);
  writeFileSync(readme, `${page.slice(0, from + start.length)}\n${text}\n${page.slice(to)}`);
}

function ratioText({ ratio, low, high }) {
  const digits = (value) =>
    value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toPrecision(2);
  return `${digits(ratio)} [${digits(low)}, ${digits(high)}]`;
}
