import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";
import { z } from "zod";

/** The members of a Hugging Face tokenizer.json that word-level models use; others are refused. */
const splitStep = z.object({
  type: z.literal("Split"),
  pattern: z.object({ Regex: z.string() }),
  behavior: z.enum(["Removed", "Isolated"]),
  invert: z.boolean(),
});
const step = z.discriminatedUnion("type", [
  z.object({ type: z.literal("Whitespace") }),
  z.object({ type: z.literal("WhitespaceSplit") }),
  z.object({ type: z.literal("Punctuation"), behavior: z.literal("Isolated").optional() }),
  splitStep,
]);
type Step = z.output<typeof step>;

const schema = z.object({
  normalizer: z.object({ type: z.literal("Lowercase") }),
  pre_tokenizer: z.union([
    step.transform((only) => [only]),
    z
      .object({ type: z.literal("Sequence"), pretokenizers: z.array(step) })
      .transform(({ pretokenizers }) => pretokenizers),
  ]),
  post_processor: z.null().optional(),
  model: z.object({
    type: z.literal("WordLevel"),
    vocab: z.record(z.string(), z.int().nonnegative()),
  }),
});

/** Text -> the ids of its words, for a model that knows a closed list of words. */
export interface Tokenizer {
  /**
   * @throws NoAnswer "not-applicable" naming the first word that the lab's English lacks: what a
   *   model never saw it can't be asked about.
   */
  encode(text: string): number[];
}

/**
 * Reads a tokenizer.json of the word-level kind.
 *
 * @throws ZodError where the file asks for what is not done here.
 */
export function readTokenizer(json: string): Tokenizer {
  const { pre_tokenizer: steps, model } = schema.parse(JSON.parse(json));
  const ids = new Map(Object.entries(model.vocab));
  return {
    encode(text) {
      const words = steps.reduce(
        (pieces, each) => pieces.flatMap((piece) => splitBy(each, piece)),
        [text.toLowerCase()],
      );
      return words.map((word) => {
        const id = ids.get(word);
        if (id === undefined) {
          throw new NoAnswer("not-applicable", `The lab's English has no word "${word}"`);
        }
        return id;
      });
    },
  };
}

function splitBy(each: Step, text: string): string[] {
  switch (each.type) {
    case "Whitespace":
      return text.match(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]+/gu) ?? [];
    case "WhitespaceSplit":
      return text.match(/\S+/g) ?? [];
    case "Punctuation":
      return text.match(/\p{P}|\P{P}+/gu) ?? [];
    case "Split":
      return splitByPattern(each, text);
  }
}

/** Splits by a pattern into what it finds and what lies between; "Removed" drops the one, inverted the other. */
function splitByPattern(
  { pattern, behavior, invert }: z.output<typeof splitStep>,
  text: string,
): string[] {
  const pieces: { text: string; found: boolean }[] = [];
  let end = 0;
  for (const match of text.matchAll(new RegExp(pattern.Regex, "gu"))) {
    pieces.push({ text: text.slice(end, match.index), found: false });
    pieces.push({ text: match[0], found: true });
    end = match.index + match[0].length;
  }
  pieces.push({ text: text.slice(end), found: false });
  return pieces
    .filter((piece) => piece.text !== "" && (behavior === "Isolated" || piece.found === invert))
    .map((piece) => piece.text);
}
