import { InputError } from "../../../core/errors.js";
import { canonicalJson } from "../../../core/json.js";
import { type Metric, metricFacts } from "../../../core/metric.js";
import { type Decomposer, type Model, modelName, placedName } from "../../../core/models.js";
import {
  type CatalogueEntry,
  canCarry,
  metricByName,
  metricCatalogue,
} from "../../../metrics/catalogue.js";
import { importMetric } from "../../../metrics/user-metric.js";
import { contractWords, keeps } from "../../../models/contracts.js";
import { chatDecomposer } from "../../../models/decomposer/chat-decomposer.js";
import { ruleDecomposer } from "../../../models/decomposer/rule-decomposer.js";
import type { ConfiguredModel } from "../../configuration/configuration-schema.js";
import type { ChosenModel } from "../../environment.js";
import type { Hosting } from "../../models/hosting.js";
import { taskWords, whatItDoes } from "../../models/made-for.js";
import { chooseModel, isProvider, waysForward } from "../../models/model-choice.js";
import type { RatingWordings } from "./rating-wordings.js";

/** A metric with the model that it asks, as `--metric` names the two together. */
export interface ChosenMetric {
  readonly metric: Metric;
  /** Such as "vqa-score=lab:vqa"; of a metric of the user's own its path. */
  readonly name: string;
}

export interface MetricChoice {
  readonly chosen: readonly ChosenMetric[];
  readonly metrics: readonly Metric[];
  /** The models that the metrics ask; no others. */
  readonly models: readonly ChosenModel[];
}

/**
 * The metrics that are tried with a model where none is named: the first that it can carry. The
 * others mean what they say with the networks that they were published with, or filter images, or
 * (localized-vqa-score) need a second model.
 */
const byDefault = ["clip-score", "image-reward", "vqa-score", "mllm-rating", "proto-score"];
const withLocalizer = "localized-vqa-score";

/**
 * The metrics that the command line names, each with the models that it asks.
 *
 * - A name with models after "=" (`clip-score=lab:dual-encoder-skewed`) asks these alone.
 * - A bare name (`clip-score`, `clip-score:cosine`) asks each model of `modelTexts` that can carry
 *   it: that keeps its contracts and, where it was made for some tasks alone, was made for this one.
 * - Without a name each model is asked by one metric, the first that it can carry; and by
 *   localized-vqa-score where another finds entities.
 * - Metrics of the user's own (./mine.mjs, python:mine:score) ask whom they like.
 *
 * A metric and a model of which the abilities do not suffice are never paired.
 *
 * @param otherwise the models where `modelTexts` names none; those that no metric asks are left out
 * @throws InputError for an unknown name, a metric that no model can carry, a model that no metric
 *   asks, a model that can't be used, or no model where one is needed: then with the ways forward.
 */
export async function chooseMetrics({
  names,
  modelTexts,
  otherwise = [],
  configured,
  hosting,
  workingDirectory,
  decomposeWith,
  wordings = new Map(),
}: {
  readonly names: readonly string[];
  readonly modelTexts: readonly string[];
  readonly otherwise?: readonly string[];
  readonly configured?: Readonly<Record<string, ConfiguredModel>> | undefined;
  readonly hosting?: Hosting;
  readonly workingDirectory: string;
  /** The model that takes texts apart, for metrics that ask about their parts. */
  readonly decomposeWith?: string | undefined;
  /** Words of one's own by the name of the metric. */
  readonly wordings?: RatingWordings;
}): Promise<MetricChoice> {
  const own = names.filter(isOwnMetric);
  const model = names.find((name) => !isOwnMetric(name) && isProvider(name.split(":")[0] ?? ""));
  if (model !== undefined) {
    throw new InputError(`Expected a metric for --metric but received the model ${model}`, {
      hint: `Name it by --model ${model}, or with its metric: --metric METRIC=${model}`,
    });
  }
  const named = names.filter((name) => !isOwnMetric(name)).map(parseMetricName);
  const isBare = names.length === 0 || named.some(({ models }) => models === undefined);
  const shared = modelTexts.length > 0 ? modelTexts : isBare ? otherwise : [];
  if (shared.length === 0 && isBare) {
    const asked = names.length === 0 ? "Scoring" : `The metric ${names.find(isBareName)}`;
    throw new InputError(`${asked} needs a model, and none was named`, { hint: waysForward });
  }
  const byText = new Map<string, ChosenModel>();
  for (const text of [...shared, ...named.flatMap(({ models = [] }) => models)]) {
    if (byText.has(text)) continue;
    byText.set(text, await chooseModel(text, configured, hosting));
  }
  const modelsNamed = (texts: readonly string[]): NamedModel[] =>
    [...byText].flatMap(([text, chosen]) => (texts.includes(text) ? [{ text, ...chosen }] : []));
  const decomposer =
    decomposeWith === undefined
      ? undefined
      : await chooseDecomposer(decomposeWith, { configured, hosting });
  const pairs =
    names.length === 0
      ? defaultPairs(modelsNamed(shared))
      : named.flatMap((each) => pairsOf(each, modelsNamed(each.models ?? shared)));
  const strict = new Set([...modelTexts, ...named.flatMap(({ models = [] }) => models)]);
  const asked = new Set(pairs.flatMap(({ models }) => models.map(({ text }) => text)));
  for (const [text, { model }] of byText) {
    if (!asked.has(text) && (strict.has(text) || asked.size === 0)) throw idle(model, names);
  }
  const chosen = distinct(
    pairs.map((pair) => ({ name: nameOf(pair), metric: made(pair, { decomposer, wordings }) })),
  );
  for (const name of own) {
    chosen.push({ name, metric: await ownMetric(name, { hosting, workingDirectory }) });
  }
  return {
    chosen,
    metrics: chosen.map(({ metric }) => metric),
    models: [...byText].flatMap(([text, model]) => (asked.has(text) ? [model] : [])),
  };
}

