import { type Key, keyOf } from "../../core/keys.js";
import {
  type ChatModel,
  type ImageGenerator,
  type ModelFacts,
  modelFacts,
  placedName,
} from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import type { About, DoneRecord, RecordOf } from "../../core/records.js";
import type { Records, Step } from "../../core/step.js";
import { askRubric } from "../../judges/rubric-judge.js";
import type { RubricWording } from "../../judges/rubric-message.js";
import { generatorFacts, isBy, isOf, partOf } from "./read-audit-records.js";
import { type AskedRubrics, rubricRevision } from "./rubrics.js";

export type AuditPhase = RecordOf<"audit">["phase"];

export interface AuditImagesOptions extends AskedRubrics {
  readonly phase: AuditPhase;
  readonly generator: Pick<ImageGenerator, "identity">;
  readonly judge: ChatModel;
  readonly wording: RubricWording;
  /** The recipe names the words by their hash, and holds them where they are not the package's. */
  readonly isOwnWording?: boolean;
  /** How many images a query should have. */
  readonly images: number;
  /** set: one answer for a query's images together, as in the paper; image: one for each. */
  readonly unit: "set" | "image";
  /** How often each is judged; trials after the first see the images in another order. */
  readonly trials: number;
  readonly seed: number;
}

/**
 * The step by which a judge answers the rubric about the images of one generator in one phase. A set
 * is judged by the images that were made; one with none has no record.
 */
export function auditImages(options: AuditImagesOptions): Step<"audit"> {
  const { phase, generator, judge, wording, images, unit, trials, seed } = options;
  const facts = modelFacts(generator.identity);
  const rubrics = new Map(options.rubrics.map((one) => [rubricRevision(one, wording), one]));
  return {
    name: `audit-${phase}`,
    part: partOf(generator.identity),
    version: 1,
    produces: "audit",
    parameters: {
      generator: { ...facts },
      judge: { ...modelFacts(judge.identity) },
      images,
      unit,
      trials,
      seed,
      wording: keyOf({ ...wording }).slice(0, 12),
      ...(options.isOwnWording === true ? { instructions: { ...wording } } : {}),
    },
    asks: [placedName(judge.identity)],
    async *plan(records) {
      for await (const { query, refinement, made } of setsOf(records, { phase, facts })) {
        const rubric = options.rubricOf(query);
        const revision = rubricRevision(rubric, wording);
        for (const [set, members] of unitsOf(made, unit)) {
          for (let trial = 0; trial < trials; trial++) {
            const shown =
              trial === 0
                ? members
                : randomFrom(seed, "shown", query.key, phase, set, trial).shuffle(members);
            yield {
              query: query.key,
              phase,
              ...(refinement === undefined ? {} : { refinement }),
              category: query.category,
              text: query.text,
              ...generatorFacts(facts),
              unit,
              set,
              of: shown.map(({ key }) => key),
              images: shown.map(({ image }) => image),
              wanted: unit === "set" ? images : 1,
              rubric: rubric.name,
              rubricRevision: revision,
              items: rubric.items.map(({ item }) => item),
              ...modelFacts(judge.identity),
              trial,
            } satisfies About<"audit">;
          }
        }
      }
    },
    async perform(about, { signal, trace, openPicture }) {
      const rubric = rubrics.get(about.rubricRevision);
      if (rubric === undefined) throw new RangeError(`Expected the rubric ${about.rubric}`);
      const pictures = [];
      for (const image of about.images) pictures.push(await openPicture(image));
      const { text: query, category, trial } = about;
      const task = { query, category, images: pictures.length, items: [...rubric.items] };
      const answers = await askRubric(
        { model: judge, wording, task, pictures },
        { signal, trace, trial },
      );
      return { answers };
    },
  };
}

type MadeImage = DoneRecord<"image">;

interface QueryImages {
  readonly query: DoneRecord<"query">;
  readonly refinement?: Key;
  /** At least one, by sample. */
  readonly made: readonly MadeImage[];
}

/** The images of each query by one generator in one phase, in the order of the queries. */
async function* setsOf(
  records: Records,
  { phase, facts }: { readonly phase: AuditPhase; readonly facts: ModelFacts },
): AsyncIterable<QueryImages> {
  const byPrompt = new Map<Key, MadeImage[]>();
  for await (const image of records.ofType("image")) {
    if (image.status !== "done" || !isOf(facts, image)) continue;
    const of = byPrompt.get(image.prompt) ?? [];
    byPrompt.set(image.prompt, of);
    of.push(image);
  }
  const rewrites = new Map<Key, Key>();
  for await (const refinement of records.ofType("refinement")) {
    if (isBy(facts, refinement)) rewrites.set(refinement.query, refinement.key);
  }
  for await (const query of records.ofType("query")) {
    if (query.status !== "done") continue;
    const refinement = phase === "refined" ? rewrites.get(query.key) : undefined;
    const prompt = phase === "refined" ? refinement : query.key;
    const made = prompt === undefined ? undefined : byPrompt.get(prompt);
    if (made === undefined) continue;
    made.sort((one, other) => one.sample - other.sample);
    yield { query, made, ...(refinement === undefined ? {} : { refinement }) };
  }
}

/** Groups what is judged together, with the number that it has among the query's. */
const unitsOf = (
  made: readonly MadeImage[],
  unit: "set" | "image",
): readonly (readonly [number, readonly MadeImage[]])[] =>
  unit === "set" ? [[0, made]] : made.map((image) => [image.sample, [image]]);
