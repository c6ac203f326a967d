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
        name: z.object({ name: z.string(), split: z.string().nullish() }),
        count: z.number(),
        sum: z.number().nullish(),
      }),
    ),
  }),
);
const specSchema = z.object({
  name: z.string(),
  adapter_spec: z.looseObject({ model: z.string() }),
});
const stateSchema = z.object({
  request_states: z.array(
    z.object({
      instance: z.object({
        id: z.string(),
        input: z.object({ text: z.string() }),
        split: z.string().nullish(),
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
interface Instance {
  readonly id: string;
  readonly perturbation?: Perturbation;
  readonly split?: string | null | undefined;
}

/** A perturbed instance has the id of the one that it was made of, and another text. */
const instanceKey = (id: string, perturbation: Perturbation) =>
  JSON.stringify([id, perturbation?.name ?? ""]);

const runFiles = ["per_instance_stats.json", "run_spec.json", "scenario_state.json"] as const;
type RunFiles = Partial<Record<(typeof runFiles)[number], ForeignFile>>;

/** Files by the run that they lie in: of one run's folder one, of a suite's several. */
function byRun(files: readonly ForeignFile[]): RunFiles[] {
  const runs = new Map<string, RunFiles>();
  for (const file of files) {
    const [, folder = "", name = ""] = /^(?:(.*)\/)?([^/]+)$/.exec(file.name) ?? [];
    runs.set(folder, { ...runs.get(folder), [name]: file });
  }
  return [...runs.values()];
}

/** What a run asks, without who was asked: models of a suite meet in it. */
const scenarioOf = (run: string) =>
  run.replace(/([:,])model(_deployment)?=[^,]*,?/g, "$1").replace(/[:,]$/, "");

export const heim: ForeignTool = {
  name: "heim",
  summary: "the folder of a run or of a suite of HEIM (HELM for images)",
  description:
    "Reads the folder of one run of HEIM or HELM, or of a suite: per_instance_stats.json, run_spec.json " +
    "and, for the prompts, scenario_state.json. A row for each instance and metric, with its split: score " +
    "is sum / count of its stat; a stat without a count is unscored, and so is a request that has no stat " +
    "at all. Of several runs an id begins with its scenario.",
  example: "touchstone import heim benchmark_output/runs/v1 --out scores.csv",
  wants: (name) => runFiles.some((file) => name === file || name.endsWith(`/${file}`)),
  next: nextForScores,
  read(files) {
    const runs = byRun(files);
    return { rows: runs.flatMap((run) => rowsOf(run, runs.length > 1)), notes: [] };
  },
};

function rowsOf(run: RunFiles, isOneOfSeveral: boolean): ForeignRow[] {
  const {
    "per_instance_stats.json": stats,
    "run_spec.json": spec,
    "scenario_state.json": state,
  } = run;
  if (stats === undefined || spec === undefined) {
    throw new InputError(
      `Expected per_instance_stats.json and run_spec.json of a run of HEIM but found ` +
        `${Object.values(run)
          .map(({ name }) => name)
          .join(", ")}`,
      { hint: "Name the folder of a run or of a suite: benchmark_output/runs/SUITE/RUN" },
    );
  }
  const { name: runName, adapter_spec } = parsed(specSchema, spec, "the recipe of a run of HEIM");
  const { model } = adapter_spec;
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
    instance: Instance,
    trial: number,
    answer: {
      readonly metric: string;
      readonly score: number | null;
      readonly reason: UnscoredReason | null;
    },
  ) => {
    const { id, perturbation, split } = instance;
    return scoreRow(
      {
        id: isOneOfSeveral ? `${scenarioOf(runName)}-${id}` : id,
        prompt: prompts.get(instanceKey(id, perturbation)) ?? id,
        model,
        ...answer,
      },
      {
        ...(isOneOfSeveral ? { scenario: scenarioOf(runName) } : {}),
        split: split ?? "",
        perturbation: perturbation?.name ?? "",
        trial,
      },
    );
  };
  const scored = parsed(statsSchema, stats, "HEIM's numbers by instance").flatMap((instance) =>
    instance.stats.map(({ name: { name: metric, split }, count, sum }) => {
      const isScored = count > 0 && typeof sum === "number";
      const of = { id: instance.instance_id, perturbation: instance.perturbation, split };
      return row(of, instance.train_trial_index, {
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
    for (const metric of metrics) {
      const answer = { metric, score: null, reason: reasonOf(request) };
      const unscored = row(request.instance, request.train_trial_index, answer);
      if (!known.has(keyOf(unscored))) missing.set(keyOf(unscored), unscored);
    }
  }
  return [...scored, ...missing.values()];
}
