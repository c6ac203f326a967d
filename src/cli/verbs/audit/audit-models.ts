import { InputError } from "../../../core/errors.js";
import type { Metric } from "../../../core/metric.js";
import { modelsBehind } from "../../../core/metric.js";
import {
  type ChatModel,
  type ImageGenerator,
  type Model,
  placedName,
} from "../../../core/models.js";
import type { SimilarityCheck } from "../../../judges/refine-prompt.js";
import { type Contracts, contractsOf, contractWords, keeps } from "../../../models/contracts.js";
import type { ConfiguredModel } from "../../configuration/configuration-schema.js";
import { chooseGenerator } from "../../models/generator-choice.js";
import { type Hosting, hostingFor } from "../../models/hosting.js";
import { checkMadeFor } from "../../models/made-for.js";
import { chooseModel } from "../../models/model-choice.js";
import { chooseMetrics } from "../score/metric-choice.js";
import type { AuditPlan } from "./read-audit-config.js";

/** The models of an audit, loaded. */
export interface AuditModels {
  readonly generators: readonly ImageGenerator[];
  readonly judge: ChatModel;
  readonly refiner: ChatModel | undefined;
  readonly similarity: SimilarityCheck | undefined;
  readonly alignment: readonly Metric[];
  /** As a recipe names them. */
  readonly names: readonly string[];
  readonly callsAtOnce: number;
}

/**
 * The models that a configuration names.
 *
 * @throws InputError for one that does not exist, has no key or can't do what it is to do.
 */
export async function chooseAuditModels(
  { config }: AuditPlan,
  {
    configured,
    allowOutside = false,
    hosting = hostingFor({ variables: {}, workingDirectory: "." }),
  }: {
    readonly configured?: Readonly<Record<string, ConfiguredModel>> | undefined;
    /** Whether links in a folder of images may lead out of it. */
    readonly allowOutside?: boolean;
    readonly hosting?: Hosting;
  } = {},
): Promise<AuditModels> {
  let callsAtOnce = 0;
  const choose = async <Contract extends "ChatModel" | "TextEmbedder">(
    member: string,
    text: string,
    contract: Contract,
  ): Promise<Contracts[Contract]> => {
    const chosen = await chooseModel(text, configured, hosting);
    const { model } = chosen;
    if (!keeps(model, contract)) throw unfit(member, text, contract, model);
    await chosen.load();
    callsAtOnce = Math.max(callsAtOnce, chosen.callsAtOnce ?? 0);
    return model;
  };
  const generators: ImageGenerator[] = [];
  for (const name of config.generators) {
    const chosen = await chooseGenerator(name, { configured, allowOutside, hosting });
    callsAtOnce = Math.max(callsAtOnce, chosen.callsAtOnce ?? 0);
    generators.push(chosen.generator);
  }
  refuseTwins(generators);
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
  const { metrics, models } =
    config.alignment === undefined
      ? { metrics: [], models: [] }
      : await chooseMetrics({
          names: config.alignment.metrics ?? [],
          modelTexts: config.alignment.models,
          configured,
          hosting,
          workingDirectory: hosting.workingDirectory,
        });
  for (const { load } of models) await load();
  const asked: Model[] = [
    ...generators,
    judge,
    ...(refiner === undefined ? [] : [refiner]),
    ...(similarity === undefined ? [] : [similarity.model]),
  ];
  return {
    generators,
    judge,
    refiner,
    similarity,
    alignment: metrics,
    names: [
      ...new Set([
        ...asked.map(({ identity }) => placedName(identity)),
        ...metrics.flatMap(modelsBehind),
      ]),
    ],
    callsAtOnce: Math.max(callsAtOnce, ...models.map((model) => model.callsAtOnce ?? 0)),
  };
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

const unfit = (
  member: string,
  text: string,
  contract: "ChatModel" | "TextEmbedder",
  model: Model,
): InputError =>
  new InputError(
    `Expected a model that ${contractWords[contract]} for ${member} but received ${text}, which ` +
      contractsOf(model)
        .map((one) => contractWords[one])
        .join(" and "),
  );
