import { estimate3, number3 } from "touchstone-t2i/internal/cli/terminal/numbers.js";
import { table } from "touchstone-t2i/internal/cli/terminal/terminal-table.js";
import { percentText } from "touchstone-t2i/internal/views/number-text.js";
import { numberColumns } from "touchstone-t2i/internal/views/text-table.js";
import type { AimFinding } from "../../evaluate/aims.js";

/** Tabulates the models' aims, each with what was measured. */
export function aimsTable(aims: readonly AimFinding[], width: number): string {
  return table(
    [
      { title: "what is aimed at" },
      { title: "model" },
      ...numberColumns("n", "aim", "measured"),
      { title: "" },
    ],
    aims.map(({ figure, model, aim, unit, n, estimate, outcome }) => {
      const [word, bound] = "least" in aim ? ["≥", aim.least] : ["≤", aim.most];
      const isShare = unit === "share";
      return [
        figureText({ figure, unit }),
        model,
        String(n),
        `${word} ${isShare ? bound * 100 : bound}`,
        isShare
          ? percentText(estimate)
          : unit === "IoU"
            ? estimate3(estimate)
            : numberText(estimate.value),
        outcome,
      ];
    }),
    width,
  );
}

function figureText({ figure, unit }: Pick<AimFinding, "figure" | "unit">): string {
  switch (unit) {
    case "share":
      return `${figure}, %`;
    case "MB":
      return `${figure}, MB`;
    case "ms":
      return `ms ${figure}`;
    case "IoU":
      return figure;
  }
}

const numberText = (value: number | null): string => (value === null ? "–" : number3(value));
