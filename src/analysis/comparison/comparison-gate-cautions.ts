import { fewestToTell } from "../inference/fewest-to-tell.js";
import { metricWarnings } from "../inference/metric-warnings.js";
import type { GatedModel } from "./gated-model.js";

/** Means this many times as large or small are likelier to be on another scale than to have moved. */
const otherScale = 10;

/** Blind spots of a gate's judgement, a sentence each without its stop. */
export function gateCautions(
  models: readonly GatedModel[],
  { paired }: { readonly paired: boolean },
): string[] {
  return [
    ...(paired
      ? []
      : [
          "the baseline holds no scores of single prompts, so small changes stay unseen: " +
            "write it anew with this version, or give its table",
        ]),
    ...metricWarnings(
      models.flatMap(({ model: metric, ...found }) =>
        [...lacking(found), ...few(found), ...scale(found)].map((text) => ({ metric, text })),
      ),
    ),
  ];
}

type Found = Omit<GatedModel, "model">;

function lacking({ prompts }: Found): string[] {
  if (prompts === undefined) return [];
  const { shared, onlyBefore, onlyNow } = prompts;
  const of = (count: number, whose: string) =>
    `${count} of ${shared + count} prompts ${whose} ${count === 1 ? "has" : "have"} no score`;
  return [
    ...(onlyBefore === 0 ? [] : [`${of(onlyBefore, "of the baseline")} now`]),
    ...(onlyNow === 0 ? [] : [`${of(onlyNow, "now")} in the baseline`]),
  ];
}

function few({ prompts, unjudged }: Found): string[] {
  if (prompts === undefined || unjudged !== undefined || prompts.shared >= fewestToTell) return [];
  const counted = `${prompts.shared} ${prompts.shared === 1 ? "prompt is" : "prompts are"}`;
  return [`${counted} too few to tell a change from chance: it takes ${fewestToTell}`];
}

function scale({ mean: { value }, baseline }: Found): string[] {
  if (value === null || baseline === null || value === 0 || baseline === 0) return [];
  const times = Math.abs(value / baseline);
  return times < otherScale && times > 1 / otherScale
    ? []
    : [`its mean was ${short(baseline)} and is ${short(value)}; see that the scale is the same`];
}

const short = (value: number) => String(Number(value.toPrecision(3)));
