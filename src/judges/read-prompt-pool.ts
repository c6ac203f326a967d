import { readFileSync } from "node:fs";
import { z } from "zod";
import { InputError } from "../core/errors.js";
import { readYaml } from "../files/yaml.js";

/** Where a member stands, such as ["templates", "short", "task"]. */
export type PoolPath = readonly PropertyKey[];

/** A pool, and the line of its file at which a member stands. */
export interface PromptPoolFile {
  readonly file: string;
  readonly pool: PromptPool;
  /** Line of a part; for one that is missing, the line of what it would stand in. */
  lineOf(path: PoolPath): number;
}

/**
 * The pool in a YAML text, checked by its schema; `file` is what errors call it. Whether its prompts
 * ask for the same is another question: `lintPromptPool`.
 *
 * @throws InputError with a line for each problem.
 */
export function readPromptPool(file: string, text: string): PromptPoolFile {
  const { value, lineOf } = readYaml(file, text);
  const checked = promptPoolSchema.safeParse(value);
  if (checked.success) return { file, pool: checked.data, lineOf };
  throw new InputError(`Expected a pool of prompts in ${file}`, {
    problems: checked.error.issues.map(
      ({ path, message }) =>
        `${file}, line ${lineOf(path)}: ${path.map(String).join(".") || "the file"}: ${message}`,
    ),
    hint: "data/prompts/pairwise.yaml of this package shows every member, with comments",
  });
}

/** The pools that come along: of pairs by their caption, by their quality and in the paper's words, of questions of yes or no, and of ratings from 1 to 5 or to 4. */
export const promptPoolNames = [
  "pairwise",
  "pairwise-quality",
  "pairwise-paper",
  "yes-no",
  "ordinal",
  "ordinal-4",
] as const;
export type PromptPoolName = (typeof promptPoolNames)[number];

const loaded = new Map<PromptPoolName, PromptPoolFile>();

/** A pool that comes along, data/prompts/NAME.yaml. */
export function loadPromptPool(name: PromptPoolName): PromptPoolFile {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const file = `data/prompts/${name}.yaml`;
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  const pool = readPromptPool(file, text);
  loaded.set(name, pool);
  return pool;
}

/** Which of two images is better; a question of yes or no about one; a rating of one. */
export const promptKinds = ["pairwise", "yes-no", "ordinal"] as const;

export type PromptKind = (typeof promptKinds)[number];

const words = z.string().trim().min(1);

/** Parts' names make a prompt's, so they hold no slash. Numbers alone would lose their order. */
const name = z
  .string()
  .regex(/^(?!\d+$)[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/, "a name is letters, digits and hyphens");

const some = <Part extends z.ZodType>(part: Part) =>
  z.record(name, part).refine((parts) => Object.keys(parts).length > 0, "there is none");

const template = z.strictObject({ task: words, question: words });

const two = z.array(words).length(2);

const shared = {
  /** The pool's name where it is not the only one of its kind. */
  name: name.optional(),
  version: z.int().positive(),
  /** The origin of words that are quoted: they are not linted. */
  source: words.optional(),
  rules: words.optional(),
  personas: some(words),
  templates: some(template),
  criteria: some(words),
};

/** Both ways round, or one of them. */
const orders = <Name extends string>(...names: readonly [Name, Name]) =>
  z
    .strictObject({
      straight: z.array(z.enum(names)).length(2),
      flipped: z.array(z.enum(names)).length(2),
    })
    .partial()
    .refine((given) => Object.keys(given).length > 0, "there is none");

const pairwise = z.strictObject({
  kind: z.literal("pairwise"),
  ...shared,
  /** Answers and labels in the order of places. */
  glyphs: some(z.strictObject({ answers: two, labels: two, ask: words })),
  orders: orders("a", "b"),
  tie: z.strictObject({ answer: words, ask: words }).optional(),
});

const yesNo = z.strictObject({
  kind: z.literal("yes-no"),
  ...shared,
  /** The answers for yes and for no. */
  glyphs: some(z.strictObject({ answers: two, ask: words })),
  orders: orders("yes", "no"),
});

const ordinal = z.strictObject({
  kind: z.literal("ordinal"),
  ...shared,
  /** The answers from the lowest rating up. */
  glyphs: some(z.strictObject({ answers: z.array(words).min(2).max(9), ask: words })),
  orders: orders("lowest", "highest"),
});

/** Schema of a file of data/prompts; pairwise.yaml explains each member at its place. */
const promptPoolSchema = z.discriminatedUnion("kind", [pairwise, yesNo, ordinal]);

/** The parts that a pool's prompts are composed of. */
export type PromptPool = z.output<typeof promptPoolSchema>;

/** Id of a pool and its words: `name@version`. */
export const poolId = ({ name: called, kind, version }: PromptPool): string =>
  `${called ?? kind}@${version}`;
