import type { ComparisonConclusion } from "../../../analysis/comparison/comparison.js";
import type { Direction } from "../../../analysis/pairs/pair-sums.js";
import type { ImagePair, ImageSide } from "../../../views/view.js";
import type { ComparedRow } from "./comparison-table.js";

/**
 * The two images to look at: of the two best models with images, the prompt on which they differ most by
 * the metric. One on which people order them the other way comes first.
 */
export function comparedPair(
  { models }: Pick<ComparisonConclusion, "models">,
  {
    rows,
    metric,
    direction = "higher",
  }: {
    readonly rows: readonly ComparedRow[];
    readonly metric: string;
    readonly direction: Direction | undefined;
  },
): ImagePair | undefined {
  const sign = direction === "higher" ? 1 : -1;
  const sides = new Map<string, Map<string, ImageSide>>();
  for (const { model, prompt, score, human, image } of rows) {
    if (image === undefined || score === null) continue;
    const own = sides.get(model) ?? new Map<string, ImageSide>();
    own.set(prompt, { name: model, image, score, human: human ?? null });
    sides.set(model, own);
  }
  const mean = (model: string) => sign * (models[model]?.mean.value ?? Number.NEGATIVE_INFINITY);
  const [first, second] = [...sides].sort(([a], [b]) => mean(b) - mean(a));
  if (first === undefined || second === undefined) return undefined;
  const found = [...first[1]].flatMap(([text, one]) => {
    const other = second[1].get(text);
    if (other === undefined || one.score === other.score) return [];
    const people = (one.human ?? Number.NaN) - (other.human ?? Number.NaN);
    const isAsPeople =
      Number.isNaN(people) || people === 0
        ? null
        : Math.sign(people) === Math.sign(sign * (one.score - other.score));
    return [{ text, sides: [one, other] as const, isAsPeople }];
  });
  const apart = ({ sides: [one, other] }: (typeof found)[number]) =>
    Math.abs(one.score - other.score);
  const [chosen] = found.sort(
    (a, b) =>
      Number(b.isAsPeople === false) - Number(a.isAsPeople === false) || apart(b) - apart(a),
  );
  if (chosen === undefined) return undefined;
  const names = `${first[0]} and ${second[0]}`;
  const why =
    chosen.isAsPeople === false
      ? `Where ${metric} orders ${names} most clearly against people`
      : `Where ${names} differ most by ${metric}`;
  return { ...chosen, why, metric };
}
