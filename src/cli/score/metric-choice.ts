import { InputError } from "../../core/errors.js";
import { type Metric, modelsBehind } from "../../core/metric.js";
import { type Decomposer, modelName, placedName } from "../../core/models.js";
import { type CatalogueEntry, metricByName, metricCatalogue } from "../../metrics/catalogue.js";
import { importMetric } from "../../metrics/user-metric.js";
import { contractsOf, contractWords, keeps } from "../../models/contracts.js";
import { chatDecomposer } from "../../models/decomposer/chat-decomposer.js";
import { ruleDecomposer } from "../../models/decomposer/rule-decomposer.js";
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
const notByDefault = ["vqa-rating", "pick-score", "hps", "blip-vqa"];

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
  decomposeWith,
}: {
  readonly names: readonly string[];
  readonly modelTexts: readonly string[];
  readonly configured?: Readonly<Record<string, ConfiguredModel>> | undefined;
  readonly hosting?: Hosting;
  readonly workingDirectory: string;
  /** The model that takes texts apart, for metrics that ask about their parts. */
  readonly decomposeWith?: string | undefined;
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
  const decomposer =
    decomposeWith === undefined
      ? undefined
      : await chooseDecomposer(decomposeWith, { configured, hosting });
  const metrics = named.flatMap((each) => withModels(each, { models, decomposer }));
  for (const { model } of models) {
    const name = placedName(model.identity);
    if (metrics.some((metric) => modelsBehind(metric).includes(name))) continue;
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
  const [name = "", ...convention] = text.split(":");
  return {
    entry: metricByName(name),
    ...(convention.length === 0 ? {} : { convention: convention.join(":") }),
  };
}

function defaultsFor(models: readonly ChosenModel[]): Named[] {
  return metricCatalogue
    .filter(({ name }) => !notByDefault.includes(name))
    .filter((entry) => models.some((model) => fits(entry, model)))
    .filter((entry) => besides(entry, models).length > 0)
    .map((entry) => ({ entry }));
}

const fits = ({ needs }: CatalogueEntry, { model }: ChosenModel) =>
  needs.every((contract) => keeps(model, contract));

/** The models that do what a metric needs beside its first; `undefined` where it needs nothing. */
const besides = ({ also = [] }: CatalogueEntry, models: readonly ChosenModel[]) =>
  also.length === 0
    ? [undefined]
    : models.map(({ model }) => model).filter((model) => also.every((one) => keeps(model, one)));

function withModels(
  { entry, convention }: Named,
  {
    models,
    decomposer,
  }: { readonly models: readonly ChosenModel[]; readonly decomposer: Decomposer | undefined },
): Metric[] {
  const fitting = models.filter((model) => fits(entry, model));
  if (models.length === 0) {
    throw new InputError(`The metric ${entry.name} needs a model, and none was named`, {
      hint: waysForward,
    });
  }
  // Where none fits, making the metric with the first says what is wrong with it.
  const chosen = fitting.length > 0 ? fitting : models.slice(0, 1);
  const others = besides(entry, models);
  return chosen.flatMap(({ model }) =>
    (others.length > 0 ? others : [undefined]).map((localizer) =>
      entry.make({
        ...{ model, localizer, decomposer },
        ...(convention === undefined ? {} : { convention }),
      }),
    ),
  );
}

/** A chat model takes texts apart when it is asked to; "rules" needs no model. */
async function chooseDecomposer(
  text: string,
  {
    configured,
    hosting,
  }: {
    readonly configured: Readonly<Record<string, ConfiguredModel>> | undefined;
    readonly hosting: Hosting | undefined;
  },
): Promise<Decomposer> {
  if (text === "rules") return ruleDecomposer();
  const { model, load } = await chooseModel(text, configured, hosting);
  await load();
  if (keeps(model, "Decomposer")) return model;
  if (keeps(model, "ChatModel")) return chatDecomposer({ model });
  throw new InputError(
    `Expected rules, or a model that ${contractWords.ChatModel}, for --decompose-with but received ` +
      `${modelName(model.identity)}, which ${contractsOf(model)
        .map((contract) => contractWords[contract])
        .join(" and ")}`,
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
