import { InputError } from "../../core/errors.js";
import type { Environment } from "../environment.js";
import { loadConfiguration } from "./configuration.js";

/** Each flag that limits a verb, by its environment variable and its member of `budget`. */
const limits = [
  ["max-calls", "TOUCHSTONE_MAX_CALLS", "maxCalls"],
  ["max-cost", "TOUCHSTONE_MAX_COST", "maxCost"],
  ["max-minutes", "TOUCHSTONE_MAX_MINUTES", "maxMinutes"],
] as const;

/**
 * Limits where flags don't say: those of the environment, else `budget` of touchstone.config.yaml.
 *
 * @returns values by the names of flags, without the flags that were given.
 * @throws InputError for a variable that is no number of 0 or more.
 */
export async function configuredLimits(
  given: Readonly<Record<string, unknown>>,
  environment: Pick<Environment, "variables" | "workingDirectory">,
): Promise<Record<string, number>> {
  const missing = limits.filter(([flag]) => given[flag] === undefined);
  if (missing.length === 0) return {};
  const { settings } = await loadConfiguration(environment);
  return Object.fromEntries(
    missing.flatMap(([flag, variable, member]) => {
      const limit = limitIn(variable, environment.variables[variable]) ?? settings.budget?.[member];
      return limit === undefined ? [] : [[flag, limit] as const];
    }),
  );
}

function limitIn(variable: string, text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const limit = Number(text);
  const isWhole = variable !== "TOUCHSTONE_MAX_CALLS" || Number.isInteger(limit);
  if (Number.isFinite(limit) && limit >= 0 && isWhole) return limit;
  throw new InputError(
    `Expected a ${isWhole ? "" : "whole "}number of 0 or more for ${variable} but received "${text}"`,
  );
}
