import { z } from "zod";
import { InputError } from "../../core/errors.js";
import type { UnscoredReason } from "../../core/unscored.js";
import {
  type ForeignFile,
  type ForeignRow,
  type ForeignTool,
  nextForScores,
  parsed,
  scoreRow,
} from "./foreign-table.js";

const statsSchema = z.array(
  z.object({
    instance_id: z.string(),
    perturbation: z.object({ name: z.string() }).nullish(),
    train_trial_index: z.number().default(0),
    stats: z.array(
      z.object({
        name: z.object({ name: z.string() }),
        count: z.number(),
        sum: z.number().nullish(),
      }),
    ),
  }),
);
const specSchema = z.object({ adapter_spec: z.looseObject({ model: z.string() }) });
const stateSchema = z.object({
  request_states: z.array(
    z.object({
      instance: z.object({
        id: z.string(),
        input: z.object({ text: z.string() }),
        perturbation: z.object({ name: z.string() }).nullish(),
      }),
      train_trial_index: z.number().default(0),
      result: z
        .object({
          success: z.boolean(),
          completions: z.array(
            z.object({
              multimodal_content: z.object({ media_objects: z.array(z.unknown()) }).nullish(),
            }),
          ),
        })
        .nullish(),
    }),
  ),
});
type RequestState = z.output<typeof stateSchema>["request_states"][number];

/** Why a request has no score; a generator's refusal is an answer without an image. */
function reasonOf({ result }: RequestState): UnscoredReason {
  if (result?.success === false) return "provider-error";
  const images = result?.completions.flatMap(({ multimodal_content: content }) =>
    content ? [content.media_objects] : [],
  );
  return images?.length && images.every(({ length }) => length === 0)
    ? "refused"
    : "not-applicable";
}

type Perturbation = { readonly name: string } | null | undefined;

/** A perturbed instance has the id of the one that it was made of, and another text. */
const instanceKey = (id: string, perturbation: Perturbation) =>
  JSON.stringify([id, perturbation?.name ?? ""]);

const isNamed =
  (file: string) =>
  ({ name }: ForeignFile) =>
    name === file || name.endsWith(`/${file}`);

export const heim: ForeignTool = {
  name: "heim",
  summary: "a run's folder of HEIM (HELM for images)",
  description:
    "Reads the folder of one run of HEIM or HELM: per_instance_stats.json, run_spec.json and, for the " +
    "prompts, scenario_state.json. A row for each instance and metric: score is sum / count of its " +
    "stat; a stat without a count is unscored, and so is a request that has no stat at all.",
  example: "touchstone import heim benchmark_output/runs/v1/mscoco --out scores.csv",
  wants: (name) =>
    ["per_instance_stats.json", "run_spec.json", "scenario_state.json"].includes(name),
  next: nextForScores,
  read(files) {
    const stats = files.find(isNamed("per_instance_stats.json"));
    const spec = files.find(isNamed("run_spec.json"));
    if (stats === undefined || spec === undefined) {
      throw new InputError(
        `Expected per_instance_stats.json and run_spec.json of a run of HEIM but found ` +
          `${files.map(({ name }) => name).join(", ") || "neither"}`,
        { hint: "Name the folder of one run: benchmark_output/runs/SUITE/RUN" },
      );
    }
    const { model } = parsed(specSchema, spec, "the recipe of a run of HEIM").adapter_spec;
    const state = files.find(isNamed("scenario_state.json"));
    const requests =
      state === undefined
        ? []
        : parsed(stateSchema, state, "the requests of a run of HEIM").request_states;
    const prompts = new Map(
      requests.map(({ instance }) => [
        instanceKey(instance.id, instance.perturbation),
        instance.input.text,
      ]),
    );
    const row = (
      id: string,
      perturbation: Perturbation,
      trial: number,
      answer: {
        readonly metric: string;
        readonly score: number | null;
        readonly reason: UnscoredReason | null;
      },
    ) =>
      scoreRow(
        { id, prompt: prompts.get(instanceKey(id, perturbation)) ?? id, model, ...answer },
        { perturbation: perturbation?.name ?? "", trial },
      );
    const scored = parsed(statsSchema, stats, "HEIM's numbers by instance").flatMap((instance) =>
      instance.stats.map(({ name: { name: metric }, count, sum }) => {
        const isScored = count > 0 && typeof sum === "number";
        return row(instance.instance_id, instance.perturbation, instance.train_trial_index, {
          metric,
          score: isScored ? sum / count : null,
          reason: isScored ? null : "not-applicable",
        });
      }),
    );
    // HEIM writes nothing for what it could not measure, such as where a generator refused.
    const keyOf = ({ id, perturbation, trial, metric }: ForeignRow) =>
      JSON.stringify([id, perturbation, trial, metric]);
    const known = new Set(scored.map(keyOf));
    const metrics = [...new Set(scored.map(({ metric }) => String(metric)))];
    const missing = new Map<string, ForeignRow>();
    for (const request of requests) {
      const { instance, train_trial_index: trial } = request;
      for (const metric of metrics) {
        const answer = { metric, score: null, reason: reasonOf(request) };
        const unscored = row(instance.id, instance.perturbation, trial, answer);
        if (!known.has(keyOf(unscored))) missing.set(keyOf(unscored), unscored);
      }
    }
    return { rows: [...scored, ...missing.values()], notes: [] };
  },
};
