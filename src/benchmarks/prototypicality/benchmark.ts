import { InputError } from "../../core/errors.js";
import { placedName } from "../../core/models.js";
import { promptSplits } from "../../core/records.js";
import type { Records, Step } from "../../core/step.js";
import type { Benchmark, BuildRequest } from "../benchmark.js";
import { benchmarkKinds } from "../benchmark-kinds.js";
import { withInputs } from "../step-kind.js";
import { buildChoice } from "./build-choice.js";
import { buildPrompts } from "./build-prompts.js";
import { chatWriter } from "./chat-writer.js";
import type { PrototypicalityReport } from "./conclusion.js";
import { packagedSource, readOwnTaxonomy } from "./own-taxonomy.js";
import { paintImages } from "./paint-images.js";
import { isEmptiedByFilter, plannedFilter } from "./run-filter.js";
import { checkTruth, rateImages, scoreImages } from "./score-images.js";
import { domains, domainsOf } from "./taxonomy.js";
import { paperWriterWording, readWriterWording, type WriterWording } from "./writer-wording.js";

/** Does a metric prefer the typical image over the right one? ProtoBias, over triplets and controls. */
export const prototypicality: Benchmark<PrototypicalityReport> = {
  name: benchmarkKinds.prototypicality.name,
  recognises: benchmarkKinds.prototypicality.recognises,
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
    const { tripletTables } = await import("./triplet-tables.js");
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
