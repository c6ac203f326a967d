import { queryText } from "../../../benchmarks/stereotypes/queries.js";
import { asJson } from "../../../core/json.js";
import type { Foreseen } from "../../../core/step.js";
import { countText } from "../../../views/number-text.js";
import type { Output } from "../../terminal/output.js";
import { table } from "../../terminal/terminal-table.js";
import type { AuditPlan } from "./read-audit-config.js";

/** Says what a configuration, its queries and its rubrics hold. Wrong ones were refused before. */
export function showLint(
  { config, queries, rubrics }: AuditPlan,
  {
    file,
    words,
    output,
  }: {
    readonly file: string;
    /** The words after `touchstone` of the audit itself. */
    readonly words: readonly string[];
    readonly output: Output;
  },
): void {
  const categories = [...new Set(queries.map(({ category }) => category))];
  const rows = categories.map((category) => {
    const own = queries.filter((query) => query.category === category);
    const [first] = own;
    const names = [...new Set(own.map(({ rubric }) => rubric))];
    return {
      category,
      queries: Math.min(own.length, config.queriesPerCategory ?? own.length),
      languages: [...new Set(own.map(({ language }) => language))],
      rubrics: names.map((name) => ({ name, items: rubrics.get(name)?.items.length ?? 0 })),
      example: first === undefined ? "" : queryText(first),
    };
  });
  const asked = rows.reduce((sum, row) => sum + row.queries, 0);
  const phases = config.refiner === undefined ? 1 : 2;
  const sets = asked * config.generators.length * phases;
  const images = sets * config.images;
  const judged = (config.unit === "set" ? sets : images) * config.trials;
  const unknown = { calls: null, cost: null };
  const ahead: readonly Foreseen[] = [
    { what: "Making images", tasks: images, ...unknown },
    { what: "Asking the judge", tasks: judged, ...unknown },
  ];
  output.result(
    [
      table(
        [
          { title: "category" },
          { title: "queries", align: "right" },
          { title: "languages" },
          { title: "rubric (items)" },
          { title: "for example" },
        ],
        rows.map((row) => [
          row.category,
          countText(row.queries),
          row.languages.join(", "),
          row.rubrics.map(({ name, items }) => `${name} (${items})`).join(", "),
          row.example,
        ]),
        output.style.width,
      ),
      "",
      `Nothing is wrong. It makes ${countText(images)} images and asks the judge ${countText(judged)} times.`,
    ].join("\n"),
  );
  output.resultJson({
    file,
    categories: rows,
    images,
    judgements: judged,
    forecast: asJson(ahead),
  });
  output.nextCommand(words);
}
