import { z } from "zod";
import { canonicalJson, type Json, type JsonObject } from "./json.js";
import { stepId } from "./step.js";

/** Of a recipe with `makes` or a step that has `inputs`, which version 0.2 would drop; of any other it is 1. */
const schemaWithInputs = 2;

const stepSchema = z.object({
  /** Part of a file name. */
  name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/),
  /** Tells steps of one name apart; part of a file name, too. */
  part: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]*$/)
    .optional(),
  version: z.int().positive(),
  produces: z.string(),
  parameters: z.record(z.string(), z.json()),
  /** Facts that the step is made again from and that are in no key. */
  inputs: z.record(z.string(), z.json()).optional(),
});

const makesSchema = z.object({
  verb: z.string(),
  /** Values of the verb's arguments by name, without what changes nothing in what is concluded. */
  given: z.record(z.string(), z.json()),
});

/** What is made of a run once its last step is collected, such as a judge or an audit's report. */
export type RunMakes = z.output<typeof makesSchema>;

/**
 * The recipe of a run, as `run.json` holds it; never the list of items. Steps stand in the
 * order in which they were first asked for; later commands add to all lists.
 */
export const recipeSchema = z.object({
  schema: z.literal([1, schemaWithInputs]),
  /** Every version of Touchstone that worked on the run. */
  software: z.array(z.string()),
  /** Every command line that made or extended the run, the last one last. */
  commands: z.array(z.string()),
  seed: z.int(),
  /** Inputs read from outside, with the SHA-256 of their content. */
  sources: z.array(z.object({ path: z.string(), sha256: z.string() })),
  /** Models asked, as `provider:model@revision`. */
  models: z.array(z.string()),
  steps: z.array(stepSchema),
  /** Absent where the run is collected and no more. */
  makes: makesSchema.optional(),
});

export type Recipe = z.output<typeof recipeSchema>;
export type RecipeStep = z.output<typeof stepSchema>;

/** Steps as the loop holds them: whatever has a name, a version and parameters. */
export interface DescribedStep {
  readonly name: string;
  readonly part?: string;
  readonly version: number;
  readonly produces: string;
  readonly parameters: JsonObject;
  readonly inputs?: JsonObject;
}

/** A command's part of the recipe of the run that it makes or goes on with. */
export interface NewRun {
  /** The command line, such as `touchstone demo --size small`; none where a run is only gone on with. */
  readonly command?: string;
  readonly seed: number;
  /** The version of Touchstone. */
  readonly software: string;
  readonly sources?: readonly { readonly path: string; readonly sha256: string }[];
  readonly models?: readonly string[];
  /** What is made of the run, in place of what was to be made of it. */
  readonly makes?: RunMakes;
}

/** `recipe` with what a command adds to it. A recipe is never shortened. */
export function extended(
  recipe: Recipe,
  { run, steps = [] }: { run?: NewRun; steps?: readonly DescribedStep[] },
): Recipe {
  const known = new Set(recipe.steps.map(stepId));
  const added = steps.filter((step) => !known.has(stepId(step)));
  const paths = new Set(recipe.sources.map((source) => source.path));
  const makes = run?.makes ?? recipe.makes;
  const isNew = makes !== undefined || added.some(({ inputs }) => inputs !== undefined);
  return {
    ...recipe,
    schema: isNew ? schemaWithInputs : recipe.schema,
    software: union(recipe.software, run ? [run.software] : []),
    // A command given again moves to the end: the last is the one to go on with.
    commands:
      run?.command === undefined
        ? recipe.commands
        : [...recipe.commands.filter((command) => command !== run.command), run.command],
    sources: [
      ...recipe.sources,
      ...(run?.sources ?? []).filter((source) => !paths.has(source.path)),
    ],
    models: union(recipe.models, run?.models ?? []),
    steps: [
      ...recipe.steps,
      ...added.map(({ name, part, version, produces, parameters, inputs }) => ({
        name,
        ...(part === undefined ? {} : { part }),
        version,
        produces,
        parameters: { ...parameters } as RecipeStep["parameters"],
        ...(inputs === undefined ? {} : { inputs: { ...inputs } as RecipeStep["parameters"] }),
      })),
    ],
    ...(makes === undefined ? {} : { makes }),
  };
}

