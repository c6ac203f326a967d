import { readFile, stat } from "node:fs/promises";
import { basename, extname, join, resolve } from "node:path";
import { z } from "zod";
import { benchmarkOf } from "../../../benchmarks/benchmarks.js";
import { readRunRecords } from "../../../benchmarks/run-records.js";
import { InputError } from "../../../core/errors.js";
import { asJson, canonicalJson, type JsonObject } from "../../../core/json.js";
import { hashOf } from "../../../core/keys.js";
import { readJson } from "../../../core/read-json.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { absent, failed } from "../../../files/file-error.js";
import { openDocuments, openStore, runPlace } from "../../../files/open-store.js";
import type { ResultFile, ResultSource, WriteResult } from "../../../report/formats/format.js";
import { type Result, type ResultSample, readResult } from "../../../report/formats/result.js";
import { stepTraces } from "../../../runs/run-status.js";
import { pluralText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";
import type { Environment } from "../../environment.js";
import { version } from "../../program.js";
import { unfitRun, worldOf } from "../run/benchmark-of.js";
import { isRun } from "../score/score-run.js";

/** The formats that a result is written in, by name. A new one is one line. */
const resultFormats = {
  "every-eval-ever": async () =>
    (await import("../../../report/formats/every-eval-ever.js")).everyEvalEver,
  hub: async () => (await import("../../../report/formats/hub.js")).hub,
  mlflow: async () => (await import("../../../report/formats/mlflow.js")).mlflow,
  croissant: async () => (await import("../../../report/formats/croissant.js")).croissant,
  junit: async () => (await import("../../../report/formats/junit.js")).junit,
  sarif: async () => (await import("../../../report/formats/sarif.js")).sarif,
} as const satisfies Readonly<Record<string, () => Promise<WriteResult>>>;

const resultFormatNames = Object.keys(resultFormats) as readonly ResultFormatName[];

export default command({
  description:
    "Writes a result in the format of another tool, from a run or from what a verb printed with --json: " +
    "every-eval-ever (the shared schema of evaluations, with samples), hub (.eval_results and model-index of the Hugging " +
    "Face Hub), mlflow (a store that mlflow ui shows), croissant (a data set's description, with its tables), junit (continuous integrations), sarif (code scanning, and " +
    "annotations of a pull request). Each number is the one that the verb printed; what is unscored stays so, with its " +
    "reason.",
  examples: [
    "touchstone export results comparison.json --as every-eval-ever --out eval",
    "touchstone export results runs/demo --as mlflow --out mlruns",
    "touchstone export results card.json --as junit --out reports",
  ],
  arguments: {
    source: {
      kind: "positional",
      description: "a run, or a file with what a verb printed with --json",
    },
    as: {
      kind: "choice",
      choices: resultFormatNames,
      required: true,
      description: "the format",
    },
    out: { kind: "text", value: "DIR", required: true, description: "the folder to write to" },
    data: {
      kind: "text",
      value: "NAME",
      description:
        "what it was measured on, such as a data set of the Hub, OWNER/NAME (default: the name of the run or file)",
    },
  },
  async run({ given, environment, output }) {
    const place = resolve(environment.workingDirectory, given.out);
    const { result, hash, at } = await resultOf(given.source, environment);
    if (result.figures.length === 0) {
      throw new InputError(`Expected figures in ${given.source} but found none`, {
        hint: "Give what a verb that concludes printed: touchstone compare scores.csv --json > comparison.json",
      });
    }
    const source: ResultSource = {
      data: given.data ?? basename(given.source, extname(given.source)),
      name: given.source,
      hash,
      at: at ?? environment.now(),
      now: environment.now(),
      place,
      version: version(),
    };
    const write = await resultFormats[given.as]();
    const { files, notes } = write(result, source);
    refuseAlike(files);
    await refuseOthers(files, place);
    for (const { path, content } of files) await writeFileAtomically(join(place, path), content);
    const { figures, samples } = result;
    const unscored = figures.filter(({ value }) => value === null).length;
    output.resultJson({
      out: given.out,
      as: given.as,
      files: files.map(({ path }) => path),
      figures: figures.length,
      unscored,
      samples: samples.length,
      notes,
    });
    output.result(
      [
        `Wrote ${pluralText(figures.length, "figure")} (${unscored} without a value) as ${given.as} to ${given.out}: ${pluralText(files.length, "file")}.`,
        ...notes,
      ].join("\n"),
    );
  },
});

interface Found {
  readonly result: Result;
  readonly hash: string;
  /** When the file was written, or a run's last answer came; undefined of a run that asked nobody. */
  readonly at: Date | undefined;
}

async function resultOf(source: string, environment: Environment): Promise<Found> {
  if (await isRun(source, environment)) {
    return runResult(source, environment);
  }
  const path = resolve(environment.workingDirectory, source);
  const bytes = await readFile(path).catch(failed("read", path));
  const { mtime } = await stat(path);
  return {
    result: readResult(parsed(bytes.toString("utf8"), source)),
    hash: hashOf(bytes),
    at: mtime,
  };
}

function parsed(text: string, source: string): JsonObject {
  const hint = "touchstone compare scores.csv --json > comparison.json";
  let value: unknown;
  try {
    value = readJson(text);
  } catch (cause) {
    throw new InputError(`Expected JSON in ${source}, as a verb prints it with --json`, {
      hint,
      cause,
    });
  }
  const object = z.record(z.string(), z.json()).safeParse(value);
  if (!object.success) {
    throw new InputError(`Expected a JSON object in ${source} but received something else`, {
      hint,
    });
  }
  return object.data;
}

/** Names of models become names of files, in which some are alike. */
function refuseAlike(files: readonly ResultFile[]): void {
  const seen = new Set<string>();
  for (const { path } of files) {
    const name = path.toLowerCase();
    if (seen.has(name)) {
      throw new InputError(`Expected a file for each name but two would be ${path}`, {
        hint: "Call models by names that differ in their letters a to z, or digits",
      });
    }
    seen.add(name);
  }
}

/** A README is often somebody's own: it is not replaced by another. */
async function refuseOthers(files: readonly ResultFile[], place: string): Promise<void> {
  for (const { path, content } of files) {
    if (basename(path) !== "README.md") continue;
    const file = join(place, path);
    const standing = await readFile(file, "utf8").catch(absent(file));
    if (standing === undefined || standing === content) continue;
    throw new InputError(`Expected no other text in ${file}, which would be replaced`, {
      hint: "Name a new folder and copy model-index from it",
    });
  }
}

type ResultFormatName = keyof typeof resultFormats;

/**
 * What `report --json` says of a run, with the score of each image.
 *
 * @throws InputError for a run of a benchmark without a report.
 */
async function runResult(
  name: string,
  environment: Environment,
): Promise<{ readonly result: Result; readonly hash: string; readonly at: Date | undefined }> {
  const place = runPlace(name, environment);
  const store = await openStore(place);
  const benchmark = benchmarkOf(store.recipe);
  if (benchmark?.report === undefined) throw unfitRun(store.recipe, "with a report");
  const { json: jsonOf, verdict } = await benchmark.report(
    await benchmark.conclude(store, {
      name,
      world: await worldOf(store.recipe),
      documents: openDocuments(place),
    }),
  );
  const json = jsonOf();
  // Figures of the pairs that the report is about; the other selections hold them against it.
  const selections = Array.isArray(json.selections)
    ? { selections: json.selections.slice(0, 1) }
    : {};
  const whole = asJson({ ...json, ...selections, verdict });
  const result = readResult(whole);
  const subjects = new Set(result.figures.map(({ of }) => of.metric));
  const { scores } = await readRunRecords(store);
  const samples = scores.map((score): ResultSample => {
    const { key, text, metric, image, model } = score;
    const subject = subjects.has(metric) ? metric : `${metric} · ${model}`;
    const shared = { subject, id: key, text, metric, image };
    return score.status === "done"
      ? { ...shared, value: score.value }
      : { ...shared, value: null, reason: score.reason };
  });
  let at: Date | undefined;
  for (const { answeredAt } of (await stepTraces(store)).values()) {
    if (answeredAt !== null && (at === undefined || answeredAt > at)) at = answeredAt;
  }
  return {
    result: { ...result, samples },
    at,
    hash: hashOf(new TextEncoder().encode(canonicalJson(whole))),
  };
}
