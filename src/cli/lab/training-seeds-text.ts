import type { AcrossSeeds } from "../../lab/evaluate/training-seeds.js";
import { estimate3, number3 } from "../numbers.js";
import { table } from "../table.js";

/** What several trainings of one model reached: a table for each model, a line for each training. */
export function trainingSeedsText(figures: readonly AcrossSeeds[]): string {
  const names = [...new Set(figures.map(({ name }) => name))];
  return names
    .map((name) =>
      modelTable(
        `lab:${name}`,
        figures.filter((one) => one.name === name),
      ),
    )
    .join("\n\n");
}

function modelTable(title: string, figures: readonly AcrossSeeds[]): string {
  const columns = figures.map(({ figure, trainings }) => ({
    title: `${figure}, n = ${trainings[0]?.n ?? 0}`,
    align: "right" as const,
  }));
  const trainings = figures[0]?.trainings ?? [];
  return table(
    [{ title }, ...columns],
    [
      ...trainings.map(({ seed, revision }, index) => [
        seed === undefined ? revision : `seed ${seed}`,
        ...figures.map((figure) => {
          const { estimate } = figure.trainings[index] ?? {};
          return estimate === undefined ? "–" : estimate3(estimate);
        }),
      ]),
      ["mean", ...figures.map(({ mean }) => numberOrNone(mean))],
      [
        "least to greatest",
        ...figures.map(({ least, greatest }) =>
          least === null ? "–" : `${number3(least)} to ${numberOrNone(greatest)}`,
        ),
      ],
    ],
  );
}

const numberOrNone = (value: number | null): string => (value === null ? "–" : number3(value));
