import { InputError } from "../../core/errors.js";
import type {
  ChatModel,
  ImageEmbedder,
  Localizer,
  ModelIdentity,
  TextEmbedder,
  VisualQuestionAnswering,
} from "../../core/models.js";
import { nearest } from "../../core/nearest.js";
import { dualEncoder } from "./dual-encoder.js";
import { entityLocalizer } from "./entity-localizer.js";
import { once } from "./once.js";
import { pairJudge } from "./pair-judge.js";
import { questionAnswerer } from "./question-answerer.js";
import { rater } from "./rater.js";
import { revisionOf, weightsDirectory } from "./weights.js";

/** The models that this project trained on the lab's pictures, by name. */
export interface LabModels {
  "dual-encoder-skewed": ImageEmbedder & TextEmbedder;
  "dual-encoder-balanced": ImageEmbedder & TextEmbedder;
  vqa: VisualQuestionAnswering;
  "filter-vqa": VisualQuestionAnswering;
  localizer: Localizer;
  rater: ChatModel;
  judge: ChatModel;
}

export type LabModelName = keyof LabModels;

type Maker<Name extends LabModelName> = (
  directory: URL,
  identity: () => ModelIdentity,
) => LabModels[Name];

const makers: { readonly [Name in LabModelName]: Maker<Name> } = {
  "dual-encoder-skewed": dualEncoder,
  "dual-encoder-balanced": dualEncoder,
  vqa: questionAnswerer,
  "filter-vqa": questionAnswerer,
  localizer: entityLocalizer,
  rater,
  judge: pairJudge,
};

const everyName = Object.keys(makers) as LabModelName[];

/** Those that there are programs for, but no weights in this version. */
const untrained: ReadonlySet<LabModelName> = new Set(["localizer", "rater", "judge"] as const);

/** Those whose weights are part of the package. */
export const labModelNames = everyName.filter((name) => !untrained.has(name));

/**
 * A model of the lab's. Its weights are read when it is first asked (its identity needs their
 * hash). It judges what the lab painted, in the lab's English, and gives no answer otherwise.
 *
 * @param options.weights where its folder of weights lies; those of the package if not given
 * @throws InputError for a name that is none of the lab's, or whose weights the package lacks.
 * @example vqaScore({ model: labModel("vqa") })
 */
export function labModel<Name extends LabModelName>(
  name: Name,
  { weights }: { readonly weights?: URL } = {},
): LabModels[Name] {
  if (Object.hasOwn(makers, name) && untrained.has(name) && weights === undefined) {
    throw new InputError(`There are no weights of lab:${name} in this version of touchstone`, {
      hint: "training/README.md in the repository says how they are made.",
    });
  }
  if (!Object.hasOwn(makers, name)) {
    const meant = nearest(name, labModelNames);
    throw new InputError(
      `Expected one of ${labModelNames.join(", ")} for the lab's model but received "${name}"`,
      meant === undefined ? {} : { hint: `Did you mean lab:${meant}?` },
    );
  }
  const directory = new URL(`${name}/`, weights ?? weightsDirectory);
  const identity = once(() => ({
    provider: "lab",
    model: name,
    revision: revisionOf(directory),
  }));
  return makers[name](directory, identity);
}
