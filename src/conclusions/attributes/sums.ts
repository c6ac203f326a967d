import {
  type AttributedImage,
  type AttributedImages,
  promptOf,
  questionKinds,
} from "../../analysis/confusion/attributed-images.js";
import { inOrder } from "../../analysis/inference/sorted-names.js";
import { InputError } from "../../core/errors.js";
import { picked } from "../../core/row-codes.js";
import { textAt } from "../../core/text-column.js";
import { numeric, optionalOneOf, optionalText } from "../../tables/columns.js";
import { pluralText } from "../../views/number-text.js";
import { rows, type SumsSpec } from "../sums/sums-query.js";
import { readSums } from "../sums/sums-table.js";
import { type GivenTable, type Inputs, tableName } from "../table-options.js";

const kinds = {
  of_image: optionalText,
  of_prompt: optionalText,
  of_annotator: optionalText,
  of_kind: optionalOneOf(questionKinds),
  said_yes: numeric,
  said_no: numeric,
  unanswered: numeric,
  also_own: numeric,
  no_share: numeric,
  entity: optionalText,
  attribute: optionalText,
};

const isReflected =
  "MAX(CASE WHEN kind = 'reflection' THEN 1 ELSE 0 END) OVER (PARTITION BY image, annotator, entity, attribute) = 1";

/** Answers, counted by image, annotator and kind of question. */
export const sums: SumsSpec<typeof kinds> = {
  name: "attributes",
  texts: {
    image: "image",
    prompt: "prompt",
    said_by: "annotator",
    entity: "entity",
    attribute: "attribute",
    kind: "kind",
  },
  numbers: { probability: "probability" },
  unique: ["image", "annotator", "entity", "attribute", "kind"],
  derived: () => [
    { annotator: "COALESCE(said_by, '')" },
    { is_own: `CASE WHEN kind = 'leakage' AND ${isReflected} THEN 1 ELSE 0 END` },
  ],
  parts: ({ count }) => ({
    images: {
      from: rows,
      by: { of_image: "image", of_prompt: "prompt", of_annotator: "said_by", of_kind: "kind" },
      of: {
        said_yes: count("is_own = 0 AND probability >= 0.5"),
        said_no: count("is_own = 0 AND probability < 0.5"),
        unanswered: count("is_own = 0 AND probability IS NULL"),
        also_own: count("is_own = 1"),
        no_share: count("probability < 0 OR probability > 1"),
      },
    },
    entities: { from: rows, by: { entity: "entity" } },
    attributes: { from: rows, by: { attribute: "attribute" } },
  }),
  kinds,
  required: {
    images: { of_image: "image", of_kind: "kind" },
    entities: { entity: "entity" },
    attributes: { attribute: "attribute" },
  },
  only: { threshold: 0.5 },
};

/** @throws InputError as `readSums` does, for what is no probability, and where an image has two prompts. */
export async function read(given: GivenTable, inputs: Inputs): Promise<AttributedImages> {
  const { columns, part } = await readSums(sums, [given, inputs]);
  const { of_image, of_prompt, of_annotator, of_kind, entity, attribute } = columns;
  const { said_yes, said_no, unanswered, also_own, no_share } = columns;
  const outside = picked(no_share, part("images")).reduce((sum, times) => sum + times, 0);
  if (outside > 0) {
    throw new InputError(
      `Expected probabilities from 0 to 1 but ${tableName(given)} sums ${pluralText(outside, "row")} with another number`,
      { hint: "Divide percentages by 100 before they are summed." },
    );
  }
  const byImage = new Map<string, Map<string | undefined, number[]>>();
  let shared = 0;
  for (const row of part("images")) {
    const [image = "", annotator] = [of_image, of_annotator].map((each) => textAt(each, row));
    const annotators = byImage.get(image) ?? new Map<string | undefined, number[]>();
    byImage.set(image, annotators);
    annotators.set(annotator, [...(annotators.get(annotator) ?? []), row]);
    shared += also_own[row] ?? 0;
  }
  const answersOf = (its: readonly number[], kind: string) => {
    // An image's rows may name its prompt or not.
    const same = its.filter((row) => textAt(of_kind, row) === kind);
    const times = (of: Float64Array) => same.reduce((sum, row) => sum + (of[row] ?? 0), 0);
    const answers = [1, 0].flatMap((p) =>
      Array<number>(times(p === 1 ? said_yes : said_no)).fill(p),
    );
    return { answers, unscored: times(unanswered) };
  };
  const images = inOrder(byImage.keys()).flatMap((image) => {
    const annotators = [...(byImage.get(image) ?? [])];
    const prompt = promptOf(
      annotators.flatMap(([, its]) =>
        its.map((row) => ({ image, prompt: textAt(of_prompt, row) })),
      ),
    );
    return annotators
      .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1))
      .map(([annotator, its]): AttributedImage => {
        const [reflection, leakage] = [answersOf(its, "reflection"), answersOf(its, "leakage")];
        return {
          image,
          annotator,
          prompt,
          reflection: reflection.answers,
          leakage: leakage.answers,
          unscoredReflection: reflection.unscored,
          unscoredLeakage: leakage.unscored,
          unscored: reflection.unscored + leakage.unscored,
        };
      });
  });
  const entities = Array.from(part("entities"), (row) => textAt(entity, row) ?? "");
  const attributes = Array.from(part("attributes"), (row) => textAt(attribute, row) ?? "");
  const names = [entities, attributes] as const;
  return { images, duplicates: 0, contradicted: 0, shared, names };
}
