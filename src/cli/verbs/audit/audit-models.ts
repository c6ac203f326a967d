import { withInputs } from "../../../benchmarks/step-kind.js";
import { auditSteps } from "../../../benchmarks/stereotypes/audit-steps.js";
import { largestOf } from "../../../core/arrays.js";
import { InputError } from "../../../core/errors.js";
import { asJson } from "../../../core/json.js";
import { type Metric, modelsBehind } from "../../../core/metric.js";
import {
  type ChatModel,
  type ImageGenerator,
  type Model,
  placedName,
} from "../../../core/models.js";
import type { AnyStep } from "../../../core/step.js";
import type { SimilarityCheck } from "../../../judges/refine-prompt.js";
import type { Contracts } from "../../../models/contracts.js";
import type { ConfiguredModel } from "../../configuration/configuration-schema.js";
import { type ChosenGenerator, chooseGenerator } from "../../models/generator-choice.js";
import { type Hosting, hostingFor } from "../../models/hosting.js";
import { checkMadeFor } from "../../models/made-for.js";
import { modelFor } from "../../models/model-for.js";
import { chooseMetrics, isOwnMetric } from "../score/metric-choice.js";
import type { AuditPlan } from "./read-audit-config.js";

/** The models of an audit, loaded. */
export interface AuditModels {
  readonly judge: ChatModel;
  readonly refiner: ChatModel | undefined;
  readonly similarity: SimilarityCheck | undefined;
  readonly alignment: readonly Metric[];
  /** Paths of metrics of the user's own, by their names. */
  readonly own: ReadonlyMap<string, string>;
  /** As a recipe names them. */
  readonly names: readonly string[];
  readonly callsAtOnce: number;
}

/**
 * The image models that a configuration names.
 *
 * @param options.allowOutside whether links in a folder of images may lead out of it
 * @throws InputError for one that does not exist, has no key or has the name of another.
 */
export async function chooseAuditedGenerators(
  { config }: AuditPlan,
  options: Pick<
    NonNullable<Parameters<typeof chooseGenerator>[1]>,
    "configured" | "hosting" | "allowOutside"
  >,
): Promise<ChosenGenerator[]> {
  const chosen: ChosenGenerator[] = [];
  for (const name of config.generators) chosen.push(await chooseGenerator(name, options));
  refuseTwins(chosen.map(({ generator }) => generator));
  return chosen;
}

/**
 * The models that a configuration names beside the generators that were chosen.
 *
 * @throws InputError for one that does not exist, has no key or can't do what it is to do.
 */
export async function chooseAuditModels(
  { config }: AuditPlan,
  {
    generators,
    configured,
    hosting = hostingFor({ variables: {}, workingDirectory: "." }),
  }: {
    readonly generators: readonly ChosenGenerator[];
    readonly configured?: Readonly<Record<string, ConfiguredModel>> | undefined;
    readonly hosting?: Hosting;
  },
): Promise<AuditModels> {
  let callsAtOnce = Math.max(0, largestOf(generators.map((one) => one.callsAtOnce ?? 0)));
  const choose = async <Contract extends "ChatModel" | "TextEmbedder">(
    member: string,
    text: string,
    contract: Contract,
  ): Promise<Contracts[Contract]> => {
    const chosen = await modelFor(text, contract, { flag: member, configured, hosting });
    callsAtOnce = Math.max(callsAtOnce, chosen.callsAtOnce ?? 0);
    return chosen.model;
  };
  const judge = await choose("judge", config.judge, "ChatModel");
  checkMadeFor(judge, "rubric", "judge");
  const refiner =
    config.refiner === undefined ? undefined : await choose("refiner", config.refiner, "ChatModel");
  if (refiner !== undefined) checkMadeFor(refiner, "refinement", "refiner");
  const similarity =
    config.similarity === undefined
      ? undefined
      : {
          model: await choose("similarity", config.similarity.model, "TextEmbedder"),
          minimum: config.similarity.minimum,
        };
  const { metrics, chosen, models } =
    config.alignment === undefined
      ? { metrics: [], chosen: [], models: [] }
      : await chooseMetrics({
          names: config.alignment.metrics ?? [],
          modelTexts: config.alignment.models,
          configured,
          hosting,
          workingDirectory: hosting.workingDirectory,
        });
  for (const { load } of models) await load();
  const asked: Model[] = [
    ...generators.map(({ generator }) => generator),
    judge,
    ...(refiner === undefined ? [] : [refiner]),
    ...(similarity === undefined ? [] : [similarity.model]),
  ];
  return {
    judge,
    refiner,
    similarity,
    alignment: metrics,
    own: new Map(
      chosen.flatMap(({ name, metric }) =>
        isOwnMetric(name) ? [[metric.name, name] as const] : [],
      ),
    ),
    names: [
      ...new Set([
        ...asked.map(({ identity }) => placedName(identity)),
        ...metrics.flatMap(modelsBehind),
      ]),
    ],
    callsAtOnce: Math.max(callsAtOnce, largestOf(models.map((model) => model.callsAtOnce ?? 0))),
  };
}

/**
 * The steps of an audit, with what its recipe must hold so that they are made again.
 *
 * @param how.seed, how.count in place of what the configuration says
 */
export function plannedSteps(
  { config, queries, rubrics, wording, sources }: AuditPlan,
  {
    models,
    generators,
    configured = {},
    allowOutside = false,
    seed = config.seed,
    count = config.queriesPerCategory,
  }: {
    readonly models: AuditModels;
    readonly generators: readonly ChosenGenerator[];
    readonly configured?: Readonly<Record<string, ConfiguredModel>> | undefined;
    readonly allowOutside?: boolean;
    readonly seed?: number;
    readonly count?: number | undefined;
  },
): AnyStep[] {
  const { mode, images, unit, trials, generators: painters, judge, refiner, similarity } = config;
  const named = [
    ...painters,
    judge,
    refiner,
    similarity?.model,
    ...(config.alignment?.models ?? []),
  ];
  const known = named.filter((name) => name !== undefined && Object.hasOwn(configured, name));
  const steps = auditSteps({
    ...models,
    queries,
    rubrics,
    wording,
    generators: generators.map(({ generator }) => generator),
    mode,
    images,
    unit,
    trials,
    count,
    seed,
  });
  return steps.map((step) => {
    if (step.name === "build-queries") return withInputs(step, { ...sources, count });
    const metric = models.own.get(String(step.parameters.metric));
    return withInputs(step, {
      models: known.length === 0 ? undefined : asJson(known),
      ...(step.produces === "image" ? { allowOutside: allowOutside || undefined } : {}),
      ...(metric === undefined ? {} : { own: metric }),
    });
  });
}

/** Steps and tables tell generators apart by their names. */
function refuseTwins(generators: readonly ImageGenerator[]): void {
  const names = generators.map(({ identity }) => placedName(identity).replace(/@\S*/g, ""));
  const twin = names.find((name, at) => names.indexOf(name) < at);
  if (twin === undefined) return;
  throw new InputError(`Expected generators of different names but received ${twin} twice`, {
    hint: "Audit two revisions of a model in two runs.",
  });
}
