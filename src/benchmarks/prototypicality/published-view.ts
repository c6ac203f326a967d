import { fixedText } from "../../views/number-text.js";
import { numberColumn, textColumn, type ViewTable } from "../../views/view.js";
import type { Published } from "./published.js";

const otherwise = "other models on other images";

/** The paper's failure rates. They are shown apart, so that nobody compares line with line. */
export const publishedFailureRates = ({ paper, failureRate }: Published): ViewTable => ({
  title: `The paper's failure rates: ${otherwise}`,
  columns: [textColumn("metric"), numberColumn("failure rate (%)"), textColumn("where")],
  rows: failureRate.rows.map(({ metric, value, relation, source }) => [
    ...[metric, relation === "above" ? `> ${value}` : fixedText(value, 2), source],
  ]),
  note: `As ${paper} prints them; to be set beside the figures above by eye, never an expectation.`,
});

/** The paper's margins (table 1). */
export function publishedMargins({ paper, margins }: Published): ViewTable {
  const domains = Object.keys(margins.rows[0]?.correct ?? {});
  return {
    title: `The paper's ranking margins: ${otherwise}`,
    columns: [
      textColumn("metric"),
      ...["correct-ranking margin", "incorrect-ranking margin"].flatMap((heading) =>
        domains.map((title) => numberColumn(title, { heading, decimals: 3 })),
      ),
    ],
    rows: margins.rows.map(({ metric, correct, incorrect }) => [
      metric,
      ...[correct, incorrect].flatMap((margin: Readonly<Record<string, number>>) =>
        domains.map((domain) => margin[domain] ?? null),
      ),
    ]),
    note: `${paper}, ${margins.source}.`,
  };
}

/** The paper's mean scores (table 2). */
export function publishedMeans({ paper, means }: Published): ViewTable {
  const domains = ["animals", "demography", "objects"] as const;
  return {
    title: `The paper's mean scores: ${otherwise}`,
    columns: [
      textColumn("metric"),
      ...domains.flatMap((heading) =>
        ["correct", "adversarial", "difference"].map((title) =>
          numberColumn(title, { heading, decimals: 2 }),
        ),
      ),
    ],
    rows: means.rows.map((row) => [
      row.metric,
      ...domains.flatMap((domain) => {
        const { correct, adversarial, difference } = row[domain];
        return [correct, adversarial, difference];
      }),
    ]),
    note: `${paper}, ${means.source}.`,
  };
}
