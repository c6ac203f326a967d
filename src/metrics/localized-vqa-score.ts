import { Recent } from "../core/cache.js";
import { factsOfModels, type Metric, type MetricInput } from "../core/metric.js";
import {
  type CallOptions,
  type Decomposer,
  type DescribedEntity,
  type Localizer,
  type Mask,
  modelName,
  type Picture,
  type VisualQuestionAnswering,
} from "../core/models.js";
import { NoAnswer } from "../core/unscored.js";
import { type LocalizationStrategy, localize } from "../images/localize.js";
import { maskOfRuns, maskRuns } from "../images/mask-runs.js";
import { ruleDecomposer } from "../models/decomposer/rule-decomposer.js";
import {
  type LocalizedScore,
  localizedCounts,
  localizedScore,
} from "../stats/localized-answers.js";
import { checkModel } from "./check-model.js";
import {
  conventionText,
  type LeakagePairing,
  localizedQuestionsOf,
  type PlacedQuestion,
} from "./localized-convention.js";
import {
  attributeQuestion,
  attributeTemplate,
  checkedProbabilities,
  plainStructure,
  structureFor,
} from "./structure.js";

const name = "localized-vqa-score";

/** Ways out where one of its two models is missing. */
const localizingHints = {
  answerer:
    "It needs two models, one of them to answer questions: add --model openai-compatible:NAME, " +
    "or for the lab's images --model lab:vqa",
  finder:
    "It needs two models, one of them to find entities: add --model transformers-js:localizer:" +
    "onnx-community/grounding-dino-tiny-ONNX+onnx-community/sam2.1-hiera-tiny-ONNX, or for the lab's images " +
    "--model lab:localizer; or ask about whole images: --metric localized-vqa-score:none",
} as const;

/**
 * L-VQAScore: whether each entity of a text shows its own attributes and none of the others', asked
 * on an image that shows little but that entity (Liu et al., "Evaluating Attribute Confusion in
 * Fashion Text-to-Image Generation", section 4). Yes to an own attribute is a true positive, yes to
 * another's a false positive; the score of an image is F1, precision or recall, in [0, 1].
 *
 * Who only wears the others belongs in no structure: see `localizedQuestionsOf`.
 *
 * Where the localiser finds an entity nowhere, its questions are asked on the whole image and the
 * details say `mask: "none"`. Where one question has no answer the image has none.
 *
 * @param options.localizer finds the entities; the strategy `none` needs none
 * @param options.decomposer finds the structure of texts that come without one; by rules if not given
 * @param options.threshold yes is P(yes) at or above it
 * @param options.template the question, with {attribute} and {entity}, or {text} for "a {attribute}
 *   {entity}"; where not given, the one that the model needs
 * @param options.memory shared by metrics of the same models, which then look and ask once
 * @param options.besides the pairings of those that share the memory and the strategy
 * @throws InputError for a template without these places or models that can't do what is needed.
 */