/** A metric of the user's own, by the path of its module or its Python function. */
export async function ownMetric(
  name: string,
  { hosting, workingDirectory }: { hosting: Hosting | undefined; workingDirectory: string },
): Promise<Metric> {
  const inPython = pythonFunction(name);
  if (inPython === undefined) return importMetric(name, { directory: workingDirectory });
  const [{ bridgedFunction }, { pythonMetric }] = await Promise.all([
    import("../../models/bridged-model.js"),
    import("../../../metrics/user-metric.js"),
  ]);
  if (hosting === undefined) throw new InputError(`Expected another metric than ${name} here`);
  return pythonMetric(inPython, bridgedFunction(inPython, hosting));
}

const isBareName = (name: string) => !isOwnMetric(name) && !name.includes("=");

interface NamedModel extends ChosenModel {
  readonly text: string;
}

/** A metric with one model, and a second where it finds entities with another. */
interface Pair extends Omit<NamedMetric, "models"> {
  readonly models: readonly [NamedModel, ...NamedModel[]];
}

function defaultPairs(models: readonly NamedModel[]): Pair[] {
  const entries = byDefault.map(metricByName);
  const localized = metricByName(withLocalizer);
  const firstOf = ({ model }: NamedModel) => entries.find((entry) => canCarry(entry, model));
  return metricCatalogue.flatMap((entry) => {
    if (entry === localized) {
      const isPossible = finders(entry, models).length > 0 && models.some(carries(entry));
      return isPossible ? pairsOf({ entry }, models) : [];
    }
    return models.filter((one) => firstOf(one) === entry).map((one) => ({ entry, models: [one] }));
  });
}

const carries =
  (entry: CatalogueEntry) =>
  ({ model }: NamedModel): boolean =>
    canCarry(entry, model);

/** The models that do what a metric needs beside its first. */
const finders = ({ also = [] }: CatalogueEntry, models: readonly NamedModel[]): NamedModel[] =>
  also.length === 0 ? [] : models.filter(({ model }) => also.every((one) => keeps(model, one)));

/** @throws InputError where no model can carry the metric. */
function pairsOf(
  { entry, convention }: Omit<NamedMetric, "models">,
  models: readonly NamedModel[],
): Pair[] {
  const able = models.filter(carries(entry));
  if (able.length === 0) throw unable(entry, models);
  const named = { entry, ...(convention === undefined ? {} : { convention }) };
  const second = finders(entry, models);
  return able.flatMap((first): Pair[] =>
    second.length === 0
      ? [{ ...named, models: [first] }]
      : second.map((other) => ({
          ...named,
          models: other === first ? [first] : [first, other],
        })),
  );
}

function made(
  { entry, convention, models: [first, second] }: Pair,
  {
    decomposer,
    wordings,
  }: { readonly decomposer: Decomposer | undefined; readonly wordings: RatingWordings },
): Metric {
  return entry.make({
    model: first.model,
    localizer: second?.model,
    decomposer,
    wording: wordings.get(entry.name),
    ...(convention === undefined ? {} : { convention }),
  });
}

const nameOf = ({ entry, convention, models }: Pair): string =>
  `${[entry.name, convention].filter((part) => part !== undefined).join(":")}=` +
  models.map(({ text }) => text).join(",");

/** Whoever names a metric of a model twice is answered once; the settings named last count. */
function distinct(all: readonly ChosenMetric[]): ChosenMetric[] {
  const byFacts = new Map<string, ChosenMetric>();
  for (const one of all) {
    const facts = canonicalJson({ ...metricFacts(one.metric), range: [...one.metric.range] });
    byFacts.set(facts, one);
  }
  return [...byFacts.values()];
}

