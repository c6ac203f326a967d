import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import { pluralText } from "../../core/phrases.js";
import { fileError } from "../../files/file-error.js";
import { readTextFile } from "../../files/regular-file.js";
import { memberProblems, readYaml } from "../../files/yaml.js";
import type { Environment } from "../environment.js";
import { type Configuration, configurationSchema } from "./configuration-schema.js";

export const configurationFile = "touchstone.config.yaml";

/** The settings, and the file that they came from, if there is one. */
export interface LoadedConfiguration {
  readonly settings: Configuration;
  readonly file: string | undefined;
}

/**
 * Reads touchstone.config.yaml of the working folder, or the file that TOUCHSTONE_CONFIG names, and
 * lays TOUCHSTONE_MODELS and TOUCHSTONE_METRICS (names with commas) over it.
 *
 * @throws InputError with every wrong member, its line and the nearest name that exists.
 */
export async function loadConfiguration({
  variables,
  workingDirectory,
}: Pick<Environment, "variables" | "workingDirectory">): Promise<LoadedConfiguration> {
  const named = variables.TOUCHSTONE_CONFIG;
  const file = named || configurationFile;
  const text = await readIfThere(join(workingDirectory, file), file, Boolean(named));
  const settings = text === undefined ? {} : parseConfiguration(text, file);
  const models = namesIn(variables.TOUCHSTONE_MODELS);
  const metrics = namesIn(variables.TOUCHSTONE_METRICS);
  const score = { ...settings.score, ...(models && { models }), ...(metrics && { metrics }) };
  return {
    settings: { ...settings, ...(isEmpty(score) ? {} : { score }) },
    file: text === undefined ? undefined : file,
  };
}

const namesIn = (text: string | undefined) =>
  text ? text.split(",").map((name) => name.trim()) : undefined;

const isEmpty = (object: object) => Object.keys(object).length === 0;

/** The settings in a YAML text. @throws InputError as above */
export function parseConfiguration(text: string, file: string): Configuration {
  const { value, lineOf } = readYaml(file, text);
  const parsed = configurationSchema.safeParse(value ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data;
  const problems = memberProblems(parsed.error.issues, {
    lineOf: (path) => `line ${lineOf(path)}`,
    membersAt,
  });
  throw new InputError(
    `Expected valid settings in ${file} but found ${pluralText(problems.length, "problem")}`,
    {
      problems,
      hint: "touchstone doctor init writes a file with all settings, explained",
    },
  );
}

/** The names that exist where an unknown one stands. */
function membersAt([first]: readonly PropertyKey[]): string[] {
  const { shape } = configurationSchema;
  if (first === "score") return Object.keys(shape.score.unwrap().shape);
  if (first === "budget") return Object.keys(shape.budget.unwrap().shape);
  if (first === "cache") return Object.keys(shape.cache.unwrap().shape);
  if (first !== "models") return Object.keys(shape);
  return shape.models.unwrap().valueType.options.flatMap((option) => Object.keys(option.shape));
}

async function readIfThere(
  path: string,
  name: string,
  mustBeThere: boolean,
): Promise<string | undefined> {
  try {
    return await readTextFile(path);
  } catch (cause) {
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    if (isMissing && !mustBeThere) return undefined;
    const why = fileError(cause, "read", name);
    throw new InputError(
      `Expected settings in ${name} but ${why instanceof Error ? why.message : "it can't be read"}`,
      { cause },
    );
  }
}

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
