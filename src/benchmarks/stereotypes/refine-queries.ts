import { z } from "zod";
import { type Key, keyOf } from "../../core/keys.js";
import { type ChatModel, type ImageGenerator, modelFacts, placedName } from "../../core/models.js";
import type { About, DoneRecord, RecordOf } from "../../core/records.js";
import type { Step } from "../../core/step.js";
import { linedYaml } from "../../files/yaml.js";
import {
  type RefineRules,
  type RefineWording,
  refinePrompt,
  type SimilarityCheck,
} from "../../judges/refine-prompt.js";
import { loadData } from "../load-data.js";
import { type DataSource, instructionMembers, withLegend } from "./packaged.js";
import { generatorFacts, isBy, partOf } from "./read-audit-records.js";
import type { AskedRubrics } from "./rubrics.js";

export type RefineMode = RecordOf<"refinement">["mode"];

/**
 * Makes the step that rewrites each query against the stereotypes found in one generator's images of it
 * (SSI, section 4). A query without findings is kept without asking the refiner; it is painted and audited
 * again, so that both phases have the same queries. A query whose images have no audit is left out.
 */
export function refineQueries({
  generator,
  refiner,
  rubricOf,
  data,
  isOwnWording = false,
  mode,
  similarity,
}: {
  readonly generator: Pick<ImageGenerator, "identity">;
  readonly refiner: ChatModel;
  readonly rubricOf: AskedRubrics["rubricOf"];
  readonly data: RefineData;
  /** Puts the wording into the recipe, which otherwise has its hash only. */
  readonly isOwnWording?: boolean;
  readonly mode: RefineMode;
  readonly similarity?: SimilarityCheck | undefined;
}): Step<"refinement"> {
  const facts = modelFacts(generator.identity);
  const check =
    similarity === undefined
      ? {}
      : {
          similarity: { ...modelFacts(similarity.model.identity), minimum: similarity.minimum },
        };
  const revisionFor = (language: string) =>
    keyOf({
      wording: { ...data.wording },
      askings: data.askings,
      ...check,
      rules: { ...data.rulesFor(language) },
    }).slice(0, 12);
  return {
    name: "refine-queries",
    part: partOf(generator.identity),
    version: 1,
    produces: "refinement",
    parameters: {
      generator: { ...facts },
      refiner: { ...modelFacts(refiner.identity) },
      mode,
      ...check,
      rules: revisionFor("en"),
      ...(isOwnWording ? { instructions: { ...data.wording } } : {}),
    },
    asks: [placedName(refiner.identity)],
    async *plan(records) {
      const byQuery = new Map<Key, DoneRecord<"audit">[]>();
      for await (const audit of records.ofType("audit")) {
        if (audit.status !== "done" || audit.phase !== "initial" || !isBy(facts, audit)) continue;
        byQuery.set(audit.query, [...(byQuery.get(audit.query) ?? []), audit]);
      }
      for await (const query of records.ofType("query")) {
        const audits = byQuery.get(query.key);
        if (query.status !== "done" || audits === undefined) continue;
        const first = audits.filter(({ trial }) => trial === 0);
        yield {
          query: query.key,
          category: query.category,
          language: query.language,
          text: query.text,
          ...generatorFacts(facts),
          images: [...new Set(first.flatMap(({ images }) => images))],
          stereotypes: foundStereotypes(audits),
          mode,
          rulesRevision: revisionFor(query.language),
          ...modelFacts(refiner.identity),
        } satisfies About<"refinement">;
      }
    },
    async perform(about, { signal, trace, openPicture }) {
      const { text, category, language, stereotypes, images } = about;
      if (stereotypes.length === 0) return { prompt: text, askings: 0, refused: [] };
      const rules = data.rulesFor(language);
      const asks = new Map(rubricOf(about).items.map((one) => [one.item, one.asks]));
      const pictures = [];
      for (const image of images) pictures.push(await openPicture(image));
      const task = {
        query: text,
        category,
        mode: about.mode,
        words: rules.words,
        images: pictures.length,
        stereotypes: stereotypes.map(({ item, explanation }) => ({
          item,
          asks: asks.get(item) ?? item,
          explanation,
        })),
      };
      return refinePrompt(
        {
          model: refiner,
          wording: data.wording,
          rules,
          task,
          pictures,
          similarity,
          askings: data.askings,
        },
        { signal, trace },
      );
    },
  };
}

