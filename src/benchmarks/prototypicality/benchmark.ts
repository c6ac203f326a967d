import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { placedName } from "../../core/models.js";
import { imageRoles, promptSplits } from "../../core/records.js";
import type { Records, Step } from "../../core/step.js";
import { type Benchmark, type BuildRequest, chosenNames, hasStep } from "../benchmark.js";
import {
  held,
  modelIdentity,
  paintInputs,
  scoreInputs,
  scorerParameters,
  stepKind,
  textFile,
  withInputs,
} from "../step-kind.js";
import { buildPrompts } from "./build-prompts.js";
import {
  chatWriter,
  paperWriterWording,
  readWriterWording,
  type WriterWording,
  writerWordingSchema,
} from "./chat-writer.js";
import type { PrototypicalityReport } from "./conclusion.js";
import { packagedSource, readOwnTaxonomy } from "./own-taxonomy.js";
import { paintImages } from "./paint-images.js";
import type { BenchmarkSize } from "./plan-prompts.js";
import { loadPublished } from "./published.js";
import { isEmptiedByFilter, plannedFilter } from "./run-filter.js";
import type { Split } from "./scenes.js";
import { checkTruth, rateImages, scoreImages } from "./score-images.js";
import { type Domain, domains, domainsOf, domains as packagedDomains } from "./taxonomy.js";
import { templateWriter } from "./templates.js";

const count = z.int().positive();

const share = z.number();

const prototypicalitySteps = [
  stepKind({
    name: "build-prompts",
    version: 1,
    title: "Candidates for prompts",
    cost: 1,
    parameters: z.object({
      seed: z.int(),
      size: z.union([
        z.object({ total: count }),
        z.object({ byDomain: z.record(z.string(), z.int()) }),
      ]),
      writer: z.string(),
      instructions: writerWordingSchema.optional(),
      domains: z.array(z.string()),
      splits: z.array(z.enum(promptSplits)),
      shares: z.object({ train: share, evaluation: share, human: share }),
      splitSeed: z.int().optional(),
      drawableOnly: z.boolean(),
      attempts: count,
      taxonomy: z.string().optional(),
    }),
    inputs: z.object({
      taxonomy: textFile.optional(),
      writer: z.string().optional(),
      drawableBy: z.string().optional(),
    }),
    async make({ writer, instructions, taxonomy, ...choice }, inputs, sources) {
      const { wording, ...written } =
        taxonomy === undefined
          ? packagedSource()
          : readOwnTaxonomy(held(inputs.taxonomy, "what stood in the file of its taxonomy"));
      const { templates } = written;
      const canDraw = choice.drawableOnly
        ? await sources.cannotDraw(held(inputs.drawableBy, "who can draw its prompts"))
        : undefined;
      return buildPrompts({
        ...choice,
        ...written,
        ...(canDraw === undefined ? {} : { canDraw }),
        writer:
          writer === templateWriter(templates).name
            ? templateWriter(templates)
            : chatWriter({
                model: await sources.chatModel(held(inputs.writer, "who writes its prompts")),
                templates,
                wording: instructions ?? wording,
                isOwnWording: instructions !== undefined,
              }),
      });
    },
  }),
  stepKind({
    name: "paint-images",
    version: 1,
    title: "Painting pictures",
    cost: 10,
    parameters: z.object({
      generator: modelIdentity,
      seed: z.int(),
      samples: count,
      splits: z.array(z.enum(promptSplits)),
      roles: z.array(z.enum(imageRoles)),
    }),
    inputs: paintInputs,
    make: async ({ generator, ...rest }, inputs, sources) =>
      paintImages({ ...rest, generator: await sources.generator(generator, inputs) }),
  }),
  stepKind({
    name: "rate-images",
    version: 1,
    title: "Filtering pictures",
    cost: 13,
    parameters: scorerParameters.extend({ keepFrom: z.number().optional() }),
    inputs: scoreInputs,
    make: async ({ keepFrom, ...scorer }, inputs, sources) =>
      rateImages({ rater: await sources.metric(scorer, inputs), keepFrom }),
  }),
  stepKind({
    name: "check-truth",
    version: 1,
    title: "Comparing pictures with the truth",
    cost: 1,
    parameters: z.object({}),
    make: async (_, __, { world }) => checkTruth({ truth: (await world()).truth.scene }),
  }),
];

