import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { listText } from "../../../core/phrases.js";
import { shellWord } from "../../../core/shell-word.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { outsideProblem } from "../../../files/outside.js";
import { rowsWriter } from "../../../files/rows-file.js";
import { promiseWords } from "../../../judges/promise-words.js";
import { loadPromptPool, promptPoolNames } from "../../../judges/read-prompt-pool.js";
import { sessionPassages, sessionTable } from "../../../studies/coding/passages.js";
import type { BlockSettings } from "../../../studies/config/study-config.js";
import { localizersShown } from "../../../studies/protocols/localized.js";
import {
  type AnswerTable,
  type TableName,
  tableNames,
} from "../../../studies/protocols/protocol.js";
import { hasLevels, protocolOf } from "../../../studies/protocols/protocols.js";
import { participantQuality } from "../../../studies/quality/participant-quality.js";
import type { StudyBlock } from "../../../studies/study.js";
import { scaleOf } from "../../../studies/study-status.js";
import { collect, collectedChoices } from "../../../studies/tables/counted-answers.js";
import {
  exportTable,
  hasTable,
  isWhole,
  undecidedItems,
  wholeTable,
  wholeTableNames,
} from "../../../studies/tables/export-table.js";
import { pluralText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";
import type { Environment } from "../../environment.js";
import { withOwnModel } from "../../models/own-model.js";
import { ratingsOf } from "../calibrate/judge-asking.js";
import { readJudge } from "../judge/saved-judge.js";
import { checkExportFlags, exportLabelStudio } from "./export-label-studio.js";
import { studyArguments, studyAt } from "./study-argument.js";

export default command({
  description:
    "Writes the answers of a study as a table that a verb reads: agreement, contrastive, " +
    "correlation, attributes, stereotypes and preferences for analyze, calibrate, compare; labels, " +
    "as experts save them, for study page --collect. Of several answers to one item by one person " +
    "the latest counts; gold items, repeats and skipped items are left out. The table all has " +
    "every answer with every column, and participants a row for each person, for R and others. " +
    "Outside ids are in no table. --label-studio writes projects of Label Studio instead: what it " +
    "collects comes back by study import.",
  examples: [
    "touchstone study export studies/first --table agreement --out agreement.csv",
    "touchstone study export studies/first --table contrastive --out people.csv --without-excluded",
    "touchstone study export studies/first --table all --out answers.csv",
    "touchstone study export studies/first --label-studio labelling",
  ],
  arguments: {
    ...studyArguments,
    table: {
      kind: "choice",
      choices: [...tableNames, "notes", ...wholeTableNames],
      description:
        "for which verb; notes: what facilitators noted and transcripts say; all and participants " +
        "for other programs (default: all)",
    },
    out: { kind: "text", value: "FILE", description: "a .csv, .jsonl or .parquet file" },
    block: { kind: "text", value: "NAME", description: "the block, where several have this table" },
    "without-excluded": {
      kind: "switch",
      description: "leave out participants whom a rule of the study's file excludes",
    },
    collected: {
      kind: "choice",
      choices: collectedChoices,
      default: "served",
      description: "answers of participants here, of those that study import took over, or both",
    },
    "label-studio": {
      kind: "text",
      value: "DIR",
      description: "a folder for projects of Label Studio, one a block: configuration and tasks",
    },
    images: {
      kind: "text",
      value: "PREFIX",
      description:
        "with --label-studio: images as files in DIR/images, and this before their names in the " +
        "tasks (https://host/images/); else tasks hold the images",
    },
  },
  async run({ given, environment, output, words }) {
    const { workingDirectory } = environment;
    checkExportFlags(given);
    const { table = "all", out, collected } = given;
    const write = out === undefined ? undefined : rowsWriter(out);
    const home = await studyAt(given.study, environment);
    const { state, answers, others } = await collect(home, { collected });
    const excluded = participantQuality(home.study, answers)
      .filter(({ excludedBy }) => excludedBy.length > 0)
      .map(({ participant }) => participant);
    const without = new Set(given["without-excluded"] ? excluded : []);
    if (given["label-studio"] !== undefined) {
      await exportLabelStudio(home, {
        answers: answers.filter(({ participant }) => !without.has(participant)),
        folder: given["label-studio"],
        images: given.images,
        block: given.block,
        workingDirectory,
        output,
        name: given.study,
      });
      return;
    }
    if (out === undefined || write === undefined) return;
    const rows =
      table === "notes"
        ? sessionTable(
            sessionPassages(home, state).filter(({ participant }) => !without.has(participant)),
          )
        : isWhole(table)
          ? wholeTable(home.study, { table, state, collected, block: given.block, without })
          : exportTable(home.study, { answers, table, block: given.block, without });
    if (rows.length === 0) {
      throw new InputError(`Expected answers in ${given.study} but it has none for ${table} yet`, {
        hint:
          others > 0 && collected !== "all"
            ? `There are answers that were collected otherwise: --collected ${collected === "served" ? "elsewhere" : "served"}`
            : `See where it stands: touchstone study status ${given.study}`,
      });
    }
    await writeFileAtomically(resolve(workingDirectory, out), await write(rows));
    const undecided =
      table === "notes" || isWhole(table)
        ? 0
        : undecidedItems(home.study, { answers, table, block: given.block, without });
    // Excluded people stay in the table; a second one, beside it, is without them.
    const kept =
      excluded.length === 0 || given["without-excluded"] || table === "notes" || isWhole(table)
        ? []
        : exportTable(home.study, {
            answers,
            table,
            block: given.block,
            without: new Set(excluded),
          });
    const hasBoth = kept.length > 0;
    const besideIt = out.replace(/(?=\.\w+$)/, "-without-excluded");
    if (hasBoth) await writeFileAtomically(resolve(workingDirectory, besideIt), await write(kept));
    output.resultJson({
      table,
      rows: rows.length,
      out,
      excluded,
      undecided,
      ...(hasBoth && { withoutExcluded: { rows: kept.length, out: besideIt } }),
    });
    output.result(`Wrote ${pluralText(rows.length, "row")} for ${table} to ${out}.`);
    if (undecided > 0) {
      output.note(
        `Left out: ${pluralText(undecided, "question")} without a majority (as many yes as no).`,
      );
    }
    if (table === "correlation" || table === "attributes") {
      const localizers = new Set(
        home.study.blocks.flatMap(({ items, settings }) => [...localizersShown(items, settings)]),
      );
      if (localizers.size > 0) {
        output.note(
          `People were shown what ${listText([...localizers])} found: their answers are no reference for a metric that uses it.`,
        );
      }
    }
    if (excluded.length > 0 && !given["without-excluded"]) {
      const breaking = excluded.length === 1 ? "participant breaks" : "participants break";
      output.note(
        `${excluded.length} ${breaking} a rule of exclusion` +
          (hasBoth
            ? `; without them it is ${besideIt} (${pluralText(kept.length, "row")}). Report both.`
            : "."),
      );
    }
    if (others > 0 && collected === "served") {
      output.note(
        `Left out what was collected elsewhere: ${pluralText(others, "answer")} (--collected all).`,
      );
    }
    if (table === "notes") {
      output.nextCommand(["study", "code", given.study, "--out", "passages.csv"]);
      return;
    }
    if (isWhole(table)) {
      const [other = table] = wholeTableNames.filter((name) => name !== table);
      output.nextCommand(words({ table: other, out: out.replace(/[^/]*(?=\.\w+$)/, other) }));
      return;
    }
    if (table === "correlation" && metricsIn(rows).length === 0) {
      output.note(
        rows.every((row) => "image" in row && "human" in row)
          ? `To compare a metric with people: touchstone score ${shellWord(out)} --metric NAME --out scores.csv, then touchstone analyze correlation scores.csv`
          : "To compare metrics with people, add a column for each; then touchstone analyze correlation",
      );
      output.nextCommand(
        words({ table: "agreement", out: out.replace(/[^/]*(?=\.\w+$)/, "agreement") }),
      );
      return;
    }
    const block =
      home.study.blocks.find(({ name }) => name === given.block) ??
      home.study.blocks.find((one) => hasTable(one, table));
    const scale = block === undefined ? "nominal" : scaleOf(block);
    const next =
      table === "calibrate" && block !== undefined
        ? await calibrateWords(block, { out, environment })
        : nextWords(table, { out, scale, rows });
    if (next === undefined) {
      output.note(
        `${block?.judge} made the queue, but it, or the table of labels that it was made of, isn't there: ` +
          `repeat the calibrate command that made it, with --add ${out}.`,
      );
      output.nextCommand(["study", "status", given.study]);
      return;
    }
    const concludes = next[0] === "analyze" || next[0] === "compare";
    output.nextCommand([
      ...next,
      ...(hasBoth && concludes ? ["--without-excluded", besideIt] : []),
    ]);
  },
});

/** Columns of a table for `analyze correlation` that are no metric's. */
const notMetrics = ["id", "pair", "human", "ratings", "tp", "fp", "tn", "fn"];

/** The other columns that hold numbers alone: taken for scores of metrics. */
const metricsIn = (rows: AnswerTable): readonly string[] =>
  Object.keys(rows[0] ?? {}).filter(
    (column) =>
      !notMetrics.includes(column) &&
      rows.every(
        (row) => String(row[column] ?? "").trim() !== "" && Number.isFinite(Number(row[column])),
      ),
  );

function nextWords(
  table: TableName,
  {
    out,
    scale,
    rows,
  }: { readonly out: string; readonly scale: string; readonly rows: AnswerTable },
): readonly string[] {
  switch (table) {
    case "agreement":
      return ["analyze", "agreement", out, "--scale", scale];
    case "correlation":
      return [
        ...["analyze", "correlation", out, "--metrics", metricsIn(rows).join(",")],
        ...(rows[0] !== undefined && "human" in rows[0]
          ? ["--human", "human"]
          : ["--human-counts", "tp,fp,fn", "--groups", `${Math.min(25, rows.length)}`]),
      ];
    case "compare":
      return ["compare", out];
    case "stereotypes": {
      const experts = Object.keys(rows[0] ?? {}).filter((column) => column.startsWith("p-"));
      const several = experts.length === 0 ? [] : ["--experts", experts.join(",")];
      return ["analyze", "stereotypes", out, ...several];
    }
    case "labels":
      return ["study", "page", "--audit", "runs/audit", "--collect", out, "--out", "labelled.csv"];
    default:
      return ["analyze", table, out];
  }
}

/**
 * Returns the calibrate command that takes these answers: of a new judge, or, where the study came from a
 * judge's queue, of that judge again. Undefined where that judge or its table of labels is gone.
 */
async function calibrateWords(
  { judge: file, items, settings }: StudyBlock,
  { out, environment }: { readonly out: string; readonly environment: Environment },
): Promise<readonly string[] | undefined> {
  if (file === undefined) {
    return withOwnModel(["calibrate", out, ...poolWords(settings)], environment);
  }
  const { workingDirectory } = environment;
  const found = await readJudge(file, environment).catch(() => undefined);
  const labels = resolve(workingDirectory, found?.command[0] ?? "");
  if (found === undefined || !existsSync(labels)) return undefined;
  const folders = [dirname(labels), dirname(resolve(workingDirectory, out))];
  const places = items.flatMap(({ sources }) => sources);
  const outside = await Promise.all(places.map((place) => outsideProblem(place, folders)));
  const isOutside = outside.some((problem) => problem !== undefined);
  const shown = relative(workingDirectory, file);
  return [
    ...["calibrate", ...found.command, ...promiseWords(found.certification)],
    ...["--add", out, "--out", shown.startsWith("..") ? file : shown],
    ...(isOutside && !found.command.includes("--allow-outside") ? ["--allow-outside"] : []),
  ];
}

/** The pool that asks for ratings on the scale that people used, where it isn't the usual one. */
function poolWords(settings: BlockSettings): readonly string[] {
  if (!hasLevels(settings.protocol)) return [];
  const [lowest, highest] = protocolOf(settings.protocol).asMetric?.range(settings) ?? [];
  const pool = promptPoolNames.find((name) => ratingsOf(loadPromptPool(name)) === highest);
  return lowest !== 1 || pool === undefined || pool === "ordinal" ? [] : ["--pool", pool];
}