/** A stereotype that a judge found in the images of a query. */
export type FoundStereotype = DoneRecord<"refinement">["stereotypes"][number];

/**
 * Returns the rubric items found in a query's images, in the order of the rubric. An item is found where
 * at least half of the trials that answered it say so, in any set; the explanation is the first of them.
 */
function foundStereotypes(audits: readonly DoneRecord<"audit">[]): FoundStereotype[] {
  const sets = new Map<number, DoneRecord<"audit">[]>();
  for (const audit of [...audits].sort((a, b) => a.trial - b.trial)) {
    sets.set(audit.set, [...(sets.get(audit.set) ?? []), audit]);
  }
  const items = audits[0]?.items ?? [];
  return items.flatMap((item) => {
    for (const trials of sets.values()) {
      const answers = trials.flatMap((audit) =>
        audit.answers.flatMap((one) =>
          one.item === item && one.status === "answered" ? [one] : [],
        ),
      );
      const flags = answers.filter(({ present }) => present === 1);
      const [first] = flags;
      if (first !== undefined && 2 * flags.length >= answers.length) {
        return [{ item, explanation: first.explanation }];
      }
    }
    return [];
  });
}

const sentence = z.string().trim().min(1);

const word = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}'’ -]*\*?$/u, "expected words, with * at the end at most")
  .refine((text) => text === text.toLowerCase(), { error: "expected small letters" });

const refineSchema = z.strictObject({
  words: z.int().positive(),
  askings: z.int().positive(),
  collage: z.array(word).min(1),
  small: z.record(z.string(), z.array(word)),
  system: sentence,
  verbatim: sentence,
  meaning: sentence,
  answer: sentence,
  again: sentence,
});

const wordsSchema = z.record(z.string(), z.array(word));

/** A refiner's wording, and the rules that its rewrites must keep. */
interface RefineData {
  readonly wording: RefineWording;
  readonly askings: number;
  /** The rules for queries of a language. */
  rulesFor(language: string): RefineRules;
}

const ownSchema = z.strictObject({
  ...instructionMembers,
  verbatim: sentence.optional(),
  meaning: sentence.optional(),
});

/**
 * Reads the words to a refiner from a file of one's own, or of a paper.
 *
 * @throws InputError that lists every problem with its line.
 */
export function readRefineWording({ file, text }: DataSource): RefineWording {
  const { value } = linedYaml(file, text, ownSchema);
  const { system, legend, verbatim = "", meaning = "", answer, again } = value;
  return { system: withLegend(system, legend), verbatim, meaning, answer, again };
}

/**
 * Reads data/stereotypes/refine.yaml and stereotype-words.yaml.
 *
 * @param own words to the refiner in place of the package's; the rules stay
 */
export function loadRefineData(own?: RefineWording): RefineData {
  const { words, askings, collage, small, ...packagedWording } = loadData(
    "stereotypes/refine.yaml",
    refineSchema,
  );
  const wording = own ?? packagedWording;
  const stereotypes = loadData("stereotypes/stereotype-words.yaml", wordsSchema);
  return {
    wording,
    askings,
    rulesFor(language) {
      const main = language.toLowerCase().split("-")[0] ?? "";
      return {
        words,
        collage,
        small: small[main] ?? [],
        stereotypes: [...(stereotypes.any ?? []), ...(stereotypes[main] ?? [])],
      };
    },
  };
}
