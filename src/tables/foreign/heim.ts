import { z } from "zod";
import { InputError } from "../../core/errors.js";
import {
  type ForeignFile,
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
    }),
  ),
});

/** A perturbed instance has the id of the one that it was made of, and another text. */
const instanceKey = (id: string, perturbation: { readonly name: string } | null | undefined) =>
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
    "stat; a stat without a count is unscored.",
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
    const prompts = new Map(
      state === undefined
        ? []
        : parsed(stateSchema, state, "the requests of a run of HEIM").request_states.map(
            ({ instance }) =>
              [instanceKey(instance.id, instance.perturbation), instance.input.text] as const,
          ),
    );
    const rows = parsed(statsSchema, stats, "HEIM's numbers by instance").flatMap((instance) =>
      instance.stats.map(({ name, count, sum }) => {
        const isScored = count > 0 && typeof sum === "number";
        const { instance_id: id, perturbation } = instance;
        return scoreRow(
          {
            id,
            prompt: prompts.get(instanceKey(id, perturbation)) ?? id,
            model,
            metric: name.name,
            score: isScored ? sum / count : null,
            reason: isScored ? null : "not-applicable",
          },
          { perturbation: perturbation?.name ?? "", trial: instance.train_trial_index },
        );
      }),
    );
    return { rows, notes: [] };
  },
};
