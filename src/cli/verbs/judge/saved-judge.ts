import { resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { type Model, modelFacts, placed } from "../../../core/models.js";
import type { Approximation } from "../../../ensembles/fewer-calls-replay.js";
import {
  type Certified,
  certify,
  type NotCertified,
} from "../../../ensembles/selective-certificate.js";
import { failed } from "../../../files/file-error.js";
import { readTextFile } from "../../../files/regular-file.js";
import type { Weighing } from "../../../judges/calibrate-fit.js";
import { type JudgeArtefact, openedJudge } from "../../../judges/judge-artefact.js";

/** @throws InputError where there is no such file, or no judge that this version reads. */
export async function readJudge(
  file: string,
  { workingDirectory }: { readonly workingDirectory: string },
): Promise<JudgeArtefact> {
  const text = await readTextFile(resolve(workingDirectory, file)).catch(failed("read", file));
  return openedJudge(text, file);
}

/**
 * The threshold that a judge may answer alone at, of what its labels can say of a target.
 *
 * @param approximate whether asking stops where a change is unlikely: that was counted apart.
 */
export const certificateOf = (
  { certification }: JudgeArtefact,
  {
    target,
    confidence,
    approximate,
  }: { readonly target: number; readonly confidence: number; readonly approximate: boolean },
): Certified | NotCertified =>
  certify(approximate ? certification.approximate : certification.counts, certification.n, {
    target,
    confidence,
    tries: certification.tries,
  });

/** Weights and groups in the form that predictions take. */
export const weighingOf = ({ groups, weights }: JudgeArtefact): Weighing => ({
  clusters: groups.clusters,
  temperature: groups.temperature,
  centroids: Float64Array.from(groups.centroids.flat()),
  weights: Float64Array.from(weights.flat()),
});

/** How answers to come are foreseen. @throws InputError of ratings, of which that is not known. */
export function approximationOf({ forecast, prompts, task }: JudgeArtefact): Approximation {
  if (forecast === null) {
    throw new InputError(
      `Expected no --approximate for a judge of the task ${task}: it is for pairs and questions of yes or no`,
    );
  }
  return {
    model: {
      prompts: prompts.length,
      means: Float64Array.from(forecast.means),
      covariances: Float64Array.from(forecast.covariances.flat()),
    },
    risk: forecast.risk,
  };
}

/**
 * Looks whether a model is the one that a judge was calibrated with: what was measured holds for no
 * other.
 *
 * @throws InputError where it is another.
 */
export function checkSameModel(
  model: Model,
  wanted: { readonly model: string; readonly baseUrl?: string },
  flag: "model" | "embedder",
): void {
  const facts = modelFacts(model.identity);
  if (placed(facts) === placed(wanted)) return;
  throw new InputError(
    `Expected ${placed(wanted)}, with which the judge was calibrated, for --${flag} but received ${placed(facts)}`,
    {
      hint:
        wanted.baseUrl === undefined
          ? "What was measured holds for that model alone; calibrate another one."
          : `Set OPENAI_BASE_URL=${wanted.baseUrl}, or name it in touchstone.config.yaml and give that name.`,
    },
  );
}