export function localizedVqaScore({
  model,
  localizer,
  decomposer = ruleDecomposer(),
  target = "f1",
  strategy = "blurring+cropping",
  leakage = "paper",
  threshold = 0.5,
  template,
  memory,
  besides = [],
}: {
  readonly model: VisualQuestionAnswering;
  readonly localizer?: Localizer | undefined;
  readonly decomposer?: Decomposer | undefined;
  readonly target?: LocalizedScore;
  readonly strategy?: LocalizationStrategy;
  readonly leakage?: LeakagePairing;
  readonly threshold?: number;
  readonly template?: string;
  readonly memory?: LookMemory | undefined;
  readonly besides?: readonly LeakagePairing[];
}): Metric {
  const { answerer, finder } = localizingHints;
  checkModel(model, { metric: name, needs: ["VisualQuestionAnswering"], hint: answerer });
  if (strategy !== "none" || localizer !== undefined) {
    checkModel(localizer, { metric: name, needs: ["Localizer"], hint: finder });
  }
  const wording = attributeTemplate(model, { metric: name, template });
  const convention = conventionText({ target, strategy, leakage });
  return {
    name,
    version: 2,
    convention: threshold === 0.5 ? convention : `${convention}:${threshold}`,
    template: wording,
    statistic: { f1: "F1", precision: "precision", recall: "recall" }[target],
    ...factsOfModels(localizer === undefined ? [model] : [model, localizer], decomposer),
    range: [0, 1],
    direction: "higher",
    async score(input, options) {
      const { entities, questions } = await questionsFor(input, { decomposer, leakage }, options);
      const lookAt = async (on: string): Promise<(PlacedQuestion & Answer)[]> => {
        const here = questions.filter((question) => question.on === on);
        const asked = here.map((question) => attributeQuestion(wording, question));
        const foreseen = besides
          .flatMap((pairing) => localizedQuestionsOf(entities, pairing))
          .filter((question) => question.on === on)
          .map((question) => attributeQuestion(wording, question));
        const { answers: given, ...seen } = await lookAtEntity(
          { image: input.image, entity: on, questions: asked, foreseen },
          { model, localizer, strategy, memory },
          options,
        );
        return here.map((question, at) => {
          const text = asked[at] ?? "";
          return { ...question, question: text, probability: given.get(text) ?? 0, ...seen };
        });
      };
      // All are looked at at once; of several that fail the first is told, whichever was quickest.
      const looks = [...new Set(questions.map((question) => question.on))].map(lookAt);
      const answers = (await Promise.allSettled(looks)).flatMap((look) => {
        if (look.status === "rejected") throw look.reason;
        return look.value;
      });
      const of = (kind: PlacedQuestion["kind"]) =>
        answers.filter((answer) => answer.kind === kind).map(({ probability }) => probability);
      const counts = localizedCounts({
        reflection: of("reflection"),
        leakage: of("leakage"),
        threshold,
      });
      const value = localizedScore(target, counts);
      if (Number.isNaN(value)) {
        throw new NoAnswer(
          "not-applicable",
          `The ${target} is 0 / 0: nothing was answered with yes`,
        );
      }
      return {
        value,
        details: {
          threshold,
          ...counts,
          precision: orNull(localizedScore("precision", counts)),
          recall: orNull(localizedScore("recall", counts)),
          f1: orNull(localizedScore("f1", counts)),
          entities: plainStructure(entities),
          questions: answers.map((answer) => ({ ...answer })),
        },
      };
    },
  };
}

const orNull = (value: number) => (Number.isNaN(value) ? null : value);

/** How a question was answered, and on what. */
type Answer = Omit<Look, "answers"> & {
  readonly question: string;
  readonly probability: number;
};

async function questionsFor(
  { text, structure }: MetricInput,
  { decomposer, leakage }: { readonly decomposer: Decomposer; readonly leakage: LeakagePairing },
  options?: CallOptions,
): Promise<{ entities: readonly DescribedEntity[]; questions: readonly PlacedQuestion[] }> {
  const entities = await structureFor({ text, structure, decomposer }, options);
  const questions = localizedQuestionsOf(entities, leakage);
  if (leakage === "reference" && questions.every(({ kind }) => kind === "reflection")) {
    throw new NoAnswer(
      "not-applicable",
      `The reference leaves out a text without leakage: "${text}"`,
    );
  }
  return { entities, questions };
}

/** Who looks at an entity of an image, and how the image is narrowed down to it. */
interface Looker {
  readonly model: VisualQuestionAnswering;
  readonly localizer: Localizer | undefined;
  readonly strategy: LocalizationStrategy;
}

/** Where an entity was found; `undefined` stands for nowhere. */
interface Found {
  readonly width: number;
  readonly height: number;
  readonly runs: readonly number[];
  /** Pixels. */
  readonly inside: number;
}

/** One entity as a metric looked at it, with the answer it got. */
interface Look {
  /** Whether the entity was found; where it was not, the whole image was shown. */
  readonly mask: "found" | "none" | "not asked";
  /** The share of the image that is inside the mask. */
  readonly inside?: number;
  /** P(yes) to each question. */
  readonly answers: ReadonlyMap<string, number>;
}

/** P(yes) to each question that was asked of one look, also while the model is at it. */
type Answers = Map<string, Promise<number>>;

/**
 * Memory of masks and answers for metrics that ask the same models, for as long as the process lives: of
 * an image, an entity and a strategy, the most recent of them.
 */
export class LookMemory {
  /** @hidden */
  readonly masks: Recent<Found | undefined>;
  /** @hidden */
  readonly answers: Recent<Answers>;

