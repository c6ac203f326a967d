import { modelsOf } from "../core/metric.js";
import { type ModelFacts, type Placed, placed } from "../core/models.js";
import type { RecordOf } from "../core/records.js";

/** A command line that asks for something again. */
export interface RepeatCommand {
  /** The words after `touchstone`. */
  readonly words: readonly string[];
  /** The environment in which it reaches the same server, where that takes any. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * The command that asks for one score again, outside its run; undefined for what no command line
 * names: a metric of the user's own, or a check by the truth.
 *
 * @param options.conventionsOf the conventions of a metric that the command line names
 * @param options.named what the configuration calls models, by `placed`: its settings come with its name
 */
export function repeatWords(
  score: RecordOf<"score">,
  imagePath: string | undefined,
  {
    conventionsOf,
    named = new Map(),
  }: {
    readonly conventionsOf: (metric: string) => readonly string[] | undefined;
    readonly named?: ReadonlyMap<string, string> | undefined;
  },
): RepeatCommand | undefined {
  const { metric, convention, text } = score;
  const { models, decomposer } = modelsOf(score);
  const entities = score.status === "done" ? score.details?.entities : undefined;
  const conventions = conventionsOf(metric);
  if (conventions === undefined || imagePath === undefined) return undefined;
  const isConvention = convention !== undefined && conventions.includes(convention);
  const decomposing = decomposer === undefined ? [] : [asGiven(decomposer)];
  const nameOf = (model: ModelFacts) => named.get(placed(model)) ?? model.model;
  const unnamed = [...models, ...decomposing].filter((model) => !named.has(placed(model)));
  return {
    variables: addressOf(unnamed),
    words: [
      ...["score", "--image", imagePath, ...textFlag(text)],
      ...["--metric", isConvention ? `${metric}:${convention}` : metric],
      ...models.flatMap((model) => ["--model", nameOf(model)]),
      ...decomposing.flatMap((model) => ["--decompose-with", nameOf(model)]),
      ...(entities === undefined ? [] : ["--entities", JSON.stringify(entities)]),
    ],
  };
}

/** A value that looks like a flag is one, unless it stands behind the sign. */
const textFlag = (text: string) => (text.startsWith("-") ? [`--text=${text}`] : ["--text", text]);

/** The models that such a command names, as a command line would give them. */
export function modelsToRepeat(score: Placed): ModelFacts[] {
  const { models, decomposer } = modelsOf(score);
  return [...models, ...(decomposer === undefined ? [] : [asGiven(decomposer)])];
}

/** The environment in which a command reaches the same server, where there is but one. */
function addressOf(models: readonly ModelFacts[]): Readonly<Record<string, string>> {
  const hosted = models.filter(({ model }) => model.startsWith("openai-compatible:"));
  const [address, ...others] = new Set(hosted.map(({ baseUrl }) => baseUrl));
  return address === undefined || others.length > 0 ? {} : { OPENAI_BASE_URL: address };
}

/** The rules are no model that a command line names, and a chat model's instructions no revision. */
export const asGiven = ({ model, ...place }: ModelFacts): ModelFacts => ({
  ...place,
  model: model.startsWith("rules:") ? "rules" : model.replace(/[@+]instructions-[0-9a-f]{8}$/, ""),
});
