import { command } from "../../command-line/command.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import { namedIn } from "../../configuration/configuration-schema.js";
import { wrap } from "../../terminal/wrap.js";
import { entryText, loadCatalogue } from "./metrics.js";

export default command({
  description:
    "Lists where models come from: what each gives, needs and costs, what of it was run here and with " +
    "which weights, and the short names of touchstone.config.yaml. Nothing is asked or loaded.",
  examples: ["touchstone metrics models", "touchstone metrics models --json"],
  arguments: {},
  async run({ environment, output }) {
    const { models } = loadCatalogue();
    const { settings } = await loadConfiguration(environment);
    const configured = Object.entries(settings.models ?? {}).map(([name, entry]) => ({
      name,
      model: `${entry.provider}:${namedIn(entry)}`,
    }));
    output.resultJson({
      models: Object.entries(models).map(([name, { published, ...entry }]) => ({
        name,
        ...entry,
        publishedWeights: published,
      })),
      configured,
    });
    const { style } = output;
    const own = configured.map(({ name, model }) => `  ${name}: ${model}`);
    output.result(
      [
        ...Object.values(models).map(({ example, published: _, ...entry }) =>
          entryText(example, entry, style, wrap),
        ),
        ...(own.length === 0 ? [] : [["Named in touchstone.config.yaml:", ...own].join("\n")]),
        wrap(publishedText(Object.entries(models)), style.width),
      ].join("\n\n"),
    );
    output.nextCommand(["doctor", "--models"]);
  },
});

function publishedText(
  models: readonly (readonly [string, { readonly published: boolean }])[],
): string {
  const names = models.flatMap(([name, { published }]) => (published ? [name] : []));
  return names.length === 0
    ? "None of them was run with published weights here: try one on images that you know first."
    : `Run with published weights here: ${names.join(", ")}.`;
}
