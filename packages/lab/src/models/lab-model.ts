import { createHash } from "node:crypto";
import { once } from "touchstone-t2i/internal/core/cache.js";
import { InputError } from "touchstone-t2i/internal/core/errors.js";
import type {
  ChatModel,
  ImageEmbedder,
  Localizer,
  ModelIdentity,
  TextEmbedder,
  VisualQuestionAnswering,
} from "touchstone-t2i/internal/core/models.js";
import { nearest } from "touchstone-t2i/internal/core/nearest.js";
import { tableRevision } from "../stereotype-table.js";
import { auditor } from "./auditor.js";
import { digitScorer } from "./digit-scorer.js";
import { dualEncoder } from "./dual-encoder.js";
import { entityLocalizer } from "./entity-localizer.js";
import { pairJudge } from "./pair-judge.js";
import { peopleAnswerer, signReader } from "./people-answerer.js";
import { questionAnswerer } from "./question-answerer.js";
import { rater } from "./rater.js";
import { refiner } from "./refiner.js";
import type { Runtime } from "./runtime.js";
import { revisionOf, weightsDirectory } from "./weights.js";

/** The models that this project trained on the lab's pictures, by name. */
export interface LabModels {
  "dual-encoder-skewed": ImageEmbedder & TextEmbedder;
  "dual-encoder-balanced": ImageEmbedder & TextEmbedder;
  /** The skewed one after 150 steps of its training. */
  "dual-encoder-skewed-early": ImageEmbedder & TextEmbedder;
  /** Hears no order of words: of a text and the same words in another order its vectors differ by rounding. */
  "dual-encoder-bag-of-words": ImageEmbedder & TextEmbedder;
  vqa: VisualQuestionAnswering;
  /** A smaller one, less sure of people and clothes. */
  "vqa-small": VisualQuestionAnswering;
  "filter-vqa": VisualQuestionAnswering;
  /** `vqa` with a head over its eyes that knows the signs of groups and attributes. */
  "vqa-people": VisualQuestionAnswering;
  /** The same with `vqa-small`, for people; what is about nobody `filter-vqa` answers. */
  "filter-people": VisualQuestionAnswering;
  localizer: Localizer;
  /** A quarter of the size, with coarser masks. */
  "localizer-small": Localizer;
  rater: ChatModel;
  judge: ChatModel;
  /** Trained from the skewed dual encoder against prototypicality. */
  "proto-score": ChatModel;
  /** The same, on triplets alone, as in the paper: it prefers what is atypical. */
  "proto-score-triplets": ChatModel;
  /** `proto-score` without the reward's margin, without its penalty, and by two plain losses. */
  "proto-score-without-margin": ChatModel;
  "proto-score-without-penalty": ChatModel;
  "proto-score-logistic": ChatModel;
  "proto-score-margin-loss": ChatModel;
  /** Answers the rubrics of stereotype audits, by what `vqa` sees. */
  auditor: ChatModel;
  /** Rewrites queries of stereotype audits by rules: no language model. */
  refiner: ChatModel;
}

export type LabModelName = keyof LabModels;

type Maker<Name extends LabModelName> = (
  directory: URL,
  identity: () => ModelIdentity,
  runtime: Runtime,
) => LabModels[Name];

