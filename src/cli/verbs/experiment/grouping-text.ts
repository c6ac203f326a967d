import type { GroupingConclusion } from "../../../experiments/ensemble/grouping-worth.js";
import type { Estimate } from "../../../stats/estimate.js";
import { countText, fixedText, pluralText } from "../../../views/number-text.js";
import { table } from "../../terminal/terminal-table.js";
import { wrap } from "../../terminal/wrap.js";

/** Renders groups' worth in each world, for a terminal. */
export const groupingText = (
  worlds: ReadonlyMap<string, GroupingConclusion>,
  width: number,
): string =>
  [...worlds]
    .flatMap(([name, { n, captions, pool, kinds, fits, byLabels }]) => [
      wrap(
        `${name}: ${pluralText(n, "pair")} of ${pluralText(captions, "caption")} that nothing was fitted on, ` +
          `labels drawn from ${countText(pool)}; ${kinds === 0 ? "no true kinds known" : pluralText(kinds, "true kind")}; ${countText(fits)} fits.`,
        width,
      ),
      table(
        [
          { title: "labels", align: "right" },
          { title: "effect of", isEssential: true },
          { title: "NLL", align: "right", isEssential: true },
          { title: "accuracy", align: "right", isEssential: true },
          { title: "ECE", align: "right" },
        ],
        byLabels.flatMap(({ labels, contrasts }) =>
          contrasts.map(({ says, metrics }, at) => [
            at === 0 ? countText(labels) : "",
            says,
            changeText(metrics.nll),
            changeText(metrics.accuracy),
            changeText(metrics.ece),
          ]),
        ),
        width,
      ),
    ])
    .concat(
      wrap(
        "Each row is a difference with its 95 % interval, which draws captions and draws of prompts: " +
          "negative log-likelihood (NLL) and expected calibration error (ECE) below 0 are better, accuracy above 0.",
        width,
      ),
    )
    .join("\n\n");

const changeText = ({ value, low, high }: Estimate): string =>
  value === null
    ? "–"
    : `${fixedText(value, 3)} [${fixedText(low ?? Number.NaN, 3)}, ${fixedText(high ?? Number.NaN, 3)}]`;
