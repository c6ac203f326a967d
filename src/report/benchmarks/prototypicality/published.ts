import type { Published } from "../../../benchmarks/prototypicality/published.js";
import { fixedText } from "../../../views/number-text.js";
import { type Column, dataTable } from "../../pages/data-table.js";
import { type Html, html } from "../../pages/html.js";

const otherwise = "other models on other images";

/** The paper's failure rates. They are shown apart, so that nobody compares line with line. */
export function publishedFailureRates({ paper, failureRate }: Published): Html {
  const name = `The paper's failure rates: ${otherwise}`;
  return dataTable({
    name,
    caption: html`<b>${name}.</b> As ${paper} prints them; to be set beside the figures above by eye, never an expectation.`,
    columns: [
      { title: "metric" },
      { title: "failure rate (%)", kind: "number" },
      { title: "where" },
    ],
    rows: failureRate.rows.map(({ metric, value, relation, source }) => ({
      heading: metric,
      cells: [
        `${relation === "above" ? "> " : ""}${relation === "above" ? value : fixedText(value, 2)}`,
        html`<small>${source}</small>`,
      ],
    })),
  });
}

/** The paper's margins (table 1). */
export function publishedMargins({ paper, margins }: Published): Html {
  const domains = Object.keys(margins.rows[0]?.correct ?? {});
  const name = `The paper's ranking margins: ${otherwise}`;
  const number = (value: number | undefined) => (value === undefined ? "–" : fixedText(value, 3));
  return dataTable({
    name,
    caption: html`<b>${name}.</b> ${paper}, ${margins.source}.`,
    columns: [
      { title: "metric" },
      ...["correct-ranking margin", "incorrect-ranking margin"].flatMap((group) =>
        domains.map((title): Column => ({ title, kind: "number", group })),
      ),
    ],
    rows: margins.rows.map(({ metric, correct, incorrect }) => ({
      heading: metric,
      cells: [correct, incorrect].flatMap((margin) => valuesOf(margin, domains).map(number)),
    })),
  });
}

/** The paper's mean scores (table 2). */
export function publishedMeans({ paper, means }: Published): Html {
  const domains = ["animals", "demography", "objects"] as const;
  const name = `The paper's mean scores: ${otherwise}`;
  return dataTable({
    name,
    caption: html`<b>${name}.</b> ${paper}, ${means.source}.`,
    columns: [
      { title: "metric" },
      ...domains.flatMap((group) =>
        ["correct", "adversarial", "difference"].map(
          (title): Column => ({ title, kind: "number", group }),
        ),
      ),
    ],
    rows: means.rows.map((row) => ({
      heading: row.metric,
      cells: [
        ...domains.flatMap((domain) => {
          const { correct, adversarial, difference } = row[domain];
          return [correct, adversarial, difference].map((value) => fixedText(value, 2));
        }),
      ],
    })),
  });
}

function valuesOf(byDomain: Readonly<Record<string, number>>, domains: readonly string[]) {
  return domains.map((domain) => byDomain[domain]);
}
