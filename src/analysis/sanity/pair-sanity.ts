import { groupBy } from "../../core/arrays.js";
import { randomFrom } from "../../core/random.js";
import { fewestPlacebos, type PlaceboSource, sharedWords, textsOfImages } from "./draw-placebos.js";
import { type MetricSanity, sanitySkipped, tooFew } from "./metric-sanity.js";
import { type SanityFinding, shareOf, shownBy, stateOf } from "./sanity-finding.js";

/** Two items of different prompts: each caption is asked about with both images. */
export type Dyad = readonly [one: number, other: number];

const fewestItems = 12;
const mostItems = 24;

/**
 * Draws items whose own image a judge of pairs is to prefer to the image of another prompt: a tenth, at least 12,
 * at most 24, of prompts that share few words. They come in twos, so that a judge of the images alone is right
 * about exactly one of two. None asks what the items themselves ask.
 */
export function drawDyads(
  items: readonly PlaceboSource[],
  { seed }: { readonly seed: number },
): Dyad[] {
  if (items.length < fewestPlacebos) return [];
  const random = randomFrom("pair placebos", seed, items.length);
  const byPrompt = groupBy(random.shuffle([...items.keys()]), (at) => items[at]?.text);
  const firsts = [...byPrompt.values()].map(([first]) => first);
  const asked = textsOfImages(items);
  const sourceOf = (item: number) => items[item] ?? { text: "", image: "" };
  const isAsked = (image: number, text: number) =>
    asked.get(sourceOf(image).image)?.has(sourceOf(text).text) === true;
  const uses = new Map(firsts.map((first) => [first, 0]));
  const usesOf = (item: number) => uses.get(item) ?? 0;
  const met = new Set<string>();
  const dyads: Dyad[] = [];
  const most = Math.min(mostItems, Math.max(fewestItems, Math.round(items.length / 10)));
  while (2 * dyads.length < most) {
    const candidates = [...firsts].sort((a, b) => usesOf(a) - usesOf(b)).slice(0, mostCandidates);
    let next: { readonly dyad: Dyad; readonly rank: number } | undefined;
    for (const [at, one] of candidates.entries()) {
      for (const other of candidates.slice(at + 1)) {
        const shared = sharedWords(sourceOf(one).text, sourceOf(other).text);
        const rank = usesOf(one) + usesOf(other) + shared;
        const isNew = !met.has(keyOf(one, other)) && !isAsked(one, other) && !isAsked(other, one);
        if (isNew && shared < 1 && rank < (next?.rank ?? Infinity))
          next = { dyad: [one, other], rank };
      }
    }
    if (next === undefined) break;
    met.add(keyOf(...next.dyad));
    for (const item of next.dyad) uses.set(item, usesOf(item) + 1);
    dyads.push(next.dyad);
  }
  return dyads;
}

const mostCandidates = 12;

const keyOf = (one: number, other: number) => `${Math.min(one, other)} ${Math.max(one, other)}`;

/**
 * How much likelier a judge calls an item's own image better than the foreign one, in [-1, 1], by the place at
 * which it was shown: null without an answer.
 */
export interface PairAnswers {
  readonly dyad: number;
  readonly ownFirst: number | null;
  readonly ownSecond: number | null;
}

/**
 * Concludes whether a judge of pairs reads captions and looks at images: the share of answers that prefer the
 * caption's own image, and the share of captions of which the same image wins at either place, ties half.
 * Intervals (95 %) count both captions of two items once, as a cluster.
 */
export function pairSanity(answers: readonly PairAnswers[]): MetricSanity {
  const compared = answers.flatMap(({ dyad, ownFirst, ownSecond }) =>
    ownFirst === null || ownSecond === null
      ? []
      : [{ prompt: String(dyad), first: outcomeOf(ownFirst), second: outcomeOf(ownSecond) }],
  );
  const found = {
    items: compared.length,
    readsText: shareOf(
      compared.flatMap(({ prompt, first, second }) => [
        { prompt, outcome: first },
        { prompt, outcome: second },
      ]),
      ({ outcome }) => outcome,
    ),
    looksAtImage: shareOf(compared, ({ first, second }) => 1 - Math.abs(first - second)),
  };
  const findings = findingsOf(found);
  return { ...sanitySkipped, ...found, findings, state: stateOf(findings) };
}

const outcomeOf = (preference: number) => (preference === 0 ? 0.5 : preference > 0 ? 1 : 0);

function findingsOf({
  items,
  readsText,
  looksAtImage,
}: Pick<MetricSanity, "items" | "readsText" | "looksAtImage">): SanityFinding[] {
  const reads = items < fewestPlacebos ? "open" : shownBy(readsText);
  if (reads === "sound") return [];
  if (reads === "open") return [tooFew(items, ["reads captions", "looks at images"])];
  if (reads === "below") {
    const text =
      "prefers the image of another caption: its answers are probably taken the wrong way round";
    return [{ kind: "reversed", severity: "defect", text }];
  }
  return shownBy(looksAtImage) === "sound"
    ? [
        {
          kind: "ignores-text",
          severity: "defect",
          text: "is not shown to read captions: it mostly prefers the same image for its own caption and a foreign one",
        },
      ]
    : [
        {
          kind: "ignores-image",
          severity: "defect",
          text: "is not shown to look at its images: the place decides, or chance",
        },
      ];
}
