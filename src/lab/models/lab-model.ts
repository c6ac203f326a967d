import { InputError } from "../../core/errors.js";
import type {
  ImageEmbedder,
  ModelIdentity,
  TextEmbedder,
  VisualQuestionAnswering,
} from "../../core/models.js";
import { nearest } from "../../core/nearest.js";
import { dualEncoder } from "./dual-encoder.js";
import { once } from "./once.js";
import { questionAnswerer } from "./question-answerer.js";
import { revisionOf, weightsDirectory } from "./weights.js";

/** The models that this project trained on the lab's pictures, by name. */
export interface LabModels {
  "dual-encoder-skewed": ImageEmbedder & TextEmbedder;
  "dual-encoder-balanced": ImageEmbedder & TextEmbedder;
  vqa: VisualQuestionAnswering;
  "filter-vqa": VisualQuestionAnswering;
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
};

export const labModelNames = Object.keys(makers) as LabModelName[];

/**
 * A model of the lab's. Its weights are read when it is first asked (its identity needs their
 * hash). It judges what the lab painted, in the lab's English, and gives no answer otherwise.
 *
 * @throws InputError for a name that is none of the lab's.
 * @example vqaScore({ model: labModel("vqa") })
 */
export function labModel<Name extends LabModelName>(
  name: Name,
  { weights = weightsDirectory }: { readonly weights?: URL } = {},
): LabModels[Name] {
  if (!Object.hasOwn(makers, name)) {
    const meant = nearest(name, labModelNames);
    throw new InputError(
      `Expected one of ${labModelNames.join(", ")} for the lab's model but received "${name}"`,
      meant === undefined ? {} : { hint: `Did you mean lab:${meant}?` },
    );
  }
  const directory = new URL(`${name}/`, weights);
  const identity = once(() => ({
    provider: "lab",
    model: name,
    revision: revisionOf(directory),
  }));
  return makers[name](directory, identity);
}
