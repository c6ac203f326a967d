import { command } from "touchstone-t2i/internal/cli/command-line/command.js";
import { checkOut } from "touchstone-t2i/internal/cli/command-line/out-path.js";
import { shellWords } from "touchstone-t2i/internal/cli/command-line/shell-words.js";
import {
  fileWriter,
  plotArgument,
  plotWriter,
} from "touchstone-t2i/internal/cli/conclusions/conclusion-file.js";
import { conclusionText } from "touchstone-t2i/internal/cli/terminal/terminal-table.js";
import { outArgument } from "touchstone-t2i/internal/conclusions/table-options.js";
import { InputError } from "touchstone-t2i/internal/core/errors.js";
import { asJson } from "touchstone-t2i/internal/core/json.js";
import type { CellTable } from "touchstone-t2i/internal/tables/cell-table.js";
import { answerTimes } from "../../experiments/proto-score/answer-times.js";
import {
  type ProtoScoreComparison,
  protoScoreComparison,
} from "../../experiments/proto-score/comparison.js";
import {
  prejudiceText,
  readableProtoScore,
} from "../../experiments/proto-score/proto-score-text.js";

export default command({
  description:
    "Sets metrics that were trained against prototypicality beside their start: triplets, controls, " +
    "reversed conflicts, ordinary alignment and calibration, and prejudice against alignment as a picture. " +
    "With --lab the lab paints the test and its ProtoScore and variants score it, as " +
    "data/proto-score/lab.yaml says; what was scored stays in --run, so that it can be stopped and gone on with.",
  examples: [
    "touchstone lab experiment proto-score --lab --run lab-proto",
    "touchstone lab experiment proto-score --lab --run lab-proto --out proto-score.html --plot proto-score.png",
    "touchstone lab experiment proto-score --lab --run trial --seed 7 --prompts 40 --scenes 20",
  ],
  arguments: {
    lab: { kind: "switch", description: "use the lab's pictures and its ProtoScore" },
    run: {
      kind: "text",
      value: "DIR",
      description: "with --lab: the folder that stores its run and scores",
    },
    seed: {
      kind: "number",
      integer: true,
      minimum: 0,
      description: "the random seed of the test (default: as set up)",
    },
    prompts: {
      kind: "number",
      integer: true,
      minimum: 2,
      description: "prompts of the test, half of animals and half of objects (default: as set up)",
    },
    scenes: {
      kind: "number",
      integer: true,
      minimum: 2,
      description: "scenes of no benchmark (default: as set up)",
    },
    ...outArgument,
    ...plotArgument,
  },
  async run({ given, environment, output, words }) {
    const { lab, run, seed, prompts, scenes, out, plot } = given;
    if (!lab || run === undefined) {
      throw new InputError(
        `Expected --lab and --run DIR but received ${lab ? "no --run" : run === undefined ? "neither" : "no --lab"}`,
        { hint: "touchstone lab experiment proto-score --lab --run lab-proto" },
      );
    }
    const write = await fileWriter({ out, file: [] }, environment);
    const draw = await plotWriter({ out, plot, file: [] }, environment);
    await checkOut(plot, { ...environment, inputs: [], flag: "plot" });
    const { changedSince, loadProtoScoreDesign } = await import("./proto-score-design.js");
    const { labProtoScore } = await import("./lab-proto-score.js");
    const set = loadProtoScoreDesign();
    const half = prompts === undefined ? undefined : Math.floor(prompts / 2);
    const design = {
      ...set,
      test: {
        seed: seed ?? set.test.seed,
        scenes: scenes ?? set.test.scenes,
        prompts: half === undefined ? set.test.prompts : { animals: half, objects: half },
      },
    };
    const again = words({ out: undefined, plot: undefined });
    const where = { run, command: again, environment, output };
    const { answers, timed } = await labProtoScore(design, where);
    output.progress("Drawing conclusions …");
    const comparison = protoScoreComparison(answers);
    const times = answerTimes(timed);
    const warnings = changedSince(set).map(
      (file) =>
        `data/prototypicality/${file} has changed since the weights were trained: they may have seen sentences of this test.`,
    );
    const readable = readableProtoScore(comparison, { seed: design.test.seed, times, warnings });
    const { test, shown, splitSeed } = design;
    const json = asJson({
      design: { test, shown, splitSeed },
      ...comparison,
      times,
      warnings,
      verdict: readable.verdict,
    });
    const figure = async () => {
      const { prejudiceFigure } = await import("../../experiments/proto-score/prejudice-plot.js");
      return prejudiceFigure(comparison);
    };
    const made = shellWords(["touchstone", ...again]);
    await write({
      json: () => json,
      view: readable,
      command: made,
      table: () => protoScoreRows(comparison),
      async page() {
        const { conclusionPage } = await import(
          "touchstone-t2i/internal/report/pages/conclusion-page.js"
        );
        const title = "Trained against prototypicality: the lab";
        const shown = { title, command: made, figure: await figure(), isFromLab: true };
        return conclusionPage(readable, shown);
      },
    });
    await draw(figure, output);
    output.resultJson(json);
    output.result(
      [conclusionText(readable, output), prejudiceText(comparison, output.style.width)].join(
        "\n\n",
      ),
    );
    if (out !== undefined) output.note(`Wrote ${out}`);
    output.nextCommand(
      words({
        plot: undefined,
        ...(out === undefined ? { out: "proto-score.html" } : { out: undefined, json: true }),
      }),
    );
  },
});

const measures = [
  "triplets",
  "controls",
  "reversed",
  "prejudice",
  "alignment",
  "calibrationError",
] as const;

/** A row for each metric and measure; unrounded. */
const protoScoreRows = ({ methods }: ProtoScoreComparison): CellTable => ({
  columns: ["metric", "trainedBy", "measure", "n", "unscored", "value", "low", "high", "reason"],
  rows: methods.flatMap((method) =>
    measures.map((measure) => {
      const { n, unscored, value } = method[measure];
      const found = [value.value, value.low, value.high, value.reason ?? null];
      return [method.name, method.says, measure, n, unscored, ...found];
    }),
  ),
});
