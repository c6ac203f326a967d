import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { InputError } from "../core/errors.js";
import type { Metric, MetricScore } from "../core/metric.js";
import { type Model, type RewardModel, withoutCredentials } from "../core/models.js";
import { type ScoreParts, scorePartNames, scoreParts } from "../core/score-parts.js";
import { NoAnswer } from "../core/unscored.js";
import { failed } from "../files/file-error.js";
import type { Bridged } from "../models/python-bridge/python-bridge.js";
import { quoted } from "../tables/format.js";

const expected = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    `expected ${what} but received ${typeof input === "function" ? "a function" : quoted(input)}`,
});
const word = expected("text");
const shortName = expected('a short name, such as "my-metric",');
const range = expected("two numbers, the lower first, such as [0, 1],");

const schema = z.object(
  {
    name: z.string(shortName).regex(/^[\w.-]+$/, shortName),
    version: z
      .int(expected("a whole number from 1"))
      .positive(expected("a whole number from 1"))
      .default(1),
    convention: z.string(word).optional(),
    template: z.string(word).optional(),
    statistic: z.string(word).optional(),
    model: z.string(word).default("none"),
    baseUrl: z.string(word).transform(withoutCredentials).optional(),
    range: z.custom<Metric["range"]>(isRange, range),
    direction: z.enum(["higher", "lower"], expected('"higher" or "lower"')),
    needsText: z.boolean(expected("true or false")).exactOptional(),
    score: z.custom<Metric["score"]>(
      (value) => typeof value === "function",
      expected("a function ({ image, text }, { signal }) => { value }"),
    ),
  },
  expected("an object with name, range, direction and score"),
);

function isRange(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [low, high]: unknown[] = value;
  return Number.isFinite(low) && Number.isFinite(high) && Number(low) < Number(high);
}

/**
 * A metric of the user's own, from the default export of a module. It must have `name`, `range`,
 * `direction` and `score({ image, text }) -> { value }` (or the bare number); `version`,
 * `statistic`, `model`, `baseUrl`, `convention`, `template` and `needsText` may say more. What its code throws is no
 * answer for that image ("provider-error"), so that one bad row does not lose the others.
 *
 * @param path a file that Node can import, such as "./mine.mjs"
 * @param options.directory where a relative path starts
 * @throws InputError where the module can't be imported or exports something else.
 */
export async function importMetric(
  path: string,
  { directory = "." }: { readonly directory?: string } = {},
): Promise<Metric> {
  const file = resolve(directory, path);
  // Asked first, since Node's message about a missing file names who imports it: this file.
  const reading = stat(file).catch(failed("read", `the metric ${path}`));
  if (!(await reading).isFile()) {
    throw new InputError(`Expected a module for the metric but received the folder ${path}`);
  }
  const module: unknown = await import(pathToFileURL(file).href).catch((cause: unknown) => {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new InputError(`Can't import the metric ${path}: ${message}`, { cause });
  });
  const exported =
    typeof module === "object" && module !== null && "default" in module
      ? module.default
      : undefined;
  return checkMetric(exported, path);
}

/** @throws InputError naming each member that is not as a metric's must be. */
export function checkMetric(candidate: unknown, origin: string): Metric {
  if (candidate === undefined) {
    throw new InputError(`Expected a metric as the default export of ${origin} but found none`, {
      hint: "export default { name, range: [low, high], direction, score({ image, text }) {…} }",
    });
  }
  const parsed = schema.safeParse(candidate);
  if (!parsed.success) {
    throw new InputError(`The metric in ${origin} is not whole`, {
      problems: parsed.error.issues.map(
        ({ path, message }) => `${path.length === 0 ? "the export" : path.join(".")}: ${message}`,
      ),
    });
  }
  const { convention, template, statistic, baseUrl, ...given } = parsed.data;
  // Called on the user's own object, which `score` may reach by `this`.
  const own = candidate as Metric;
  return {
    ...given,
    ...(convention === undefined ? {} : { convention }),
    ...(template === undefined ? {} : { template }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    statistic: statistic ?? given.name,
    async score(input, options) {
      try {
        const answer: unknown = await own.score(input, options);
        const read = readAnswer(answer);
        if (read !== undefined) return read;
        const problem = `Expected { value } but received ${JSON.stringify(answer)}`;
        options?.trace?.({ kind: "attempt-failed", attempt: 1, problem });
        throw new NoAnswer("unparsable", problem);
      } catch (thrown) {
        if (thrown instanceof NoAnswer || options?.signal?.aborted) throw thrown;
        const message = thrown instanceof Error ? thrown.message : String(thrown);
        options?.trace?.({ kind: "attempt-failed", attempt: 1, problem: message });
        throw new NoAnswer("provider-error", `The metric ${given.name} failed: ${message}`, {
          retryable: false,
          cause: thrown,
        });
      }
    },
  };
}

/** The finite and the declared range are checked where every metric's are. */
function readAnswer(answer: unknown): MetricScore | undefined {
  if (typeof answer === "number") return { value: answer };
  if (typeof answer === "object" && answer !== null && "value" in answer) {
    const { value } = answer;
    if (typeof value === "number") return { value, ...sound(answer) };
  }
  return undefined;
}

/**
 * What is said beside the value, as JSON, without parts of other types. Other members, such as a model's
 * tensors, may be what JSON cannot hold.
 */
function sound(answer: object): ScoreParts {
  const said = scorePartNames.map((name) => {
    const json = JSON.stringify({ [name]: Reflect.get(answer, name) });
    return z.object({ [name]: scoreParts[name] }).safeParse(JSON.parse(json)).data;
  });
  return Object.assign({}, ...said);
}

/** Where a function says nothing of its range: all numbers that a table may hold. */
const unbounded = [-1e300, 1e300];

/**
 * A metric that is a Python function f(image, text) -> float. Its attributes `range`, `direction`
 * ("higher" where it has none) and `version` say more; raise the last whenever the same input would
 * give another number.
 *
 * @param name where it is imported from: module:function or file.py:function
 * @param model `pythonBridge("function", { model: name })`; it is loaded, to be asked what it is
 * @throws InputError where it can't be imported, or says of itself what no metric is.
 * @example await pythonMetric("mine:brightness", pythonBridge("function", { model: "mine:brightness" }))
 */
export async function pythonMetric(
  name: string,
  model: Model & Bridged & RewardModel,
): Promise<Metric> {
  const described = await model.described();
  return checkMetric(
    {
      range: unbounded,
      direction: "higher",
      ...described,
      name: name.split(":").at(-1),
      model: `python:${name}`,
      score: async ({ image, text }, options) => ({
        value: await model.reward(image, text, options),
      }),
    } satisfies Record<string, unknown> & Pick<Metric, "score">,
    name,
  );
}
