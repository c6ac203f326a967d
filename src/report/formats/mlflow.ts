import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";
import { stringify } from "yaml";
import {
  isValued,
  nameWithin,
  type ResultFile,
  type ResultSource,
  type Subject,
  subjectsOf,
  unscoredNote,
  type WriteResult,
} from "./format.js";
import type { Result } from "./result.js";

/**
 * A store of MLflow's in files: an experiment with a run for each model. `mlflow ui --backend-store-uri DIR` shows
 * it; figures are metrics (each end of an interval as one of its own) and, with n, the table figures.json.
 */
export const mlflow: WriteResult = (result, source) => {
  const experiment = numberOf(`${source.data} ${source.hash}`);
  const uri = pathToFileURL(`${source.place}/${experiment}`).href;
  const at = source.at.getTime();
  return {
    files: [
      {
        path: `${experiment}/meta.yaml`,
        content: stringify({
          artifact_location: uri,
          creation_time: at,
          experiment_id: experiment,
          last_update_time: at,
          lifecycle_stage: "active",
          name: source.data,
        }),
      },
      ...subjectsOf(result, source).flatMap((subject) =>
        runOf(subject, { result, source, experiment, uri }),
      ),
    ],
    notes: [
      "Show it: mlflow ui --backend-store-uri DIR (MLflow 3 wants MLFLOW_ALLOW_FILE_STORE=true for a store in files).",
      ...unscoredNote(
        result.figures,
        "they are tags unscored.NAME, since a metric must be a number",
      ),
    ],
  };
};

function runOf(
  subject: Subject,
  {
    result,
    source,
    experiment,
    uri,
  }: {
    readonly result: Result;
    readonly source: ResultSource;
    readonly experiment: string;
    readonly uri: string;
  },
): ResultFile[] {
  const id = createHash("sha256")
    .update(`${source.hash} ${subject.name}`)
    .digest("hex")
    .slice(0, 32);
  const folder = `${experiment}/${id}`;
  const at = source.at.getTime();
  const line = (value: number) => `${at} ${value} 0\n`;
  const metrics = subject.figures.filter(isValued).flatMap((figure) => {
    const name = metricName(nameWithin(figure, subject.name));
    const { value, low, high } = figure;
    const each = { [name]: value, [`${name}.low`]: low, [`${name}.high`]: high };
    return Object.entries(each).flatMap(([path, number]) =>
      number === null ? [] : [{ path: `${folder}/metrics/${path}`, content: line(number) }],
    );
  });
  const tags = {
    "mlflow.runName": subject.name,
    "mlflow.source.name": source.name,
    "mlflow.note.content": result.verdict,
    // MLflow looks for these very characters.
    "mlflow.loggedArtifacts": '[{"path": "figures.json", "type": "table"}]',
    "touchstone.sha256": source.hash,
    ...Object.fromEntries(
      subject.figures
        .filter((figure) => !isValued(figure))
        .map((one) => [
          `unscored.${metricName(nameWithin(one, subject.name))}`,
          one.reason ?? "undefined",
        ]),
    ),
  };
  const parameters = {
    data: source.data,
    touchstone: source.version,
    ...(result.metric !== undefined && { metric: result.metric }),
    ...(result.direction !== undefined && { direction: result.direction }),
    ...(result.judge !== undefined && { judge: result.judge.model }),
  };
  const texts = (kind: string, all: Readonly<Record<string, string>>) =>
    Object.entries(all).map(([name, content]) => ({ path: `${folder}/${kind}/${name}`, content }));
  return [
    {
      path: `${folder}/meta.yaml`,
      content: stringify({
        artifact_uri: `${uri}/${id}/artifacts`,
        end_time: at,
        entry_point_name: "",
        experiment_id: experiment,
        lifecycle_stage: "active",
        run_id: id,
        run_name: subject.name,
        run_uuid: id,
        source_name: "",
        source_type: 4,
        source_version: "",
        start_time: at,
        status: 3,
        tags: [],
        user_id: "",
      }),
    },
    ...metrics,
    ...texts("tags", tags),
    ...texts("params", parameters),
    { path: `${folder}/artifacts/figures.json`, content: tableOf(subject) },
  ];
}

const columns = ["figure", "value", "low", "high", "n", "unscored", "unit", "reason"] as const;

/** As MLflow's own tables are kept: columns, and rows of their cells. */
const tableOf = ({ name, figures }: Subject) =>
  JSON.stringify({
    columns,
    data: figures.map((one) => [
      nameWithin(one, name),
      ...[one.value, one.low, one.high, one.n, one.unscored, one.unit, one.reason].map(
        (cell) => cell ?? null,
      ),
    ]),
  });

/** MLflow's names have letters and digits of any script, spaces and _ - . : / alone; a slash makes a folder. */
const metricName = (name: string) =>
  name.replace(/[^\p{L}\p{N}_\-. /]/gu, "-").replace(/\.\.+/g, ".");

/** An id of digits, as MLflow gives its experiments. */
const numberOf = (text: string) =>
  BigInt(`0x${createHash("sha256").update(text).digest("hex").slice(0, 14)}`).toString();
