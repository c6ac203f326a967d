import type {
  ConfusionReport,
  LocalizedVariant,
} from "../../benchmarks/attribute-confusion/conclusion.js";
import { countText, estimateText, fixedText, percentText } from "../../views/number-text.js";
import { type Html, html } from "../pages/html.js";
import { dataTable } from "../text/data-table.js";

/** L-VQAScore with one part of it exchanged: what is done around an entity, who answers, who finds. */
export function ablations({ variants, published }: ConfusionReport): Html {
  const ours =
    variants.length === 0
      ? html`<p>No metric of this run looks at entities one by one. Score the run by one, with a model that answers questions and one that finds entities: <code>--metric localized-vqa-score</code>, and <code>--metric localized-vqa-score:masking</code> and the like for what is done around them.</p>`
      : dataTable({
          name: "Ablations of L-VQAScore",
          caption: html`<b>Ablations of L-VQAScore:</b> its F1 as it stands above, then with one part of it exchanged; failures and ties of the swap test in percent, correlation with the reference's F1 over groups, [95 % interval].`,
          columns: [
            { title: "part", kind: "short" },
            { title: "exchanged for", kind: "short" },
            { title: "n", kind: "number" },
            { title: "fails (%)", kind: "number" },
            { title: "ties (%)", kind: "number" },
            { title: "Spearman's ρ", kind: "number" },
            { title: "Kendall's τ-b", kind: "number" },
          ],
          rows: [...variants].sort(byPart).map((variant) => ({
            heading: variant.exchanged.map(({ part }) => part).join(" and ") || "nothing",
            cells: [exchangedFor(variant), ...cellsOf(variant)],
          })),
        });
  const { paper, ablation } = published;
  return html`${ours}
${dataTable({
  name: "The paper's ablations: other models on other images",
  caption: html`<b>The paper's ablations: other models on other images.</b> ${paper}, ${ablation.source}.`,
  columns: [
    { title: "part", kind: "short" },
    { title: "exchanged for", kind: "short" },
    { title: "Spearman's ρ", kind: "number" },
    { title: "Kendall's τ", kind: "number" },
  ],
  rows: ablation.rows.map(({ part, value, spearman, kendall }) => ({
    heading: part,
    cells: [value, fixedText(spearman, 3), fixedText(kendall, 3)],
  })),
})}`;
}

const partOf = ({ exchanged: [first] }: LocalizedVariant) => first?.part ?? "";
const byPart = (one: LocalizedVariant, other: LocalizedVariant) =>
  order.indexOf(partOf(one)) - order.indexOf(partOf(other));
const order = ["", "strategy", "leakage questions", "localiser", "answerer"];

const exchangedFor = ({ exchanged, strategy, answerer, localizer }: LocalizedVariant): Html =>
  exchanged.length > 0
    ? html`${exchanged.map(({ value }) => value).join(" and ")}`
    : html`${strategy}<span class="model">${[answerer, localizer].filter(Boolean).join(" + ")}</span>`;

const cellsOf = (variant: LocalizedVariant): string[] => [
  countText(variant.n),
  ...[variant.swapFailure, variant.swapTies].map(percentText),
  ...[variant.spearman, variant.kendallTauB].map(estimateText),
];
