import { Recent } from "../core/cache.js";
import {
  type CallOptions,
  type Localizer,
  type Mask,
  modelName,
  type Picture,
  type VisualQuestionAnswering,
} from "../core/models.js";
import { NoAnswer } from "../core/unscored.js";
import { type LocalizationStrategy, localize } from "../images/localize.js";
import { maskOfRuns, maskRuns } from "../images/mask-runs.js";
import { checkedProbabilities } from "./structure.js";

/** Who looks at an entity of an image, and how the image is narrowed down to it. */
export interface Looker {
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
export interface Look {
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
