import { InputError } from "../../core/errors.js";
import type { Metric } from "../../core/metric.js";
import { modelName } from "../../core/models.js";
import { type CatalogueEntry, metricByName, metricCatalogue } from "../../metrics/catalogue.js";
import { importMetric } from "../../metrics/user-metric.js";
import { contractsOf, contractWords, keeps } from "../../models/contracts.js";
import type { ConfiguredModel } from "../configuration-schema.js";
import type { Hosting } from "../hosting.js";
import { type ChosenModel, chooseModel, waysForward } from "../model-choice.js";

export interface MetricChoice {
  readonly metrics: readonly Metric[];
  readonly models: readonly ChosenModel[];
}

/**
 * The first filters images: no answer to how good one is. The others mean what they say with the
 * networks that they were published with, and any dual encoder could carry them.
 */
const notByDefault = ["vqa-rating", "pick-score", "hps"];

/**
 * The metrics that the command line names: those of the catalogue (`clip-score`,
 * `clip-score:cosine`) once with each model that can carry them, those of the user's own as they
 * are. Without a name: whatever the models can carry.
 *
 * @throws InputError for an unknown name, a model that can't be used, or no model where one is
 *   needed: then with the ways forward.
 */
export async function chooseMetrics({
  names,
  modelTexts,
  configured,
  hosting,
  workingDirectory,
}: {
  readonly names: readonly string[];
  readonly modelTexts: readonly string[];
  readonly configured?: Readonly<Record<string, ConfiguredModel>> | undefined;
  readonly hosting?: Hosting;
  readonly workingDirectory: string;
}): Promise<MetricChoice> {
  const own = names.filter(isPath);
  const chosen = names.filter((name) => !isPath(name)).map(parseName);
  if (modelTexts.length === 0 && own.length === 0) {
    const asked = names.length === 0 ? "Scoring" : `The metric ${names[0]}`;
    throw new InputError(`${asked} needs a model, and none was named`, { hint: waysForward });
  }
  const models = await Promise.all(
    modelTexts.map((text) => chooseModel(text, configured, hosting)),
  );
  const named = names.length === 0 ? defaultsFor(models) : chosen;
  const metrics = named.flatMap(({ entry, convention }) => withModels(entry, convention, models));
  for (const { model } of models) {
    const name = modelName(model.identity);
    if (metrics.some((metric) => metric.model === name)) continue;
    throw new InputError(`None of the metrics ${names.join(", ")} asks the model ${name}`, {
      hint: `It ${contractsOf(model)
        .map((contract) => contractWords[contract])
        .join(" and ")}.`,
    });
  }
  for (const path of own) metrics.push(await importMetric(path, { directory: workingDirectory }));
  return { metrics, models };
}

const isPath = (name: string) => /[\\/]|\.[cm]?js$/.test(name);

interface Named {
  readonly entry: CatalogueEntry;
  readonly convention?: string;
}

function parseName(text: string): Named {
  const [name = "", convention] = text.split(":", 2);
  return { entry: metricByName(name), ...(convention === undefined ? {} : { convention }) };
}

function defaultsFor(models: readonly ChosenModel[]): Named[] {
  return metricCatalogue
    .filter(({ name }) => !notByDefault.includes(name))
    .filter((entry) => models.some((model) => fits(entry, model)))
    .map((entry) => ({ entry }));
}

const fits = ({ needs }: CatalogueEntry, { model }: ChosenModel) =>
  needs.every((contract) => keeps(model, contract));

function withModels(
  entry: CatalogueEntry,
  convention: string | undefined,
  models: readonly ChosenModel[],
): Metric[] {
  const fitting = models.filter((model) => fits(entry, model));
  if (models.length === 0) {
    throw new InputError(`The metric ${entry.name} needs a model, and none was named`, {
      hint: waysForward,
    });
  }
  // Where none fits, making the metric with the first says what is wrong with it.
  return (fitting.length > 0 ? fitting : models.slice(0, 1)).map(({ model }) =>
    entry.make({ model, ...(convention === undefined ? {} : { convention }) }),
  );
}

/** The rating by which images are filtered, by the model that is named. */
export async function chooseRater(
  text: string,
  configured?: Readonly<Record<string, ConfiguredModel>>,
  hosting?: Hosting,
): Promise<Metric> {
  const { model, load } = await chooseModel(text, configured, hosting);
  await load();
  return metricByName("vqa-rating").make({ model });
}
