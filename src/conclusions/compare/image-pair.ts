import type { ComparisonConclusion } from "../../analysis/comparison/comparison.js";
import type { ImagePair, ImageSide } from "../../views/view.js";
import type { ComparisonTable } from "./columns.js";

/**
 * The two images to look at: of the two best models with images, the prompt on which they differ most by
 * the metric. One on which people order them the other way comes first.
 */
export function comparedPair(
  { models, direction }: Pick<ComparisonConclusion, "models" | "direction">,
  { columns, image, metric }: Pick<ComparisonTable, "columns" | "image" | "metric">,
): ImagePair | undefined {
  if (image === undefined) return undefined;
  const { model, prompt, score, human } = columns;
  const sign = direction === "higher" ? 1 : -1;
  const shown = new Set<number>();
  const isShown = (row: number) => (image.codes[row] ?? -1) >= 0 && !Number.isNaN(score[row]);
  for (const [row, code] of model.codes.entries()) if (isShown(row)) shown.add(code);
  const mean = (code: number) =>
    sign * (models[model.names[code] ?? ""]?.mean.value ?? Number.NEGATIVE_INFINITY);
  const [first, second] = [...shown].sort((a, b) => mean(b) - mean(a));
  if (first === undefined || second === undefined) return undefined;
  const rowOf = (code: number) => {
    const rows = new Map<number, number>();
    for (const [row, its] of model.codes.entries()) {
      if (its === code && isShown(row)) rows.set(prompt.codes[row] ?? -1, row);
    }
    return rows;
  };
  const others = rowOf(second);
  let chosen:
    | { readonly rows: readonly [number, number]; readonly isAsPeople: boolean | null }
    | undefined;
  let most = 0;
  for (const [about, row] of rowOf(first)) {
    const other = others.get(about);
    if (other === undefined) continue;
    const apart = (score[row] ?? 0) - (score[other] ?? 0);
    if (apart === 0) continue;
    const people = (human?.[row] ?? Number.NaN) - (human?.[other] ?? Number.NaN);
    const isAsPeople =
      Number.isNaN(people) || people === 0 ? null : Math.sign(people) === Math.sign(sign * apart);
    const isAgainst = isAsPeople === false;
    const wasAgainst = chosen?.isAsPeople === false;
    if (chosen !== undefined && wasAgainst && !isAgainst) continue;
    if (chosen !== undefined && wasAgainst === isAgainst && Math.abs(apart) <= most) continue;
    chosen = { rows: [row, other], isAsPeople };
    most = Math.abs(apart);
  }
  if (chosen === undefined) return undefined;
  const side = (row: number): ImageSide => ({
    name: model.names[model.codes[row] ?? -1] ?? "",
    image: image.names[image.codes[row] ?? -1] ?? "",
    score: score[row] ?? Number.NaN,
    human: human === undefined || Number.isNaN(human[row]) ? null : (human[row] ?? null),
  });
  const {
    rows: [one, other],
    isAsPeople,
  } = chosen;
  const sides = [side(one), side(other)] as const;
  const names = sides.map(({ name }) => name).join(" and ");
  return {
    text: prompt.names[prompt.codes[one] ?? -1] ?? "",
    sides,
    isAsPeople,
    why:
      isAsPeople === false
        ? `Where ${metric} orders ${names} most clearly against people`
        : `Where ${names} differ most by ${metric}`,
    metric,
  };
}
