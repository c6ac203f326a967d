import { labelPlan } from "../../analysis/label-plan/label-plan.js";
import { conclusion } from "../conclusion.js";
import { options, readPlanTable } from "./columns.js";
import { labelPlanView } from "./view.js";

export default conclusion({
  title: "Label plan",
  description:
    "Chooses which items to ask people about next, and says before anybody is asked how narrow the interval will " +
    "be. Items are drawn with probabilities of their own (active statistical inference), more often where answers " +
    "are expected to differ: by the scores at first, then by labels so far. Reads JSONL, JSON, CSV or Parquet as " +
    "compare does (model, prompt, score and, optionally, human and domain), for a threshold as analyze calibration " +
    "does (id, probability and, optionally, label), or a run with scores. --out next.csv holds the chosen rows with probability, weight, " +
    "stratum and round; for a threshold, where probability is the judge's, 1 / weight is the draw's. Answered, it goes into compare as it is, or " +
    "beside the whole table with --answered, which is narrower; label plan takes it so for the next round. " +
    "`touchstone example label-plan` prints a sample.",
  examples: [
    "touchstone label plan scores.csv --budget 60 --out next.csv",
    "touchstone label plan scores.csv --answered next.csv --budget 60 --width 0.2 --out next-2.csv",
    "touchstone label plan runs/first --where metric=clip-score --out next.csv",
    "touchstone label plan answers.csv --for threshold --budget 100 --out next.csv",
    "touchstone example label-plan | touchstone label plan - --budget 12 --json",
  ],
  example: {
    shows: "two image models' scores on sixty prompts, for people to rate some",
    words: ["--budget", "20"],
  },
  page: "next.csv",
  options,
  alsoReads: ({ answered }) => answered,
  read: readPlanTable,
  conclude(
    { units, rowsOf, unscored, pair, direction, notes, columns, rows },
    { for: aim, budget, width, seed },
  ) {
    const { drawn, ...plan } = labelPlan(units, { aim, budget, width, seed });
    const chosen = drawn.flatMap(({ at, probability, weight, stratum }) =>
      (rowsOf[at] ?? []).map((row) => ({
        ...rows[row],
        ...(aim === "threshold" ? {} : { probability }),
        weight,
        stratum,
        round: plan.round,
      })),
    );
    return {
      for: aim,
      ...(pair && { pair }),
      direction,
      seed,
      n: plan.items,
      unscored,
      ...plan,
      // They are as long as the plan, and only a file holds them.
      rows: { columns, chosen, toJSON: () => undefined },
      warnings: [...notes, ...warnings(plan, { budget, unscored })],
    };
  },
  view: labelPlanView,
  async figure(found) {
    const { labelPlanFigure } = await import("./figure.js");
    return labelPlanFigure(found);
  },
});

function warnings(
  {
    items,
    labels,
    correlation,
  }: Pick<ReturnType<typeof labelPlan>, "items" | "labels" | "correlation">,
  { budget, unscored }: { readonly budget: number; readonly unscored: number },
): string[] {
  return [
    ...(unscored === 0
      ? []
      : [`${unscored} ${unscored === 1 ? "row has" : "rows have"} no score and can't be chosen`]),
    ...(items > labels && budget > items - labels
      ? [`all ${items - labels} items without a label are chosen: the budget is larger`]
      : []),
    ...(correlation.assumed && items > 0
      ? [
          `widths assume that scores and labels correlate by ${correlation.value}: there are too few labels to estimate it`,
        ]
      : []),
  ];
}
