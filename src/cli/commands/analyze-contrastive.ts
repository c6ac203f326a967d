import { resolve } from "node:path";
import { type ContrastiveRow, contrastive } from "../../analysis/contrastive.js";
import { failureRateDifference } from "../../analysis/failure-rate-difference.js";
import { intervalKinds } from "../../analysis/intervals.js";
import { scoreScales } from "../../analysis/score-scale.js";
import type { Json } from "../../core/json.js";
import { writeFileAtomically } from "../../files/atomic.js";
import { readTable } from "../../files/table.js";
import { optionalText, score, text } from "../../files/table-columns.js";
import { tableFormats } from "../../files/table-format.js";
import type { TableSource } from "../../files/table-source.js";
import { contrastiveVerdict } from "../../report/contrastive-verdict.js";
import { writerFor } from "../analyze/contrastive-file.js";
import { contrastiveText } from "../analyze/contrastive-text.js";
import { parseRanges } from "../analyze/score-ranges.js";
import { command } from "../command.js";
import type { Environment } from "../environment.js";
import { parseMap } from "../map-flag.js";
import { shellWords } from "../shell-words.js";

export default command({
  description:
    "How often, and by how much, metrics prefer a wrong but typical image to a right but untypical " +
    "one. Reads JSONL, CSV or Parquet with the columns id, metric, domain, correct, adversarial " +
    "and, if there is one, prompt; an empty or null score is unscored. A tie is a failure. " +
    "`touchstone example contrastive` prints a sample.",
  examples: [
    "touchstone analyze contrastive scores.csv",
    "touchstone analyze contrastive scores.jsonl --map correct=score_right --out failures.html",
    "touchstone example contrastive | touchstone analyze contrastive - --json",
  ],
  arguments: {
    file: { kind: "positional", description: "the table, or - for standard input" },
    format: { kind: "choice", choices: tableFormats, description: "default: by the file's ending" },
    map: {
      kind: "text",
      repeated: true,
      value: "NAME=COLUMN",
      description: "where a column has another name: correct=my_column",
    },
    direction: {
      kind: "choice",
      choices: ["higher", "lower"],
      default: "higher",
      description: "whether more or less of the metric is better",
    },
    scale: {
      kind: "choice",
      choices: scoreScales,
      default: "none",
      description: "how scores are brought to [0, 1] for means and margins; never for comparing",
    },
    range: {
      kind: "text",
      repeated: true,
      value: "[METRIC=]LOW,HIGH",
      description: "where a metric's scores can lie, for --scale range",
    },
    interval: {
      kind: "choice",
      choices: intervalKinds,
      description: "default percentile, above 10,000 prompts delta",
    },
    resamples: {
      kind: "number",
      integer: true,
      minimum: 100,
      maximum: 1_000_000,
      default: 2000,
      description: "of the bootstrap",
    },
    seed: {
      kind: "number",
      integer: true,
      minimum: 0,
      default: 0,
      description: "of the bootstrap",
    },
    out: { kind: "text", value: "FILE", description: "also write .json, .csv, .md or .html" },
  },
  async run({ given, environment, output }) {
    const write = given.out === undefined ? undefined : writerFor(given.out);
    const rangeOf = parseRanges(given.range);
    const rows = await readRows(given, environment);
    const { direction, scale, interval, resamples, seed } = given;
    const intervals = { interval, resamples, seed };
    const conclusion = contrastive(rows, { direction, scale, rangeOf, ...intervals });
    const verdict = contrastiveVerdict(conclusion, (metric, than) =>
      failureRateDifference(rows, { metric, than, direction, ...intervals }),
    );

    if (given.out !== undefined && write !== undefined) {
      const name = given.file === "-" ? "standard input" : given.file;
      const content = await write({ conclusion, verdict, name, command: commandLine(given) });
      await writeFileAtomically(resolve(environment.workingDirectory, given.out), content);
    }
    output.resultJson(asJson({ ...conclusion, verdict }));
    output.result(contrastiveText(conclusion, { verdict, style: output.style }));
    if (given.out !== undefined) output.note(`Wrote ${given.out}`);
    output.nextCommand(
      given.out === undefined
        ? `${commandLine(given)} --out failures.html`
        : "touchstone demo, which sets such rates beside a control without prototypes",
    );
  },
});

interface Given {
  readonly file: string;
  readonly format: (typeof tableFormats)[number] | undefined;
  readonly map: readonly string[];
  readonly direction: string;
  readonly scale: string;
  readonly range: readonly string[];
  readonly interval: string | undefined;
  readonly resamples: number;
  readonly seed: number;
}

async function readRows(
  { file, format, map }: Given,
  { stdin, workingDirectory }: Environment,
): Promise<ContrastiveRow[]> {
  const source: TableSource =
    file === "-"
      ? { name: "standard input", bytes: stdin }
      : { name: file, path: resolve(workingDirectory, file) };
  const columns = {
    id: text,
    metric: text,
    domain: text,
    prompt: optionalText,
    correct: score,
    adversarial: score,
  };
  const rows: ContrastiveRow[] = [];
  const unique = ["id", "metric"] as const;
  for await (const { row } of readTable({ source, format, columns, map: parseMap(map), unique })) {
    rows.push(row);
  }
  return rows;
}

/** The command as it was given, without defaults and without --out. */
function commandLine(given: Given): string {
  const { format, direction, scale, interval, resamples, seed } = given;
  return shellWords([
    ...["touchstone", "analyze", "contrastive", given.file],
    ...(format === undefined ? [] : ["--format", format]),
    ...given.map.flatMap((pair) => ["--map", pair]),
    ...(direction === "higher" ? [] : ["--direction", direction]),
    ...(scale === "none" ? [] : ["--scale", scale]),
    ...given.range.flatMap((range) => ["--range", range]),
    ...(interval === undefined ? [] : ["--interval", interval]),
    ...(resamples === 2000 ? [] : ["--resamples", String(resamples)]),
    ...(seed === 0 ? [] : ["--seed", String(seed)]),
  ]);
}

function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value));
}
