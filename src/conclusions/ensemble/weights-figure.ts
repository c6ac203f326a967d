import type { EnsembleConclusion } from "../../analysis/ensemble/ensemble.js";
import { largestOf } from "../../core/arrays.js";
import { type Layers, placedWords, smallText, xPlace, yPlace } from "../../views/figures/marks.js";
import { palette } from "../../views/figures/palette.js";
import { countText, fixedText, pluralText } from "../../views/number-text.js";
import { methodNames } from "./view.js";

const rowHeight = 22;
const nameHeight = 16;
/** More are not read. */
const mostPrompts = 36;
const mostGroups = 24;

/**
 * Prompts' weights as a heat map: a row for each method that weighs, and for each group of images.
 *
 * @param options.nameWidth of names left of their rows; 0 sets each above its row
 */
export function weightMap(
  { methods, groups, prompts }: EnsembleConclusion,
  {
    top,
    nameWidth,
    mapWidth,
  }: { readonly top: number; readonly nameWidth: number; readonly mapWidth: number },
): {
  readonly layers: Layers;
  readonly width: number;
  readonly height: number;
  readonly notes: readonly string[];
} {
  const shownGroups = [...groups.keys()]
    .sort((a, b) => (groups[b]?.support ?? 0) - (groups[a]?.support ?? 0))
    .slice(0, mostGroups)
    .sort((a, b) => a - b);
  const rows = [
    { name: "best prompt", weights: methods.best.weights?.[0] ?? [] },
    { name: methodNames.bpe, weights: methods.bpe.weights?.[0] ?? [] },
    { name: methodNames.bpeEquation5, weights: methods.bpeEquation5.weights?.[0] ?? [] },
    ...shownGroups.map((group) => ({
      name: `MMB, group ${group + 1} (labels ${fixedText(groups[group]?.support ?? 0, 1)})`,
      weights: methods.mmb.weights?.[group] ?? [],
    })),
  ];
  const heaviest = (prompt: number) => largestOf(rows.map(({ weights }) => weights[prompt] ?? 0));
  const shown = Array.from({ length: prompts }, (_, prompt) => prompt)
    .sort((a, b) => heaviest(b) - heaviest(a) || a - b)
    .slice(0, mostPrompts)
    .sort((a, b) => a - b);
  const cell = Math.min(48, Math.floor(mapWidth / shown.length));
  const above = nameWidth === 0 ? nameHeight : 0;
  const first = top + 48 + above;
  const yOf = (row: number) => first + row * (rowHeight + above) + rowHeight / 2;
  const cells = rows.flatMap(({ weights }, row) =>
    shown.map((prompt, column) => {
      const weight = weights[prompt] ?? 0;
      return {
        x: nameWidth + (column + 0.5) * cell,
        y: yOf(row),
        // Faint enough that the number is read on it, in light and dark.
        strength: weight * 0.6,
        text: cell >= 32 ? fixedText(weight, 2) : "",
      };
    }),
  );
  // Every number has its room.
  const every = Math.ceil(24 / cell);
  const layers: Layers = [
    {
      data: { values: [{ x: 0, y: top, text: "Weights of the prompts" }] },
      ...placedWords({ align: "left", fontSize: 12, fontWeight: 600 }),
    },
    {
      data: { values: [{ x: nameWidth, y: top + 20, text: "prompt" }] },
      ...placedWords({ align: "left", ...smallText }),
    },
    {
      data: {
        values: shown
          .map((prompt, column) => ({
            x: nameWidth + (column + 0.5) * cell,
            y: top + 37,
            text: String(prompt + 1),
          }))
          .filter((_, column) => column % every === 0),
      },
      ...placedWords({ align: "center", ...smallText }),
    },
    {
      data: {
        values: rows.map(({ name }, row) => ({
          x: 0,
          y: above === 0 ? yOf(row) : yOf(row) - rowHeight / 2 - above / 2,
          text: name,
        })),
      },
      ...placedWords({ align: "left", fontSize: 11 }),
    },
    {
      data: { values: cells },
      mark: {
        type: "rect" as const,
        fill: palette.blue,
        stroke: palette.grid,
        width: cell - 2,
        height: rowHeight - 2,
      },
      encoding: {
        x: xPlace,
        y: yPlace,
        fillOpacity: { field: "strength", type: "quantitative" as const, scale: null },
      },
    },
    { data: { values: cells }, ...placedWords({ align: "center", fontSize: 10 }) },
  ];
  return {
    layers,
    width: nameWidth + cell * shown.length,
    height: 48 + rows.length * (rowHeight + above),
    notes: [
      "Weights of a row add up to 1, the darker the more. Labels: how many of them speak for a group.",
      ...(shown.length < prompts
        ? [`Shown: the ${shown.length} of ${countText(prompts)} prompts with the largest weights.`]
        : []),
      ...(shownGroups.length < groups.length
        ? [
            `Shown: the ${shownGroups.length} of ${pluralText(groups.length, "group")} with the most labels.`,
          ]
        : []),
    ],
  };
}
