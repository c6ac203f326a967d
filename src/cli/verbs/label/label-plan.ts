import labelPlan from "../../../conclusions/label-plan/label-plan.js";
import type { Inputs } from "../../../conclusions/table-options.js";
import { InputError } from "../../../core/errors.js";
import { peopleName } from "../../../core/models.js";
import type { RecordOf } from "../../../core/records.js";
import { openStore, runPlace } from "../../../files/open-store.js";
import { tableOf } from "../../../tables/bytes.js";
import { MetricNames } from "../../../tables/metric-names.js";
import { conclusionCommand } from "../../conclusions/conclusion-command.js";
import type { Environment } from "../../environment.js";
import { isRun } from "../score/score-run.js";

/** Reads runs beside tables. */
export default conclusionCommand(labelPlan, {
  inputs: (files, environment): Inputs => ({
    ...files,
    async table(file, isFormatKnown) {
      const isTable = file === "-" || !(await isRun(file, environment));
      return isTable
        ? files.table(file, isFormatKnown)
        : tableOf(`${file}.jsonl`, await scoresOf(file, environment));
    },
  }),
});

/**
 * A row for each score of an image against a text, with people's mean rating of the two where the run has some.
 *
 * @throws InputError where the run has no scores.
 */
async function scoresOf(run: string, environment: Environment): Promise<string> {
  const store = await openStore(runPlace(run, environment));
  const domains = new Map<string, string>();
  for await (const prompt of store.ofType("prompt")) domains.set(prompt.key, prompt.domain);
  const images = new Map<string, RecordOf<"image">>();
  for await (const image of store.ofType("image")) images.set(image.key, image);
  const scores: RecordOf<"score">[] = [];
  const ratings = new Map<string, number[]>();
  for await (const score of store.ofType("score")) {
    if (score.metric !== peopleName) scores.push(score);
    else if (score.status === "done")
      ratings.set(askedOf(score), [...(ratings.get(askedOf(score)) ?? []), score.value]);
  }
  const metrics = new MetricNames();
  const keys = scores.map((score) => metrics.add(score) ?? "");
  const names = metrics.names();
  const rows: string[] = [];
  for (const [at, score] of scores.entries()) {
    const image = images.get(score.of);
    if (image?.status !== "done") continue;
    const row = {
      model: image.model,
      prompt: score.text,
      score: score.status === "done" ? score.value : null,
      metric: names.get(keys[at] ?? "") ?? score.metric,
      direction: score.direction,
      image: await store.blobs.addressOf(image.image),
      domain: domains.get(image.prompt),
      ...(ratings.size > 0 && { human: meanOf(ratings.get(askedOf(score))) }),
    };
    rows.push(JSON.stringify(row));
  }
  if (rows.length > 0) return rows.join("\n");
  throw new InputError(`Expected a run with scores but ${run} has none`, {
    hint: `touchstone score ${run} --metric clip-score`,
  });
}

/** What people were asked: an image and a text. */
const askedOf = ({ of, text }: RecordOf<"score">) => `${of} ${text}`;

const meanOf = (values: readonly number[] = []): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
