import { append } from "../../../core/append.js";
import { InputError } from "../../../core/errors.js";
import { asJson } from "../../../core/json.js";
import type { AnswerRow } from "../../../experiments/ensemble/answers.js";
import {
  type GroupingConclusion,
  type GroupingDesign,
  groupingWorth,
} from "../../../experiments/ensemble/grouping-worth.js";
import { command } from "../../command-line/command.js";
import { answersOrLab, answersOrLabArguments } from "./answers-of.js";
import { loadGroupingDesign } from "./grouping-design.js";
import { groupingText } from "./grouping-text.js";

export default command({
  description:
    "Asks whether it is the grouping or the regularisation that helps when prompts are weighed by " +
    "kinds of images. Number of groups, temperature, objective and lambda are chosen by leave-one-out " +
    "likelihood for every arm: one group, groups of images, the same groups dealt at random (placebo), " +
    "and, where a column kind says what a pair truly shows, groups by the truth. " +
    "data/ensemble/lab-grouping.yaml sets it up. FILE is a table of answers as for experiment ensemble.",
  examples: [
    "touchstone experiment grouping answers.jsonl",
    "touchstone experiment grouping --lab --run lab-grouping --seed 1234",
  ],
  arguments: {
    ...answersOrLabArguments,
    seed: { kind: "number", integer: true, minimum: 0, default: 0, description: "the random seed" },
    pairs: {
      kind: "number",
      integer: true,
      minimum: 100,
      description: "with --lab: try N pairs of each world; another experiment than the one set up",
    },
  },
  async run({ given, environment, output, words }) {
    const { run, seed, pairs } = given;
    const { read } = await answersOrLab("grouping", given, environment);
    const set = loadGroupingDesign(seed);
    const design = {
      ...set,
      worlds: Object.fromEntries(
        Object.entries(set.worlds).map(([name, world]) => [
          name,
          { ...world, pairs: pairs ?? world.pairs },
        ]),
      ),
    };
    const rows =
      run === undefined
        ? await read()
        : await labRows(design, { run, command: words(), environment, output });
    const names = [...new Set(rows.map(({ world }) => world ?? "all"))];
    const worlds = new Map<string, GroupingConclusion>();
    for (const name of names) {
      output.progress(`Fitting and judging: ${name}`);
      const own = rows.filter(({ world }) => (world ?? "all") === name);
      const fits = fitting(own, design);
      worlds.set(name, groupingWorth(own, fits));
    }
    output.resultJson(asJson({ design, worlds: Object.fromEntries(worlds) }));
    output.result(groupingText(worlds, output.style.width));
    output.nextCommand(words({ json: true }));
  },
});

/** The design as far as a table goes. @throws InputError where it has too little. */
function fitting(rows: readonly AnswerRow[], design: GroupingDesign): GroupingDesign {
  const width = rows[0]?.probabilities.length ?? 0;
  const pool = Math.floor(design.poolShare * rows.filter(({ label }) => label !== null).length);
  const embedded = rows.every(({ embedding }) => embedding !== null);
  const labels = design.labels.filter((count) => count <= pool);
  if (width < 2 || labels.length === 0 || !embedded) {
    throw new InputError(
      `Expected two prompts or more, an embedding in every row and ${design.labels[0] ?? 1} pairs to fit on but ` +
        `received ${width} prompts, ${embedded ? "embeddings" : "rows without one"} and ${pool} pairs`,
      {
        hint: "touchstone calibrate LABELS --embedder MODEL --answers-out FILE writes such a table",
      },
    );
  }
  const { count, draws } = design.prompts;
  const isAll = width <= count;
  return {
    ...design,
    labels,
    // With no more prompts than a draw takes, all draws are one.
    prompts: { count: Math.min(count, width), draws: isAll ? 1 : draws },
    labelDraws: isAll ? design.labelDraws * draws : design.labelDraws,
  };
}

async function labRows(
  design: ReturnType<typeof loadGroupingDesign>,
  where: Parameters<typeof import("./lab-judging.js").labJudging>[0] extends infer Given
    ? Omit<Given, "drawn">
    : never,
): Promise<readonly AnswerRow[]> {
  const [{ labAnswers }, { keepAnswers, labJudging }] = await Promise.all([
    import("./lab-answers.js"),
    import("./lab-judging.js"),
  ]);
  const { pool: count } = design.prompts;
  const judging = labJudging({ drawn: { count, seed: design.seed }, ...where });
  const rows: AnswerRow[] = [];
  for (const world of Object.keys(design.worlds)) {
    const answers = await labAnswers(world, { design, ...judging });
    append(
      rows,
      answers.rows.map((row, at) => ({ ...row, kind: answers.kinds[at] })),
    );
  }
  await keepAnswers(rows, judging);
  return rows;
}
