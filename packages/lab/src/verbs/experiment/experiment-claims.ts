import { command } from "touchstone-t2i/internal/cli/command-line/command.js";
import { shellWords } from "touchstone-t2i/internal/cli/command-line/shell-words.js";
import { fileWriter } from "touchstone-t2i/internal/cli/conclusions/conclusion-file.js";
import { conclusionText } from "touchstone-t2i/internal/cli/terminal/terminal-table.js";
import { outArgument, tableName } from "touchstone-t2i/internal/conclusions/table-options.js";
import { append } from "touchstone-t2i/internal/core/arrays.js";
import { asJson } from "touchstone-t2i/internal/core/json.js";
import type { CellTable } from "touchstone-t2i/internal/tables/cell-table.js";
import { type AnswerRow, experimentAnswers } from "../../experiments/ensemble/answers.js";
import {
  type EnsembleFinding,
  ensembleFindings,
  loadEnsembleClaims,
} from "../../experiments/ensemble/claims.js";
import type { WorldGroups } from "../../experiments/ensemble/claims-page.js";
import { readableClaims, type TriedClaims } from "../../experiments/ensemble/claims-text.js";
import { heldOut } from "../../experiments/ensemble/held-out.js";
import { imageGroups } from "../../experiments/ensemble/image-groups.js";
import { answersOrLab, answersOrLabArguments } from "./answers-of.js";
import type { LabJudging } from "./judge-lab-pairs.js";
import { type LabDesign, loadLabDesign } from "./lab-answers.js";

export default command({
  description:
    "Tests the claims of the paper on multimodal Bayesian prompt ensembles (MMB) on held-out " +
    "pairs: every method and objective, K of 1 and 16, with paired intervals and tests " +
    "adjusted over all claims; each claim holds, fails or is undecided. " +
    "data/ensemble/lab-experiment.yaml sets it up. With --lab the lab draws, paints and " +
    "judges its pairs first; else FILE is a table of answers as for lab experiment ensemble, " +
    "with an optional column world, each tested alone.",
  examples: [
    "touchstone lab experiment claims answers.jsonl --out claims.html",
    "touchstone lab experiment claims --from judge-answers",
    "touchstone lab experiment claims --lab --run lab-claims --out claims.html",
  ],
  arguments: {
    ...answersOrLabArguments,
    pairs: {
      kind: "number",
      integer: true,
      minimum: 100,
      description: "with --lab: try N pairs of each world, with other seeds",
    },
    resamples: {
      kind: "number",
      integer: true,
      minimum: 100,
      description: "resamples of captions and label seeds (default: as set up)",
    },
    ...outArgument,
  },
  async run({ given, environment, output, words }) {
    const { lab, run } = given;
    const { table, read } = await answersOrLab("claims", given, environment);
    const write = await fileWriter(table, environment);
    const set = loadLabDesign();
    const design = {
      ...(given.pairs === undefined ? set : trialOf(set, given.pairs)),
      resamples: given.resamples ?? set.resamples,
    };
    const {
      rows,
      worlds: lookAt,
      models,
      said,
    } = run === undefined
      ? {
          rows: await read(),
          worlds: [],
          models: undefined,
          said: "",
        }
      : await labRows(design, { run, command: words({ out: undefined }), environment, output });

    const names = [...new Set(rows.map(({ world }) => world ?? "all"))];
    const ofWorld = (name: string) => rows.filter(({ world }) => (world ?? "all") === name);
    const answersOf = (name: string) =>
      experimentAnswers(ofWorld(name), {
        seed: design.seed,
        testShare: 1 - design.poolShare,
      });
    const worlds = new Map(
      names.map((name) => {
        output.progress(`Fitting and judging: ${name}`);
        return [name, heldOut(answersOf(name), design)] as const;
      }),
    );
    const claims = loadEnsembleClaims();
    const findings = ensembleFindings(claims, worlds, design);
    const tried: TriedClaims = { ...design, worlds, findings, paper: claims.paper };
    const told = readableClaims(tried);
    const readable = { ...told, method: told.method + said };
    const again = shellWords(["touchstone", ...words({ out: undefined })]);
    const json = asJson({
      design,
      ...(models === undefined ? {} : { models }),
      worlds: Object.fromEntries(worlds),
      findings,
      verdict: readable.verdict,
    });
    await write({
      json: () => json,
      view: readable,
      command: again,
      table: () => claimsRows(findings),
      async page() {
        const { claimsPage } = await import("../../experiments/ensemble/claims-page.js");
        const title = `Claims about ensembles of prompts: ${lab ? "the lab" : (given.from ?? tableName(table))}`;
        const groups = lookAt.flatMap(({ world, ...shown }) => {
          const found = imageGroups(ofWorld(world), answersOf(world), design);
          return found === undefined ? [] : [{ world, groups: found, ...shown }];
        });
        return claimsPage(readable, tried, { title, command: again, fromLab: lab, groups });
      },
    });
    output.resultJson(json);
    output.result(conclusionText(readable, output));
    if (given.out !== undefined) output.note(`Wrote ${given.out}`);
    output.nextCommand(
      words(given.out === undefined ? { out: "claims.html" } : { out: undefined, json: true }),
    );
  },
});

/** A trial must not look at the pairs that are held out: it draws others. */
const trialOf = (design: LabDesign, pairs: number): LabDesign => ({
  ...design,
  worlds: Object.fromEntries(
    Object.entries(design.worlds).map(([name, world]) => [
      name,
      { ...world, pairs, seed: world.seed + 1_000_000 },
    ]),
  ),
});

async function labRows(
  design: LabDesign,
  where: Pick<LabJudging, "run" | "command" | "environment" | "output">,
): Promise<{
  readonly rows: readonly AnswerRow[];
  readonly worlds: readonly Omit<WorldGroups, "groups">[];
  readonly models: Readonly<Record<"judge" | "embedder", string>>;
  readonly said: string;
}> {
  const [{ labAnswers }, { askedModels, askedText, keepAnswers, labJudging }] = await Promise.all([
    import("./lab-answers.js"),
    import("./lab-judging.js"),
  ]);
  const judging = labJudging({ drawn: design.prompts, ...where });
  const { prompts } = judging;
  const rows: AnswerRow[] = [];
  const worlds: Omit<WorldGroups, "groups">[] = [];
  for (const world of Object.keys(design.worlds)) {
    const answers = await labAnswers(world, { design, ...judging });
    append(rows, answers.rows);
    worlds.push({ world, prompts, shown: answers.shown });
  }
  await keepAnswers(rows, judging);
  const models = askedModels(judging);
  return { rows, worlds, models, said: askedText(models) };
}

/** A row for each claim, world and objective; unrounded. */
function claimsRows(findings: readonly EnsembleFinding[]): CellTable {
  const columns = [
    ...(["world", "statement", "source", "measured", "objective"] as const),
    ...(["expected", "threshold", "outcome", "n", "pAdjusted"] as const),
  ];
  return {
    columns: [...columns, "difference", "low", "high", "reason"],
    rows: findings.map((finding) => [
      ...columns.map((column) => finding[column]),
      ...[finding.estimate.value, finding.estimate.low, finding.estimate.high],
      finding.reason ?? null,
    ]),
  };
}
