import { benchmarkOf } from "../../../benchmarks/benchmarks.js";
import { readRunRecords } from "../../../benchmarks/run-records.js";
import { asJson, canonicalJson } from "../../../core/json.js";
import { hashOf } from "../../../core/keys.js";
import { openDocuments, openStore, runPlace } from "../../../files/open-store.js";
import { type Result, type ResultSample, readResult } from "../../../report/formats/result.js";
import { stepTraces } from "../../../runs/run-status.js";
import type { Environment } from "../../environment.js";
import { unfitRun, worldOf } from "../run/benchmark-of.js";

/**
 * What `report --json` says of a run, with the score of each image.
 *
 * @throws InputError for a run of a benchmark without a report.
 */
export async function runResult(
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
