import { attributeConfusion } from "../../../benchmarks/attribute-confusion/benchmark.js";
import type { ReportedRun } from "../../../benchmarks/run-records.js";
import { asJson } from "../../../core/json.js";
import type { DoneRecord } from "../../../core/records.js";
import { type BuiltOptions, type BuiltText, shown } from "../shown-benchmark.js";
import { confusionVerdict } from "./verdict.js";

export const shownConfusion = shown(attributeConfusion, {
  show: (conclusion) => ({
    verdict: confusionVerdict(conclusion),
    example: conclusion.strips?.strips[0]?.key,
    json: {
      claims: asJson(conclusion.claims.findings),
      selections: asJson(conclusion.selections),
      correlations: conclusion.correlations === undefined ? null : asJson(conclusion.correlations),
      variants: asJson(conclusion.variants),
      generators: asJson(conclusion.generators),
      differences: asJson(conclusion.differences),
      warnings: conclusion.warnings,
      isUnreferenced: conclusion.isUnreferenced,
      circular: asJson(conclusion.circular),
    },
    async pair() {
      const { swapCards } = await import("./cards.js");
      const example = swapCards(conclusion);
      return example && { example, isFromLab: conclusion.fromLab };
    },
    async overview() {
      const { confusionOverview } = await import("./page.js");
      return confusionOverview(conclusion);
    },
    async page(options) {
      const { renderConfusionReport } = await import("./page.js");
      return renderConfusionReport(conclusion, options);
    },
  }),
  built: builtDescriptions,
});

/** The descriptions that `build` wrote, by set. */
async function builtDescriptions(
  run: ReportedRun,
  { name, folder, drawableBy, flags }: BuiltOptions,
): Promise<BuiltText> {
  const done: DoneRecord<"description">[] = [];
  const notWritten: string[] = [];
  for await (const one of run.ofType("description")) {
    if (one.status === "done") done.push(one);
    else notWritten.push(one.detail);
  }
  const sets = [...new Set(done.map(({ set }) => set))];
  const [example] = done;
  return {
    parts: [
      `${done.length} descriptions, ${notWritten.length} not written; in ${folder}`,
      "",
      {
        columns: [{ title: "set" }, { title: "descriptions", align: "right" }],
        rows: sets.map((set) => [set, String(done.filter((one) => one.set === set).length)]),
      },
      ...(example === undefined
        ? []
        : ["", `For example: ${example.text}`, `  swapped:   ${example.swapped}`]),
      ...(notWritten[0] === undefined ? [] : ["", `Not written, the first: ${notWritten[0]}`]),
    ],
    json: { run: name, descriptions: done.length, unscored: notWritten.length },
    next:
      drawableBy === undefined && flags.descriptions?.[0] !== undefined
        ? ["generate", "--run", name, "--samples", "1", "--wanted", "wanted.csv"]
        : ["generate", "--run", name, "--model", drawableBy ?? "lab:painter-c", "--samples", "1"],
  };
}
