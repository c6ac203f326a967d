import { InputError } from "../../../core/errors.js";
import type { CalibratingOptions } from "../../../judges/calibrate-judge.js";
import { exampleEncoder } from "../../models/example-models.js";
import type { CalibrateGiven } from "./calibrate-arguments.js";

/** @throws InputError for numbers that are out of range, and for groups without an embedder. */
export function optionsOf(given: CalibrateGiven): CalibratingOptions {
  checkShares(given);
  for (const name of ["temperature", "lambda"] as const) {
    if ((given[name] ?? 1) > 0) continue;
    throw new InputError(`Expected a positive number for --${name} but received ${given[name]}`);
  }
  const clusters = given.clusters === "auto" ? "auto" : Number(given.clusters);
  if (clusters !== "auto" && !(Number.isInteger(clusters) && clusters >= 1)) {
    throw new InputError(
      `Expected a whole number or auto for --clusters but received "${given.clusters}"`,
    );
  }
  const isGrouped = given.support !== undefined || (clusters !== "auto" && clusters > 1);
  if (isGrouped && given.embedder === undefined) {
    throw new InputError("Expected --embedder for groups of images but received none", {
      hint: `Such as --embedder ${exampleEncoder}`,
    });
  }
  return {
    clusters,
    objective: given.objective,
    seed: given.seed,
    temperature: given.temperature,
    lambda: given.lambda,
    target: given["target-error"],
    confidence: given.confidence,
    fitting: given["fit-labels"],
    everyLabel: given["every-label"],
    certification: given.certify,
  };
}

/** @throws InputError where one of them is not between 0 and 1. */
export function checkShares(given: Readonly<Record<"target-error" | "confidence", number>>): void {
  for (const name of ["target-error", "confidence"] as const) {
    if (given[name] > 0 && given[name] < 1) continue;
    throw new InputError(
      `Expected a number between 0 and 1 for --${name} but received ${given[name]}`,
    );
  }
}