/** Does a metric prefer the typical image over the right one? ProtoBias, over triplets and controls. */
export const prototypicality: Benchmark<PrototypicalityReport> = {
  name: "prototypicality",
  recognises: hasStep("build-prompts"),
  steps: prototypicalitySteps,
  build: {
    description:
      "for each pair of a typical and an atypical member and each error type, a prompt with its " +
      "correct and adversarial sentence and the two sentences of the control, checked by the " +
      "paper's rules; 6,275 prompts, as in the paper, without --prompts",
    flags: [
      {
        name: "domain",
        value: "NAME[=N]",
        description: `one of ${domains.join(", ")}, or of --taxonomy (default: all). NAME=N, without --prompts, builds N of this domain`,
      },
      {
        name: "split",
        value: "NAME",
        description: `one of ${promptSplits.join(", ")} (default: all)`,
      },
      {
        name: "split-seed",
        value: "N",
        isSingle: true,
        description:
          "the random seed of the splits alone (default: --seed): benchmarks of one split seed share " +
          "no sentence across splits, whatever their --seed",
      },
      {
        name: "writer",
        value: "PROVIDER:MODEL",
        isSingle: true,
        description:
          "the chat model that writes the sentences; what breaks a rule is asked again, twice at most, " +
          "and then dropped (default: fixed templates)",
      },
      {
        name: "wording",
        value: "FILE.yaml",
        isSingle: true,
        description:
          "with --writer: your own instructions to it, with the members of data/prototypicality/writer.yaml or of " +
          "data/papers/protobias-tables-3-to-5.yaml; paper asks by ProtoBias' Tables 3 to 5, word for word",
      },
      {
        name: "taxonomy",
        value: "FILE.yaml",
        isSingle: true,
        description:
          "domains, pairs and scenes of your own, in place of the package's or beside them " +
          "(include: default)",
      },
    ],
    canBeDrawable: true,
    async plan({ seed, drawableBy, cannotDraw, ...request }) {
      const { writer: [writer] = [], wording: [words] = [], taxonomy: [file] = [] } = request.flags;
      if (words !== undefined && writer === undefined) {
        throw new InputError("Expected --writer beside --wording but received none", {
          hint: "Fixed templates are asked nothing: name the chat model that writes.",
        });
      }
      const taxonomy = file === undefined ? undefined : await request.textOf(file);
      const source = taxonomy === undefined ? packagedSource() : readOwnTaxonomy(taxonomy);
      const { wording, ...written } = source;
      const own = words === undefined ? undefined : await wordingOf(words, request.textOf);
      const model = writer === undefined ? undefined : await request.chatModel(writer, "--writer");
      const step = buildPrompts({
        seed,
        ...written,
        ...buildChoice(request, domainsOf(source.taxonomy)),
        ...(model === undefined
          ? {}
          : {
              writer: chatWriter({
                model,
                templates: source.templates,
                wording: own ?? wording,
                isOwnWording: own !== undefined,
              }),
            }),
        ...(cannotDraw === undefined ? {} : { canDraw: cannotDraw, drawableOnly: true }),
      });
      await refuseUnplannable(step);
      return {
        steps: [withInputs(step, { taxonomy, writer, drawableBy })],
        ...(model === undefined ? {} : { models: [placedName(model.identity)] }),
      };
    },
  },
  paint: (options) => [paintImages(options)],
  score: ({ metrics, rater, keepFrom, world }) => [
    ...(rater === undefined ? [] : [rateImages({ rater, keepFrom, underEvaluation: metrics })]),
    ...(world === undefined ? [] : [checkTruth({ truth: world.truth.scene })]),
    ...scoreImages({ metrics, filter: rater && plannedFilter(rater, keepFrom) }),
  ],
  hasFilter: true,
  async conclude(run, options) {
    const { concludePrototypicality } = await import("./conclude.js");
    return concludePrototypicality({ run, ...options });
  },
  async report(conclusion) {
    const { prototypicalityReport } = await import("./report.js");
    return prototypicalityReport(conclusion);
  },
  async built(run, options) {
    const { builtPrompts } = await import("./built.js");
    return builtPrompts(run, options);
  },
  isEmptied: isEmptiedByFilter,
  async cards(run, options) {
    const { tripletCards } = await import("./triplet-cards.js");
    return tripletCards(run, options);
  },
  async tables(run, options) {
    const { tripletTables } = await import("./triplet-cards.js");
    return tripletTables(run, options);
  },
};

