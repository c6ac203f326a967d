import { estimate3, number3 } from "touchstone-t2i/internal/cli/terminal/numbers.js";
import { table } from "touchstone-t2i/internal/cli/terminal/terminal-table.js";
import type { AcrossSeeds } from "../../evaluate/training-seeds.js";

/** Shows results of several trainings: a table for each model, a line for each training. */
export function trainingSeedsText(figures: readonly AcrossSeeds[], width: number): string {
  const names = [...new Set(figures.map(({ name }) => name))];
  return names
    .map((name) => {
      const own = figures.filter((one) => one.name === name);
      return `lab:${name}, ${own[0]?.trainings.length} trainings:\n\n${modelTable(own, width)}`;
    })
    .join("\n\n");
}

function modelTable(figures: readonly AcrossSeeds[], width: number): string {
  const trainings = figures[0]?.trainings ?? [];
  return table(
    [{ title: "" }, ...figures.map(({ figure }) => ({ title: figure, align: "right" as const }))],
    [
      ["n", ...figures.map((figure) => String(figure.trainings[0]?.n ?? 0))],
      ...trainings.map(({ seed, revision }, index) => [
        seed === undefined ? revision : `seed ${seed}`,
        ...figures.map((figure) => {
          const { estimate } = figure.trainings[index] ?? {};
          return estimate === undefined ? "–" : estimate3(estimate);
        }),
      ]),
      ["mean", ...figures.map(({ mean }) => numberOrNone(mean))],
      ["least", ...figures.map(({ least }) => numberOrNone(least))],
      ["greatest", ...figures.map(({ greatest }) => numberOrNone(greatest))],
    ],
    width,
  );
}

const numberOrNone = (value: number | null): string => (value === null ? "–" : number3(value));
