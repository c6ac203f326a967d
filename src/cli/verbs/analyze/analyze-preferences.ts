import { preferenceUnits } from "../../../analysis/preferences/preference-cells.js";
import { preferences } from "../../../analysis/preferences/preferences.js";
import { intervalArguments } from "../../../conclusions/shared-options.js";
import { tableReader } from "../../../conclusions/table-options.js";
import { readablePreferences } from "../../../report/text/preferences-text.js";
import { tieModels } from "../../../stats/bradley-terry.js";
import { optionalText, type RowOf, text } from "../../../tables/columns.js";
import { quoted } from "../../../tables/format.js";
import { parseValues, recoded, valuesArgument } from "../../../tables/recoded-column.js";
import { conclusion } from "../../conclusions/conclusion-verb.js";
import { noEstimate } from "../../conclusions/flat-table.js";
import { expectedPreferred, preferred, preferredSide } from "./preferred-column.js";

const columns = { a: text, b: text, preferred, prompt: optionalText, annotator: optionalText };

function faultOf({ a, b, preferred: said }: RowOf<typeof columns>): string | undefined {
  if (a === b) return `Expected two models in each row but received "${a}" twice`;
  return said === null || preferredSide(said, { a, b }) !== undefined
    ? undefined
    : `Expected ${expectedPreferred} for preferred but received ${quoted(said)}`;
}

export default conclusion({
  description:
    "Ranks models by people's preferences: Bradley-Terry strengths, win rates of pairs, and " +
    "how often the image shown first is preferred. Reads JSONL, JSON, CSV or Parquet with the " +
    "columns a and b (models; the image of a was shown first), preferred (a, b, tie or the " +
    "model's name; empty: no answer) and, optionally, prompt and annotator. Intervals resample annotators, else " +
    "prompts. Where a model never lost, strengths are undefined without --prior. `touchstone " +
    "example preferences` prints a sample.",
  examples: [
    "touchstone analyze preferences preferences.csv",
    "touchstone analyze preferences preferences.jsonl --ties davidson --out preferences.html",
    "touchstone example preferences | touchstone analyze preferences - --json",
  ],
  title: "Preferences",
  example: "preferences.html",
  arguments: {
    ties: {
      kind: "choice",
      choices: tieModels,
      default: "half",
      description:
        "count a tie as half a win for each, or as an outcome of its own (Davidson 1970)",
    },
    prior: {
      kind: "number",
      minimum: 0,
      maximum: 1000,
      default: 0,
      value: "WINS",
      description: "add so many wins each way between any two models: 0.1 keeps strengths finite",
    },
    cluster: {
      kind: "choice",
      choices: preferenceUnits,
      description:
        "whose comparisons intervals take together (default: annotators, else prompts); both where " +
        "annotators share prompts (two-way)",
    },
    ...valuesArgument,
    ...intervalArguments,
  },
  async read(given, inputs) {
    const values = parseValues(given.values);
    const asked = { ...columns, preferred: recoded(preferred, values) };
    const rows = await tableReader({ columns: asked, fault: faultOf })(given, inputs);
    return rows.map(({ preferred: said, ...row }) => ({
      ...row,
      preferred: said === null ? null : (preferredSide(said, row) ?? null),
    }));
  },
  conclude: preferences,
  readable: readablePreferences,
  csv: ({ models, pairs }) => [
    ...Object.entries(models).map(([model, { n, wins, ties, losses, strength, rank }]) => ({
      model,
      against: null,
      n,
      wins,
      ties,
      losses,
      strength,
      best: rank.best,
      worst: rank.worst,
      winRate: noEstimate,
    })),
    ...pairs.map(({ a, b, n, winRate }) => ({
      model: a,
      against: b,
      n,
      wins: null,
      ties: null,
      losses: null,
      strength: noEstimate,
      best: null,
      worst: null,
      winRate,
    })),
  ],
  async figure(conclusion) {
    const { preferencesFigure } = await import("../../../report/plots/preferences-plot.js");
    return preferencesFigure(conclusion);
  },
});
