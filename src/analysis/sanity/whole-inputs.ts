import type { JsonObject } from "../../core/json.js";
import type { SanityFinding } from "./sanity-finding.js";

/** How many inputs of a run did not reach a model whole; null where nobody can tell. */
export interface WholeInputs {
  readonly items: number;
  readonly cutTexts: number | null;
  readonly cutImages: number | null;
  readonly shrunkImages: number | null;
  /** The most that one of them lost, as a sentence has it. */
  readonly worst: { readonly [Kind in Count]?: string };
}

type Count = "cutTexts" | "cutImages" | "shrunkImages";

const none = { items: 0, cutTexts: null, cutImages: null, shrunkImages: null, worst: {} } as const;

/** Of a metric whose inputs nobody counted. */
export const notCounted: WholeInputs = none;

const all = ["cutTexts", "cutImages", "shrunkImages"] as const;

/**
 * What is known of models, by the beginning of their names: a server cuts texts and images out of sight, but
 * what is sent to it is shrunk here. The lab's models refuse what they can't read whole.
 */
const counted: readonly (readonly [RegExp, readonly Count[]])[] = [
  [/^lab:/, all],
  [/^transformers-js:(?!vlm:)/, all],
  [/^openai-(compatible|embeddings):/, ["shrunkImages"]],
  [/^python-bridge:(open-clip|pick-score):/, all],
];

const isCounted = (model: string, count: Count): boolean =>
  counted.some(([name, counts]) => name.test(model) && counts.includes(count));

/** Tells whether a score's details say that its inputs were cut or shrunk. */
export const isNotWhole = (details: JsonObject | undefined): details is JsonObject =>
  details !== undefined && ["cutAt", "unseen", "shrunk"].some((name) => name in details);

/**
 * Counts the inputs that did not reach a metric's models whole.
 *
 * @param details of scores of which that is so, as records have them
 * @param options.items how many scores there are
 * @param options.models the names of all that are asked
 */
export function wholeInputs(
  details: Iterable<JsonObject>,
  { items, models }: { readonly items: number; readonly models: readonly string[] },
): WholeInputs {
  const counts = { cutTexts: 0, cutImages: 0, shrunkImages: 0 };
  const most = { cutTexts: 0, cutImages: 0, shrunkImages: 0 };
  const worst: { [Kind in Count]?: string } = {};
  const add = (count: Count, lost: number, text: string) => {
    counts[count]++;
    if (lost <= most[count]) return;
    most[count] = lost;
    worst[count] = text;
  };
  for (const { cutAt, tokens, unseen, shrunk } of details) {
    if (typeof cutAt === "number" && typeof tokens === "number") {
      add("cutTexts", 1 - cutAt / tokens, `read to token ${cutAt} of ${tokens}`);
    }
    if (typeof unseen === "number") {
      add("cutImages", unseen, `${Math.round(unseen * 100)} % of the pixels are not seen`);
    }
    const sizes = sizesOf(shrunk);
    if (sizes !== undefined) {
      const [from, to] = sizes;
      add("shrunkImages", from.width / to.width, `from ${textOf(from)} to ${textOf(to)} pixels`);
    }
  }
  const known = (count: Count) =>
    models.length > 0 && models.every((model) => isCounted(model, count)) ? counts[count] : null;
  return {
    items,
    cutTexts: known("cutTexts"),
    cutImages: known("cutImages"),
    shrunkImages: known("shrunkImages"),
    worst,
  };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const textOf = ({ width, height }: Size) => `${width} x ${height}`;

function sizesOf(shrunk: JsonObject[string] | undefined): readonly [Size, Size] | undefined {
  if (typeof shrunk !== "object" || shrunk === null || !("from" in shrunk)) return undefined;
  const [from, to] = [shrunk.from, shrunk.to].map((size) => {
    const [width, height] = Array.isArray(size) ? size : [];
    return typeof width === "number" && typeof height === "number" ? { width, height } : undefined;
  });
  return from === undefined || to === undefined ? undefined : [from, to];
}

const kinds = [
  ["cutTexts", "texts-cut", "text", "longer than the model reads"],
  ["cutImages", "images-cut", "image", "cut to the middle"],
  ["shrunkImages", "images-shrunk", "image", "shrunk before they are sent"],
] as const;

/** What did not reach the model whole, a clause each: none where all did. */
export const wholeTexts = (whole: WholeInputs): string[] =>
  kinds.flatMap(([count, , noun, what]) => textFor(whole, count, noun, what) ?? []);

function textFor(
  { items, worst, ...counts }: WholeInputs,
  count: Count,
  noun: string,
  what: string,
): string | undefined {
  const found = counts[count];
  if (found === null || found === 0) return undefined;
  const most =
    worst[count] === undefined ? "" : ` (${found === 1 ? "" : "at most "}${worst[count]})`;
  return `${found} of ${items} ${noun}s are ${what}${most}`;
}

/** Cautions about inputs of which a tenth or more did not reach the model whole. */
export const findingsOfWhole = (whole: WholeInputs): SanityFinding[] =>
  kinds.flatMap(([count, kind, noun, what]) => {
    const text = textFor(whole, count, noun, what);
    const isMany = (whole[count] ?? 0) >= whole.items / 10;
    return text === undefined || !isMany ? [] : [{ kind, severity: "caution" as const, text }];
  });
