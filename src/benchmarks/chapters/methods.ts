import { makingDifferences } from "../../analysis/comparison/image-making.js";
import { defaultTieTolerance, type TieOptions } from "../../analysis/pairs/score-ties.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import { canonicalJson } from "../../core/json.js";
import { placed } from "../../core/models.js";
import { shellWord } from "../../core/shell-word.js";
import { makingTable } from "../../views/making-table.js";
import type { Chapter, Part } from "../../views/report.js";
import { as, countColumn, said, textColumn, type ViewTable } from "../../views/view.js";
import type { Provenance } from "../provenance.js";

const code = (text: string) => said`${as("code", text)}`;

/** How every number was made, and how to get from a number to the records behind it. */
export function methodsChapter({
  metrics,
  provenance,
  tieRule,
  tieTolerance = defaultTieTolerance,
  unfiltered = false,
}: TieOptions & {
  readonly metrics: readonly EvaluatedMetric[];
  readonly provenance: Provenance;
  readonly unfiltered?: boolean | undefined;
  readonly tieRule: string;
}): Chapter {
  const flags = [
    unfiltered ? " --unfiltered" : "",
    tieTolerance === defaultTieTolerance ? "" : ` --tie-tolerance ${tieTolerance}`,
  ].join("");
  const { software, seed, intervals, commands, runFolder, sources } = provenance;
  return {
    id: "methods",
    title: "How every number was made",
    parts: [
      {
        facts: [
          ["software", software.join(", ")],
          ["seed", String(seed)],
          ["intervals", intervals],
          ["tie rule", tieRule],
          [
            "keys",
            "a hash of what determines a record: item, image, step or metric with version and parameters, model identity, trial",
          ],
        ],
      },
      { heading: "The same again" },
      said`In a clone, ${as("code", "touchstone")} is ${as("code", "./bin/touchstone")}.`,
      ...(commands.length === 0 ? [] : ["The run was made by", { commands }]),
      "This page is made from the run by",
      { commands: [`touchstone report ${shellWord(runFolder)}${flags}`] },
      { heading: "Metrics, models, steps and records" },
      metricTable(metrics),
      ...(provenance.making.length === 0 ? [] : [makingTable(provenance.making)]),
      ...makingDifferences(provenance.making),
      ...tablesOf(provenance),
      ...(sources.length === 0 ? [] : [sourceTable(sources)]),
      { heading: "From a number to its records" },
      said`Every rate counts score records; ${as("code", "records/")} in the run folder holds all of them, one JSON line each. A picture above lists the keys of its own. One score's life (its image, the exact question, the value, when it was asked) is told by`,
      { commands: [`touchstone run explain KEY --run ${runFolder}`] },
      "where the beginning of a key is enough if no other begins like it.",
    ],
  };
}

const tablesOf = ({ models, steps, records }: Provenance): Part[] => [
  {
    title: "Models",
    columns: [textColumn("model"), textColumn("asked by")],
    rows: models.map(({ name, steps: by }) => [code(name), by.join(", ")]),
    note: "By provider, name and revision; of a trained lab model the revision begins the SHA-256 of its weights, of the lab's painter it says how often a picture goes wrong, and in what. All of it goes into the keys of the records.",
  },
  {
    title: "Steps",
    columns: [textColumn("step"), textColumn("parameters")],
    rows: steps.map(({ name, parameters }) => [name, code(canonicalJson(parameters))]),
    note: "Of the run, with their parameters.",
  },
  {
    title: "Records",
    columns: [
      textColumn("type"),
      ...["with an answer", "left out", "unscored"].map((title) => countColumn(title)),
    ],
    rows: records.map(({ type, done, leftOut, unscored }) => [type, done, leftOut, unscored]),
    note: "What this page was made from. Left out is what does not apply, such as a prompt that can't be drawn; what else has no answer is unscored.",
  },
];

const sourceTable = (sources: Provenance["sources"]): ViewTable => ({
  title: "Sources",
  columns: [textColumn("source"), textColumn("SHA-256")],
  rows: sources.map(({ path, sha256 }) => [path, code(sha256)]),
  note: "What was read, by the SHA-256 of its content.",
});

const metricTable = (metrics: readonly EvaluatedMetric[]): ViewTable => ({
  title: "Metrics",
  columns: ["metric", "convention", "template", "statistic", "range", "better"].map((title) =>
    textColumn(title),
  ),
  rows: metrics.map(({ metric, version, model, baseUrl, convention, template, ...number }) => [
    said`${metric} ${as("small", `version ${version}`)}${as("under", placed({ model, baseUrl }))}`,
    convention ?? null,
    template === undefined ? null : code(template),
    number.statistic,
    `${number.range[0]} to ${number.range[1]}`,
    number.direction,
  ]),
  note: "As their score records describe them.",
});
