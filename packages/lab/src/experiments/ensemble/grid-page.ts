import {
  alsoKnown,
  sentencesOf,
  tableSections,
} from "touchstone-t2i/internal/report/pages/conclusion-page.js";
import { html } from "touchstone-t2i/internal/report/pages/html.js";
import { plotFigure } from "touchstone-t2i/internal/report/pages/html-parts.js";
import { tableOf } from "touchstone-t2i/internal/report/pages/html-table.js";
import { page } from "touchstone-t2i/internal/report/pages/page.js";
import { estimateText, probabilityText } from "touchstone-t2i/internal/views/number-text.js";
import {
  as,
  numberColumn,
  said,
  textColumn,
  type View,
  type ViewTable,
} from "touchstone-t2i/internal/views/view.js";
import { curvesFigure } from "./curves-plot.js";
import { labelsFigure } from "./labels-plot.js";
import { methodName } from "./names.js";
import type { GridTables } from "./tables.js";

/** A grid of experiments as one HTML file. */
export async function gridPage(
  { verdict: sentences, tables: readable, caveats, method }: View,
  tables: GridTables,
  { title, command }: { readonly title: string; readonly command: string },
): Promise<string> {
  const [verdict = "", ...others] = sentencesOf(sentences);
  const name = methodName;
  const curves = gridCurves(tables);
  const labels = labelsFigure(tables.methodsTable, { name });
  return page({
    title,
    first: {
      verdict,
      figure: await plotFigure(labels),
    },
    sections: [
      {
        id: "also",
        title: "What else is known",
        body: alsoKnown({ findings: others, caveats, method }),
      },
      {
        id: "methods",
        title: "Methods at the reference setting",
        body: tableOf(referenceTable(tables)),
      },
      {
        id: "coverage",
        title: "Error over coverage",
        body: await plotFigure(curves),
        isFolded: true,
      },
      ...tableSections(readable).map((section) => ({ ...section, isFolded: true })),
    ],
    closing: html`<p>Made by: <code>${command}</code> (in a clone: <code>./bin/touchstone</code>)</p>`,
  });
}

/** A panel for each number of labels. */
const gridCurves = ({ curves, design, reference }: GridTables) =>
  curvesFigure(
    design.labels.map((labels) => ({
      title: `${labels} labels`,
      curves: curves.filter((curve) => curve.labels === labels),
    })),
    {
      title: `Figure 3: error over coverage, ${reference.prompts} prompts`,
      caption:
        "Wrong answers among the surest, from few of them to all; each line is the mean over draws of labels, its band the 95 % interval of that mean (bootstrap). Lower is better.",
      name: methodName,
    },
  );

const shown = ["ece", "nll", "brier", "accuracy", "rocAuc"] as const;
const titles = ["ECE", "NLL", "Brier", "accuracy", "ROC-AUC"] as const;

function referenceTable({ methods, methodsTable, reference }: GridTables): ViewTable {
  const { prompts, labels, clusters } = reference;
  return {
    title: "Methods",
    columns: [textColumn("method"), ...titles.map((title) => numberColumn(title))],
    rows: methods.map((method) => [
      methodName(method),
      ...shown.map((metric) => {
        const cell = methodsTable.find(
          (one) =>
            one.metric === metric &&
            one.method === method &&
            one.prompts === prompts &&
            one.labels === labels,
        );
        if (cell === undefined) return null;
        const against = cell.isBest ? "best" : `p ${probabilityText(cell.pAdjusted)}`;
        return said`${estimateText(cell.estimate)}${as("under", against)}`;
      }),
    ]),
    note: `At ${prompts} prompts, ${labels} labels and K = ${clusters}: mean over draws of labels [95 % interval], below it the adjusted p against the best of the column.`,
  };
}
