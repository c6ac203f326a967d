import { emptyFigure, type Figure } from "../../views/figures/figure.js";
import { intervalPlot, lineNotes, percentRow } from "../../views/figures/interval-plot.js";
import { palette } from "../../views/figures/palette.js";
import { countText } from "../../views/number-text.js";
import { rankedModels, sidesOf } from "./pairs.js";
import { peoplesSide, type SidesFound } from "./sides-view.js";

const people = {
  name: "by people",
  colour: palette.green,
  shape: "square",
  filled: true,
} as const;
const metric = {
  name: "by the metric",
  colour: palette.blue,
  shape: "circle",
  filled: true,
} as const;

/** How often the better of two sides wins, by people and by each metric, from the side that the verdict speaks of. */
export function sidesFigure({ names, compared, people: answers }: SidesFound): Figure {
  const choice = answers && peoplesSide(answers, names);
  const [first] = compared;
  const [best = names[0]] = first === undefined ? names : rankedModels(first.found);
  const better = choice?.better ?? best;
  const other = better === names[0] ? names[1] : names[0];
  const title = `How often ${better} is better than ${other}`;
  const rows = [
    ...(choice === undefined || answers === undefined
      ? []
      : [
          percentRow(
            { band: "", name: "people", series: people.name, count: countText(answers.n) },
            choice.winRate,
          ),
        ]),
    ...compared.flatMap(({ found }) => {
      const side = sidesOf(found.pairs)(better, other);
      return side === undefined
        ? []
        : [
            percentRow(
              {
                band: "",
                name: found.metric,
                series: metric.name,
                count: countText(side.pair.n),
              },
              side.winRate,
            ),
          ];
    }),
  ];
  if (rows.length === 0) return emptyFigure(title, "nothing judged the pairs yet");
  return {
    title,
    ...intervalPlot({
      title,
      axisTitle: `${better} is better (%), with 95 % interval`,
      axisFormat: "d",
      valueTitle: "share",
      rows,
      series: [
        ...(choice === undefined ? [] : [people]),
        ...(compared.length === 0 ? [] : [metric]),
      ],
      domain: [0, 100],
      reference: { at: 50, name: "even" },
      notes: [
        `n: ${answers === undefined ? "" : "people's answers, and "}prompts that a metric scored on both sides. Ties count half.`,
        ...lineNotes(rows),
      ],
    }),
    caption: `The share of answers or prompts in which ${better} is better than ${other}. Right of the dashed line it is so more often than not.`,
  };
}