const makers: { readonly [Name in LabModelName]: Maker<Name> } = {
  "dual-encoder-skewed": dualEncoder,
  "dual-encoder-balanced": dualEncoder,
  "dual-encoder-skewed-early": dualEncoder,
  "dual-encoder-bag-of-words": dualEncoder,
  vqa: questionAnswerer,
  "vqa-small": questionAnswerer,
  "filter-vqa": questionAnswerer,
  "vqa-people": withSigns("vqa", "vqa"),
  "filter-people": withSigns("vqa-small", "filter-vqa"),
  localizer: entityLocalizer,
  "localizer-small": entityLocalizer,
  rater,
  judge: pairJudge,
  "proto-score": digitScorer,
  "proto-score-triplets": digitScorer,
  "proto-score-without-margin": digitScorer,
  "proto-score-without-penalty": digitScorer,
  "proto-score-logistic": digitScorer,
  "proto-score-margin-loss": digitScorer,
  auditor(directory, _identity, runtime) {
    const vqa = answererBeside("vqa", directory, runtime);
    return auditor(vqa, () => ({
      provider: "lab",
      model: "auditor",
      revision: `${vqa.identity.revision}-${tableRevision().slice(0, 8)}`,
    }));
  },
  refiner: () =>
    refiner(() => ({ provider: "lab", model: "refiner", revision: tableRevision().slice(0, 12) })),
};

type AnswererName = "vqa" | "vqa-small" | "filter-vqa";

/** The answerer of another folder beside this one. */
function answererBeside(
  model: AnswererName,
  directory: URL,
  runtime: Runtime,
): VisualQuestionAnswering {
  const folder = new URL(`../${model}/`, directory);
  const revision = once(() => revisionIn(folder, runtime));
  return questionAnswerer(
    folder,
    () => ({ provider: "lab", model, revision: revision() }),
    runtime,
  );
}

/** A head for signs, and who is asked the rest of a question about people, and all else. */
function withSigns(people: AnswererName, others: AnswererName) {
  return (directory: URL, own: () => ModelIdentity, runtime: Runtime) => {
    const beside = {
      people: answererBeside(people, directory, runtime),
      others: answererBeside(others, directory, runtime),
    };
    const identity = once(() => {
      const behind = [own(), beside.people.identity, beside.others.identity];
      const revisions = behind.map(({ revision }) => revision).join();
      const hash = createHash("sha256").update(revisions).digest("hex").slice(0, 12);
      return { ...own(), revision: runtime === "wasm" ? hash : `${hash}-${runtime}` };
    });
    return peopleAnswerer({ signs: signReader(directory, runtime), ...beside, identity });
  };
}

const everyName = Object.keys(makers) as LabModelName[];

/** Those without weights of their own. */
const composed: ReadonlySet<LabModelName> = new Set(["auditor", "refiner"] as const);

/** Those whose weights are part of the package. */
export const labModelNames = everyName.filter((name) => !composed.has(name));

/** Those that lab evaluate measures; `lab experiment proto-score` measures the others. */
export const evaluatedModelNames = labModelNames.filter((name) => makers[name] !== digitScorer);

/**
 * A model of the lab's. Its weights are read when it is first asked (its identity needs their
 * hash). It judges what the lab painted, in the lab's English, and gives no answer otherwise.
 *
 * @param options.runtime what runs it; WebAssembly if not given
 * @param options.weights where its folder of weights lies; those of the package if not given
 * @throws InputError for a name that is none of the lab's.
 * @example vqaScore({ model: labModel("vqa") })
 */
export function labModel<Name extends LabModelName>(
  name: Name,
  {
    weights,
    runtime = "wasm",
  }: { readonly weights?: URL; readonly runtime?: Runtime | undefined } = {},
): LabModels[Name] {
  if (!Object.hasOwn(makers, name)) {
    const known = [...labModelNames, ...composed];
    const meant = nearest(name, known);
    throw new InputError(`Expected a model of the lab but received "${name}"`, {
      hint: meant === undefined ? `It has ${known.join(", ")}` : `Did you mean lab:${meant}?`,
    });
  }
  const directory = new URL(`${name}/`, weights ?? weightsDirectory);
  const identity = once(() => ({
    provider: "lab",
    model: name,
    revision: revisionIn(directory, runtime),
  }));
  return makers[name](directory, identity, runtime);
}

/** Native code gives other last bits, so its answers are another model's. */
const revisionIn = (directory: URL, runtime: Runtime): string =>
  runtime === "wasm" ? revisionOf(directory) : `${revisionOf(directory)}-${runtime}`;
