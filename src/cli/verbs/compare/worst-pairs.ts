import {
  type PeoplesAnswer,
  shareByPrompt,
} from "../../../analysis/comparison/people-preference.js";
import { rankedModels } from "../../../conclusions/compare/pairs.js";
import type { ComparedSides, SidesFound } from "../../../conclusions/compare/sides-view.js";
import { peoplesSide } from "../../../conclusions/compare/sides-view.js";
import { NoAnswer } from "../../../core/unscored.js";
import { openPictureFile } from "../../../images/picture-file.js";
import { thumbnail } from "../../../images/thumbnail.js";
import { fixedText } from "../../../views/number-text.js";
import type { Card, Chapter } from "../../../views/report.js";
import type { ItemPair } from "./pair-items.js";
import type { MetricScores } from "./score-pairs.js";

/** Pixels of the longer side. */
const side = 320;
const mostShown = 3;

interface Judged {
  readonly pair: ItemPair;
  readonly scores: readonly (readonly [number | null, number | null])[];
  /** The share of people's answers that prefer the first side; null where nobody was asked. */
  readonly people: number | null;
}

/**
 * The three prompts on which the better side is furthest behind the other, side by side: by people where they were
 * asked, then by the first metric. None where it is never behind.
 */
export async function worstChapter(
  { names, compared, people }: SidesFound,
  {
    pairs,
    metrics,
    answers,
  }: {
    readonly pairs: readonly ItemPair[];
    readonly metrics: readonly MetricScores[];
    readonly answers: readonly PeoplesAnswer[];
  },
): Promise<Chapter[]> {
  const [first] = compared;
  const better =
    people === undefined
      ? first === undefined
        ? names[0]
        : rankedModels(first.found)[0]
      : peoplesSide(people, names).better;
  const at = better === names[1] ? 1 : 0;
  const shares = shareByPrompt(answers);
  const judged = pairs.map(
    (pair, place): Judged => ({
      pair,
      scores: metrics.map(({ rows }) => [
        rows[2 * place]?.score ?? null,
        rows[2 * place + 1]?.score ?? null,
      ]),
      people: shares.get(pair.prompt) ?? null,
    }),
  );
  const sign = first?.found.direction === "lower" ? -1 : 1;
  const behind = ({ scores: [scored], people: share }: Judged): number[] => {
    const [one, other] = scored ?? [null, null];
    const byMetric =
      one === null || other === null ? 0 : sign * (at === 0 ? other - one : one - other);
    const byPeople = share === null ? 0 : at === 0 ? 0.5 - share : share - 0.5;
    return people === undefined ? [byMetric] : [byPeople, byMetric];
  };
  const worst = judged
    .filter((one) => (behind(one)[0] ?? 0) > 0)
    .sort((one, other) => {
      const [a, b] = [behind(one), behind(other)];
      return (b[0] ?? 0) - (a[0] ?? 0) || (b[1] ?? 0) - (a[1] ?? 0);
    })
    .slice(0, mostShown);
  const cards = await Promise.all(worst.map((one) => cardOf(one, { names, compared })));
  return cards.length === 0
    ? []
    : [
        {
          id: "worst",
          title: `Where ${names[at]} is furthest behind ${names[1 - at]}`,
          parts: [{ cards }],
        },
      ];
}

/** Undefined for a file without an image, which is no reason to show nothing else. */
const shownImage = (path: string, image: string) =>
  openPictureFile(path, image)
    .then((picture) => thumbnail(picture, { side }))
    .catch((error: unknown) => {
      if (error instanceof NoAnswer) return undefined;
      throw error;
    });

async function cardOf(
  { pair: { prompt, items }, scores, people }: Judged,
  {
    names,
    compared,
  }: { readonly names: readonly string[]; readonly compared: readonly ComparedSides[] },
): Promise<Card> {
  const pictures = await Promise.all(
    items.map(async ({ path, image }, at) => {
      const told = compared.map(({ found: { metric } }, which) => {
        const score = scores[which]?.[at === 0 ? 0 : 1] ?? null;
        return `${metric} ${score === null ? "unscored" : fixedText(score, 3)}`;
      });
      const shown = await shownImage(path, image);
      const unread = shown === undefined ? ["can't be read"] : [];
      return {
        image: shown,
        alternative: `Image of ${names[at]} for: ${prompt}`,
        caption: [`${names[at]}: ${image}`, ...unread, ...told].join(", "),
      };
    }),
  );
  const preferred =
    people === null
      ? []
      : people === 0.5
        ? ["people: as good as one another"]
        : [`people prefer ${names[people > 0.5 ? 0 : 1]}`];
  return { tags: preferred, text: prompt, parts: [{ pictures }] };
}