function unable({ name, needs, task }: CatalogueEntry, models: readonly NamedModel[]): InputError {
  const isForOthers = models.some(({ model }) => needs.every((one) => keeps(model, one)));
  const wanted =
    isForOthers && task !== undefined
      ? taskWords[task]
      : needs.map((contract) => contractWords[contract]).join(" and ");
  const received = models.map(
    ({ model }) =>
      `${modelName(model.identity)}, which ${whatItDoes(model) || "does nothing of this"}`,
  );
  return new InputError(
    `Expected a model that ${wanted} for the metric ${name} but received ${received.join(", and ")}`,
  );
}

function idle(model: Model, names: readonly string[]): InputError {
  const name = placedName(model.identity);
  const does = `It ${whatItDoes(model)}.`;
  return names.length === 0
    ? new InputError(`No metric needs the model ${name} alone`, { hint: does })
    : new InputError(`None of the metrics ${names.join(", ")} asks the model ${name}`, {
        hint: `${does} A metric with a model of its own is named as --metric clip-score=MODEL.`,
      });
}

/** A chat model takes texts apart when it is asked to; "rules" needs no model. */
export async function chooseDecomposer(
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
  const { model, load } = await chooseModel(text, configured, hosting, "--decompose-with");
  await load();
  if (keeps(model, "Decomposer")) return model;
  if (keeps(model, "ChatModel")) return chatDecomposer({ model });
  throw new InputError(
    `Expected rules, or a model that ${contractWords.ChatModel}, for --decompose-with but received ` +
      `${modelName(model.identity)}, which ${whatItDoes(model)}`,
  );
}

/** Raters of images from 1 to 10: a chat model in words, or any other by its probability of yes. */
const raters = ["prompt-rating", "vqa-rating"];

/**
 * The rating by which images are filtered: a model alone, or a metric with its model
 * (vqa-rating=MODEL, prompt-rating:expected=MODEL). A model alone that chats is asked for a rating.
 *
 * @throws InputError for another metric, or a model that can't carry it.
 */
export async function chooseRater(
  text: string,
  configured?: Readonly<Record<string, ConfiguredModel>>,
  hosting?: Hosting,
  wordings: RatingWordings = new Map(),
): Promise<{ readonly rater: Metric; readonly callsAtOnce: number }> {
  const named = /^[a-z-]+(:[a-z]+)?=/.test(text) ? parseMetricName(text) : undefined;
  if (named !== undefined && !raters.includes(named.entry.name)) {
    throw new InputError(
      `Expected ${raters.join(" or ")} for --rate-with but received ${named.entry.name}`,
    );
  }
  const {
    model,
    load,
    callsAtOnce = 0,
  } = await chooseModel(named?.models?.join(",") ?? text, configured, hosting, "--rate-with");
  await load();
  const { entry, convention } = named ?? {
    entry: metricByName(
      keeps(model, "ChatModel") && model.madeFor === undefined ? "prompt-rating" : "vqa-rating",
    ),
  };
  const wording = wordings.get(entry.name);
  const rater = entry.make({ model, wording, ...(convention === undefined ? {} : { convention }) });
  return { rater, callsAtOnce };
}

/** A metric of the catalogue as `--metric` names it. */
export interface NamedMetric {
  readonly entry: CatalogueEntry;
  readonly convention?: string;
  /** The models that it alone is to be asked of, where they were named after "=". */
  readonly models?: readonly string[];
}

/** Whether a text names a metric of the user's own: a module, ./mine.mjs, or a Python function. */
export const isOwnMetric = (text: string): boolean =>
  pythonFunction(text) !== undefined || (/[\\/]|\.[cm]?js$/.test(text) && !isPaired(text));

/** The Python function that `python:module:function` or `python:file.py:function` names. */
export const pythonFunction = (text: string): string | undefined =>
  text.startsWith("python:") ? text.slice("python:".length) : undefined;

/** Whether a text is a metric of the catalogue with models of its own: the models may be paths. */
const isPaired = (text: string): boolean => {
  const [, name] = /^([^:=]+)(:[^=]*)?=/.exec(text) ?? [];
  return metricCatalogue.some((entry) => entry.name === name);
};

/**
 * Takes a name apart: `clip-score`, `clip-score:cosine`, `clip-score=lab:dual-encoder-skewed`, or
 * `localized-vqa-score:recall=lab:vqa,lab:localizer`.
 *
 * @throws InputError for an unknown name, with the nearest.
 */
function parseMetricName(text: string): NamedMetric {
  const end = text.indexOf("=");
  const [name = "", ...convention] = (end < 0 ? text : text.slice(0, end)).split(":");
  const models = end < 0 ? undefined : text.slice(end + 1);
  return {
    entry: metricByName(name),
    ...(convention.length === 0 ? {} : { convention: convention.join(":") }),
    ...(models === undefined ? {} : { models: models.split(",") }),
  };
}
