import { modelsOf } from "../core/metric.js";
import type { ModelFacts } from "../core/models.js";
import type { RecordOf } from "../core/records.js";
import { metricCatalogue } from "../metrics/catalogue.js";

/**
 * The command that asks for one score again, outside its run; undefined for what no command line
 * names: a metric of the user's own, or a check by the truth.
 */
export function repeatCommand(
  score: RecordOf<"score">,
  imagePath: string | undefined,
): string | undefined {
  const { metric, convention, text } = score;
  const { models, decomposer } = modelsOf(score);
  const entities = score.status === "done" ? score.details?.entities : undefined;
  const entry = metricCatalogue.find(({ name }) => name === metric);
  if (entry === undefined || imagePath === undefined) return undefined;
  const isConvention = convention !== undefined && entry.conventions.includes(convention);
  return [
    `${addressOf([...models, ...(decomposer === undefined ? [] : [decomposer])])}touchstone score`,
    `--image ${quoted(imagePath)}`,
    `--text ${quoted(text)}`,
    `--metric ${quoted(isConvention ? `${metric}:${convention}` : metric)}`,
    ...models.map(({ model }) => `--model ${quoted(model)}`),
    ...(decomposer === undefined ? [] : [`--decompose-with ${quoted(asGiven(decomposer.model))}`]),
    ...(entities === undefined ? [] : [`--entities ${quoted(JSON.stringify(entities))}`]),
  ].join(" ");
}

/** The environment in which a command reaches the same server, where there is but one. */
function addressOf(models: readonly ModelFacts[]): string {
  const hosted = models.filter(({ model }) => model.startsWith("openai-compatible:"));
  const [address, ...others] = new Set(hosted.map(({ baseUrl }) => baseUrl));
  return address === undefined || others.length > 0 ? "" : `OPENAI_BASE_URL=${quoted(address)} `;
}

/** The rules are no model that a command line names, and a chat model's instructions no revision. */
const asGiven = (decomposer: string) =>
  decomposer.startsWith("rules:")
    ? "rules"
    : decomposer.replace(/[@+]instructions-[0-9a-f]{8}$/, "");

/** A word that a POSIX shell takes for one, whatever is in it. */
export function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
