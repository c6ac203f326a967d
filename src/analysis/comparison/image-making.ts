import { groupBy } from "../../core/arrays.js";
import type { ImageMaking } from "../../core/records.js";

/** One image of those whose making is looked at. */
export interface MadeImage {
  /** Who made it, or which side it is of. */
  readonly by: string;
  /** What it was made for, such as its text. */
  readonly prompt: string;
  readonly making: ImageMaking;
  readonly isRewritten: boolean;
}

/** How one generator made its images; of each setting all values that occur, in their order. */
export interface MakingOfImages {
  readonly by: string;
  readonly images: number;
  readonly prompts: number;
  readonly perPrompt: readonly number[];
  readonly settings: Readonly<Partial<Record<keyof ImageMaking, readonly (string | number)[]>>>;
  /** Images whose prompt the provider rewrote. */
  readonly rewritten: number;
}

/** How each generator made its images. */
export const makingOfImages = (images: readonly MadeImage[]): MakingOfImages[] =>
  [...groupBy(images, ({ by }) => by)].map(([by, own]) => {
    const counts = [...groupBy(own, ({ prompt }) => prompt).values()].map((some) => some.length);
    const settings: Partial<Record<keyof ImageMaking, (string | number)[]>> = {};
    for (const name of settingNames) {
      const values = own.flatMap(({ making }) => making[name] ?? []);
      if (values.length > 0) settings[name] = [...new Set(values)];
    }
    return {
      by,
      images: own.length,
      prompts: counts.length,
      perPrompt: [...new Set(counts)].sort((a, b) => a - b),
      settings,
      rewritten: own.filter(({ isRewritten }) => isRewritten).length,
    };
  });

export const settingNames = [
  "size",
  "steps",
  "guidance",
  "sampler",
  "negativePrompt",
  "weights",
] as const satisfies readonly (keyof ImageMaking)[];

/** What differs between generators beside the model, in sentences; none for one generator. */
export function makingDifferences(all: readonly MakingOfImages[]): string[] {
  const [first, ...others] = all;
  if (first === undefined) return [];
  // Values stand in the order in which they occur, which says nothing.
  const differs = (of: (one: MakingOfImages) => readonly (string | number)[]) => {
    const values = (one: MakingOfImages) => [...of(one)].sort().join();
    return others.some((one) => values(one) !== values(first));
  };
  const each = (words: (one: MakingOfImages) => string) =>
    all.map((one) => `${one.by} ${words(one)}`).join(", ");
  const sizes = ({ settings }: MakingOfImages) => settings.size ?? [];
  const hasSizes = all.every((one) => sizes(one).length > 0);
  const someRewrite = all.some(({ rewritten }) => rewritten > 0);
  const mixed = all.filter(({ settings }) => (settings.weights ?? []).length > 1);
  return [
    ...(hasSizes && differs(sizes)
      ? [`Sizes differ: ${each((one) => sizes(one).join(" and "))}. Metrics see size, too.`]
      : []),
    ...(someRewrite && all.some(({ rewritten }) => rewritten === 0)
      ? [
          `Prompts were rewritten on one side: ${each(({ rewritten, images }) => `${rewritten} of ${images}`)}. What is compared includes the rewriting.`,
        ]
      : []),
    ...(differs(({ perPrompt }) => perPrompt)
      ? [`Images per prompt differ: ${each(({ perPrompt }) => perPrompt.join(" to "))}.`]
      : []),
    ...mixed.map(
      ({ by, settings }) =>
        `${by} used several weights: ${(settings.weights ?? []).join(", ")}. They are not one model.`,
    ),
  ];
}