/** An empty recipe for a run. */
export function recipeFor({ seed }: NewRun): Recipe {
  return {
    schema: 1,
    software: [],
    commands: [],
    seed,
    sources: [],
    models: [],
    steps: [],
  };
}

/**
 * Contradictions between a command and the existing recipe, one sentence each: the flags in which it differs from
 * the one before of the same verb, and what steps were given.
 */
export function differences(
  recipe: Recipe,
  { run, steps = [] }: { run?: NewRun; steps?: readonly DescribedStep[] },
): string[] {
  const found: string[] = [];
  const given: string[] = [];
  if (run !== undefined && run.seed !== recipe.seed) {
    found.push(`the seed was ${recipe.seed} and is now ${run.seed}`);
  }
  for (const { path, sha256 } of run?.sources ?? []) {
    const before = recipe.sources.find((source) => source.path === path);
    if (before !== undefined && before.sha256 !== sha256) {
      found.push(`the content of ${path} has changed since the run was made`);
    }
  }
  for (const step of steps) {
    const id = stepId(step);
    const before = recipe.steps.find((candidate) => stepId(candidate) === id);
    if (before === undefined) continue;
    if (before.version !== step.version) {
      found.push(`step ${id} was version ${before.version} and is now ${step.version}`);
    }
    const names = new Set([...Object.keys(before.parameters), ...Object.keys(step.parameters)]);
    for (const name of names) {
      const was = textOf(before.parameters[name] as Json | undefined);
      const is = textOf(step.parameters[name]);
      if (was === is) continue;
      const from = firstShown(was, is);
      given.push(`${name} of step ${id} was ${cut(was, from)} and is now ${cut(is, from)}`);
    }
  }
  const flags = given.length === 0 ? [] : flagDifferences(recipe, run);
  // A flag may explain a part of them alone, or nothing: two names may be one file's.
  return [...found, ...flags, ...given];
}

function flagDifferences(recipe: Recipe, run: NewRun | undefined): string[] {
  if (run?.command === undefined) return [];
  const now = partsOf(run.command);
  const before = recipe.commands.map(partsOf).findLast(({ verb }) => verb === now.verb);
  if (before === undefined) return [];
  return [...new Set([...before.flags.keys(), ...now.flags.keys()])].flatMap((flag) => {
    const [was, is] = [before.flags.get(flag), now.flags.get(flag)];
    return was === is ? [] : `${flag} was ${was ?? "not given"} and is now ${is ?? "not given"}`;
  });
}

/** A command line's words before its flags, and these with their values, as they are typed. */
function partsOf(command: string) {
  const words = command.match(/(?:'[^']*'|\\.|[^\s'\\])+/g) ?? [];
  const first = words.findIndex((word) => word.startsWith("--"));
  const given = first < 0 ? "" : words.slice(first).join(" ");
  const flags = new Map<string, string>();
  for (const [flag = "", ...values] of given.split(/ (?=--)/).map((text) => text.split(" "))) {
    const before = flags.get(flag);
    const value = values.join(" ") || "given";
    flags.set(flag, before === undefined ? value : `${before} ${value}`);
  }
  // It is the same, and the seed is compared as a number.
  for (const flag of ["--run", "--seed"]) flags.delete(flag);
  return { verb: words.slice(0, first < 0 ? undefined : first).join(" "), flags };
}

const textOf = (value: Json | undefined): string =>
  value === undefined ? "absent" : canonicalJson(value);

const mostShown = 60;
const shownBefore = 20;

/** Where two texts that differ are to be shown from, so that the difference can be seen. */
function firstShown(one: string, other: string): number {
  if (Math.max(one.length, other.length) <= mostShown) return 0;
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  return Math.max(0, same - shownBefore);
}

function cut(text: string, from: number): string {
  const end = from + mostShown;
  return `${from > 0 ? "…" : ""}${text.slice(from, end)}${text.length > end ? "…" : ""}`;
}

const union = (before: readonly string[], added: readonly string[]): string[] => [
  ...new Set([...before, ...added]),
];
