import { type Key, keyOf } from "../../core/keys.js";
import { type ChatModel, type ImageGenerator, modelFacts, placedName } from "../../core/models.js";
import type { About, DoneRecord, RecordOf } from "../../core/records.js";
import type { Step } from "../../core/step.js";
import { refinePrompt, type SimilarityCheck } from "../../judges/refine-prompt.js";
import { foundStereotypes } from "./found-stereotypes.js";
import { generatorFacts, isBy, partOf } from "./painted-by.js";
import type { RefineData } from "./refine-data.js";
import type { Rubric } from "./rubrics.js";

export type RefineMode = RecordOf<"refinement">["mode"];

/**
 * The step that rewrites each query against what a judge found in one generator's images of it (SSI,
 * section 4). Where nothing was found the query stays as it is and nobody is asked: it is painted and
 * audited again all the same, so that what is compared before and after are the same queries. A query
 * whose images could not be audited is not rewritten.
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
  readonly generator: ImageGenerator;
  readonly refiner: ChatModel;
  readonly rubricOf: (query: DoneRecord<"query">) => Rubric;
  readonly data: RefineData;
  /** The recipe names the words by their hash, and holds them where they are not the package's. */
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
  const questions = new Map<Key, ReadonlyMap<string, string>>();
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
        const { items } = rubricOf(query);
        questions.set(query.key, new Map(items.map(({ item, asks }) => [item, asks])));
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
      const asks = questions.get(about.query);
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
          asks: asks?.get(item) ?? item,
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