  constructor(most = 10_000) {
    this.masks = new Recent(most);
    this.answers = new Recent(most);
  }
}

/**
 * Asks questions on what an image shows of one entity.
 *
 * @param asked.foreseen further questions that somebody will ask there: with a memory they are asked,
 *   too, since looking costs more than answering
 * @throws NoAnswer where the model does not answer each question, or the mask has another size.
 */
export async function lookAtEntity(
  {
    image,
    entity,
    questions,
    foreseen = [],
  }: {
    readonly image: Picture;
    readonly entity: string;
    readonly questions: readonly string[];
    readonly foreseen?: readonly string[];
  },
  { memory = new LookMemory(1), ...looker }: Looker & { readonly memory?: LookMemory | undefined },
  options?: CallOptions,
): Promise<Look> {
  const { model, localizer, strategy } = looker;
  const name = (...words: readonly string[]) => JSON.stringify([image.hash, entity, ...words]);
  const isWhole = strategy === "none" || localizer === undefined;
  const found = isWhole
    ? undefined
    : await memory.masks.get(name(modelName(localizer.identity)), () =>
        find(localizer, { image, entity }, options),
      );
  // The localiser's raw reply: with it a report can show what was looked at.
  if (found !== undefined) {
    const { width, height, runs } = found;
    options?.trace?.({ kind: "mask", entity, width, height, runs: [...runs] });
  }
  const who = [model, ...(localizer === undefined ? [] : [localizer])];
  const names = [strategy, ...who.map(({ identity }) => modelName(identity))];
  const known = await memory.answers.get(name(...names), async () => new Map());
  const ask = (asked: readonly string[]) => {
    const fresh = [...new Set(asked)].filter((question) => !known.has(question));
    if (fresh.length === 0) return;
    const given = (async () => {
      const shown = await shownOf(image, { found, strategy });
      return checkedProbabilities(await model.probabilityOfYes(shown, fresh, options), fresh);
    })();
    for (const [at, question] of fresh.entries()) {
      const answer = given.then((probabilities) => probabilities[at] ?? 0);
      known.set(question, answer);
      // No answer is not kept.
      answer.catch(() => known.delete(question));
    }
  };
  const answersTo = async () =>
    new Map(
      await Promise.all(
        questions.map(async (question) => [question, (await known.get(question)) ?? 0] as const),
      ),
    );
  ask([...questions, ...foreseen]);
  // What others will ask must cost nobody an answer.
  const answers = await answersTo().catch((error: unknown) => {
    if (foreseen.length === 0) throw error;
    ask(questions);
    return answersTo();
  });
  return { ...maskFacts(found, isWhole), answers };
}

function maskFacts(found: Found | undefined, isWhole: boolean): Pick<Look, "mask" | "inside"> {
  if (isWhole) return { mask: "not asked" };
  if (found === undefined || found.inside === 0) return { mask: "none" };
  return { mask: "found", inside: found.inside / (found.width * found.height) };
}

async function find(
  localizer: Localizer,
  { image, entity }: { readonly image: Picture; readonly entity: string },
  options?: CallOptions,
): Promise<Found | undefined> {
  const mask = await localizer.localize(image, entity, options);
  if (mask === undefined) return undefined;
  const { width, height } = mask;
  return { width, height, runs: maskRuns(mask), inside: pixelsInside(mask) };
}

function pixelsInside({ data }: Mask): number {
  let sum = 0;
  for (const pixel of data) sum += pixel;
  return sum;
}

/** Makes the image that the model is shown. */
async function shownOf(
  image: Picture,
  { found, strategy }: { readonly found: Found | undefined } & Pick<Looker, "strategy">,
): Promise<Picture> {
  if (found === undefined || found.inside === 0) return image;
  const mask = maskOfRuns(found.runs, found);
  if (mask === undefined || mask.width !== image.width || mask.height !== image.height) {
    throw new NoAnswer(
      "unparsable",
      `Expected a mask of ${image.width} x ${image.height} pixels but received ` +
        `${found.width} x ${found.height}`,
    );
  }
  const { pictureOfPixels } = await import("../images/pixels-picture.js");
  return pictureOfPixels(localize(await image.pixels(), { mask, strategy }), image);
}