async function wordingOf(given: string, textOf: BuildRequest["textOf"]): Promise<WriterWording> {
  if (given === "paper") return paperWriterWording();
  const { file, text } = await textOf(given);
  return readWriterWording(file, text);
}

/** Plans once for nothing: a run made with what can't be planned would refuse what can be. */
async function refuseUnplannable(step: Step<"prompt">): Promise<void> {
  const nothing: Records = { async *ofType() {} };
  for await (const _ of step.plan(nothing));
}

/** Which prompts are built, as flags of `build` say it. */
interface BuildChoice {
  readonly domains: readonly Domain[];
  readonly splits: readonly Split[];
  readonly size: BenchmarkSize;
  readonly splitSeed?: number;
}

/**
 * Reads the flags of `build`: so many prompts in all, so many of each domain, or the paper's own number.
 *
 * @param domains those of the taxonomy
 * @throws InputError for an unknown name, for numbers of both kinds, and where there is no number for
 *   a domain that is not the paper's.
 */
function buildChoice(
  {
    count,
    flags: { domain: given = [], split = [], "split-seed": splitSeeds = [] },
  }: Pick<BuildRequest, "count" | "flags">,
  domains: readonly Domain[] = packagedDomains,
): BuildChoice {
  const words = given.map((word) => word.split("=", 2));
  const names = chosenNames(
    words.map(([name = ""]) => name),
    domains,
    "--domain",
  );
  const splits = chosenNames(split, promptSplits, "--split");
  const rest = splitSeedOf(splitSeeds);
  const counts = words.flatMap(([, text]) => (text === undefined ? [] : [text]));
  if (counts.length > 0) {
    const isWrong = counts.some((text) => !/^[1-9]\d*$/.test(text));
    const isUneven = counts.length < words.length || names.length < words.length;
    if (isWrong || isUneven || count !== undefined) {
      throw new InputError(
        `Expected a whole number above 0 for every --domain, each once, and no --prompts, but received ${[
          ...given.map((word) => `--domain ${word}`),
          ...(count === undefined ? [] : [`--prompts ${count}`]),
        ].join(" ")}`,
        { hint: "Such as: --domain animals=200 --domain objects=100" },
      );
    }
    return {
      domains: names,
      splits,
      size: { byDomain: sizes(names, (_, at) => Number(counts[at])) },
      ...rest,
    };
  }
  if (count !== undefined) return { domains: names, splits, size: { total: count }, ...rest };
  const published: Readonly<Record<string, number>> = loadPublished().size.prompts;
  const own = names.filter((name) => published[name] === undefined);
  if (own.length > 0) {
    throw new InputError(
      `Expected a number of prompts for ${own.join(", ")}, which the paper has not, but received none`,
      { hint: `Such as: --prompts 60, even over the domains; or --domain ${own[0]}=20` },
    );
  }
  const byDomain = sizes(names, (name) => published[name] ?? 0);
  return { domains: names, splits, size: { byDomain }, ...rest };
}

function splitSeedOf(given: readonly string[]): { splitSeed?: number } {
  const [text] = given;
  if (text === undefined) return {};
  const splitSeed = Number(text);
  if (given.length > 1 || !/^\d+$/.test(text) || !Number.isSafeInteger(splitSeed)) {
    throw new InputError(
      `Expected one whole number from 0 for --split-seed but received ${given.join(", ")}`,
    );
  }
  return { splitSeed };
}

const sizes = (
  names: readonly Domain[],
  size: (name: Domain, at: number) => number,
): Record<string, number> => Object.fromEntries(names.map((name, at) => [name, size(name, at)]));
