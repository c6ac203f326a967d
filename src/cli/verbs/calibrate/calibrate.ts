import { extname, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { taskTables } from "../../../core/judging-tables.js";
import { judgingTasks } from "../../../core/judging-task.js";
import { objectives } from "../../../ensembles/weight-problem.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { openDocuments, storePlace } from "../../../files/open-store.js";
import { calibratingJudge, splitOf } from "../../../judges/calibrate-judge.js";
import { judgeHash, sealedJudge } from "../../../judges/judge-artefact.js";
import { promiseWords } from "../../../judges/promise-words.js";
import { certificateText } from "../../../report/text/certificate-text.js";
import { outsideArguments } from "../../command-line/allow-outside.js";
import { command } from "../../command-line/command.js";
import { checkOut } from "../../command-line/out-path.js";
import { shellWords } from "../../command-line/shell-words.js";
import { storeArgument, storedWords } from "../../command-line/store-argument.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import { hostingFor } from "../../models/hosting.js";
import { collect } from "../run/collect.js";
import { limitArguments, limitsOf, withoutLimits } from "../run/limits.js";
import { nothingScored } from "../score/nothing-scored.js";
import { answersOfRun } from "./answers-of-run.js";
import { answersName, answersTable } from "./answers-table.js";
import { optionsOf } from "./calibrate-options.js";
import { calibrationText } from "./calibration-text.js";
import { chooseEmbedder, chooseJudge } from "./choose-judge.js";
import { embedItems } from "./embed-items.js";
import { itemsOfRun } from "./items-of-run.js";
import {
  askingOf,
  checkPromptFlags,
  kindOf,
  poolFor,
  promptsFor,
  ratingsOf,
  tasksByKind,
  wayOf,
} from "./judge-asking.js";
import { checkOnce, type LabelledItem, openLabels } from "./judged-table.js";
import { labelWarnings } from "./label-warnings.js";
import { resumable, shownWork } from "./long-work.js";
import { openItems } from "./open-items.js";
import type { ItemSource } from "./opened-table.js";
import { judgeToSave } from "./saved-judge.js";
import { scaleWarnings } from "./scale-warnings.js";

export default command({
  description:
    "Fits a judge to labels and certifies when it may be trusted. A model answers many " +
    "equivalent prompts; labels from people weigh the prompts, for each group of images; " +
    "held-out labels set the confidence threshold above which the judge answers alone. The " +
    "columns of LABELS (JSONL, CSV, Parquet) say what is judged. Pairs: id, caption (or " +
    "prompt, or text), image_a, image_b and preferred: a, b or tie. Yes-or-no questions: " +
    "image, question and answer: yes or no. Ratings: image, text (or caption, or prompt) and " +
    "rating: 1 to 5, or the pool's scale (--pool ordinal-4: 1 to 4). A rating is wrong if " +
    "the most probable one differs from people's, with --within 1 if by more than 1. Answers " +
    "are saved beside the judge, so a stopped calibration continues and asks nothing twice.",
  examples: [
    "touchstone calibrate labels.csv --model openai-compatible:gpt-4o-mini --embedder transformers-js:Xenova/clip-vit-base-patch16 --out judge.json",
    "touchstone calibrate labels.csv --model openai-compatible:gpt-4o-mini --add review.jsonl --out judge.json",
    "touchstone calibrate ratings.csv --task rating --within 1 --model openai-compatible:gpt-4o-mini --out rater.json",
  ],
  arguments: {
    labels: {
      kind: "positional",
      description: "the table of labels (a file)",
    },
    model: { kind: "text", value: "PROVIDER:MODEL", description: "the model that judges" },
    out: {
      kind: "text",
      value: "FILE.json",
      default: "judge.json",
      description: "the file to save the judge to",
    },
    task: {
      kind: "choice",
      choices: judgingTasks,
      also: tasksByKind,
      description:
        "what the labels are about; default: by their columns. The names of pools work too: " +
        "pairwise, ordinal",
    },
    pool: {
      kind: "text",
      value: "NAME|FILE",
      description:
        "the pool of prompts: pairwise (which image fits the caption), pairwise-quality (which image is " +
        "better), yes-no, ordinal (1 to 5), ordinal-4 (1 to 4), or a file of your own",
    },
    within: {
      kind: "number",
      integer: true,
      minimum: 0,
      maximum: 8,
      description: "for ratings: the error that still counts as right; default 0",
    },
    prompts: {
      kind: "number",
      integer: true,
      minimum: 1,
      description: "the number of prompts to ask; default 20",
    },
    embedder: {
      kind: "text",
      value: "PROVIDER:MODEL",
      description:
        "the model that embeds images to group them; column: the table's columns embedding, or " +
        "embedding_a and embedding_b; without it there is one group",
    },
    clusters: { kind: "text", value: "N|auto", default: "auto", description: "groups of images" },
    temperature: {
      kind: "number",
      description: "the temperature of group membership; default: chosen",
    },
    objective: {
      kind: "choice",
      choices: [...objectives, "auto"],
      default: "auto",
      description: "the objective that weights are fitted by",
    },
    lambda: { kind: "number", description: "the weight of the entropy; default: chosen" },
    "target-error": {
      kind: "number",
      default: 0.05,
      description: "the highest acceptable share of wrong answers among those it gives alone",
    },
    confidence: { kind: "number", default: 0.95, description: "how certain that bound is" },
    certify: {
      kind: "choice",
      choices: ["split", "cross-fitted"],
      default: "split",
      description:
        "split: some labels fit the weights, others set the threshold (exact); cross-fitted: all " +
        "do both (approximate)",
    },
    "fit-labels": {
      kind: "number",
      integer: true,
      minimum: 1,
      description: "the number of labels that fit weights; default: a quarter, at most 50",
    },
    "every-label": {
      kind: "switch",
      description:
        "use every label of a caption or text (for questions: of an image) to set the threshold; " +
        "exact only if they are independent",
    },
    ties: { kind: "switch", description: "for pairs: let the model answer tie, which counts half" },
    samples: {
      kind: "number",
      integer: true,
      minimum: 2,
      description: "for a model without log-probabilities: ask each prompt N times",
    },
    images: {
      kind: "text",
      value: "DIR",
      description: "the folder of the images; default: the table's folder",
    },
    ...outsideArguments,
    map: {
      kind: "text",
      repeated: true,
      value: "NAME=COLUMN",
      description: "read NAME from another column: caption=prompt_text",
    },
    run: {
      kind: "text",
      value: "DIR",
      description: "the folder that stores answers; default: beside the judge",
    },
    seed: { kind: "number", integer: true, minimum: 0, default: 0, description: "the random seed" },
    "answers-out": {
      kind: "text",
      value: "FILE.jsonl",
      description:
        "also write what each prompt answered, with embeddings, as experiment and analyze ensemble read " +
        "it; pairs labelled tie are then asked about as well",
    },
    add: {
      kind: "text",
      value: "FILE",
      repeated: true,
      description:
        "add answers from review; they fit weights but never set the threshold. A review file " +
        "from judge names its own images and columns",
    },
    "no-cache": {
      kind: "switch",
      description: "ask hosted models again instead of using cached answers",
    },
    ...limitArguments,
    ...storeArgument,
  },
  async run({ given, environment, output, words }) {
    const { workingDirectory } = environment;
    const options = optionsOf(given);
    const fitted = words(notFitting);
    const modelText = given.model;
    if (modelText === undefined) {
      throw new InputError("Expected --model, the model that judges, but received none", {
        hint: "Such as --model openai-compatible:gpt-4o-mini, or a name of touchstone.config.yaml",
      });
    }
    if (extname(given.out).toLowerCase() !== ".json") {
      throw new InputError(`Expected a .json file for --out but received "${given.out}"`);
    }
    checkFiles(given);
    await checkOut(given.out, { inputs: [given.labels, ...given.add], workingDirectory });
    const { settings } = await loadConfiguration(environment);
    const hosting = hostingFor(environment, {
      settings: settings.cache,
      useCache: !given["no-cache"],
      maxCost: given["max-cost"],
      tell: output.note,
    });
    const choosing = { configured: settings.models, hosting };
    const tables = {
      map: given.map,
      images: given.images,
      environment,
      allowOutside: given["allow-outside"],
    };
    const labels = await openLabels(
      { ...tables, file: given.labels },
      { task: given.task, isReviewed: false },
    );
    const { task } = labels;
    const pool = await poolFor(task, given.pool, environment);
    const ratings = ratingsOf(pool);
    checkTaskFlags(given, task, ratings);
    const { model, callsAtOnce, judgesPhotographs, load } = await chooseJudge(modelText, choosing);
    const asked = {
      task,
      scale: ratings === undefined ? null : { ratings, within: given.within ?? 0 },
      way: wayOf(model, given.samples),
      trials: given.samples ?? 1,
      ties: given.ties,
    };
    const asking = askingOf(model, asked);
    checkPromptFlags(model, given);
    const items = await allLabels(await labels.read(ratings), { task, ratings }, given.add, {
      ...tables,
      besides: given.labels,
    });
    const ofScale = scaleWarnings(ratings, items);
    for (const warning of ofScale) output.warn(warning);
    const used = items.filter(({ label }) => label !== null);
    if (used.length === 0) {
      throw new InputError(`Expected labels that prefer an image but all ${items.length} say tie`);
    }
    const idle = new Set(splitOf(used, options).idle);
    const answersOut = checkedAnswersOut(given["answers-out"], task);
    await checkOut(answersOut, { inputs: [given.labels, ...given.add], workingDirectory });
    // Of ties nothing is fitted; an experiment asks how sure a judge is of them.
    const ties = answersOut === undefined ? [] : items.filter(({ label }) => label === null);
    const inUse = [...used.filter((_, at) => !idle.has(at)), ...ties];
    const hashes = await openItems(items, { environment, output });
    await load();
    const kind = kindOf(asked);
    const embedder =
      given.embedder === undefined ? undefined : await chooseEmbedder(given.embedder, choosing);
    const prompts = promptsFor(model, pool, { count: given.prompts ?? 20, seed: given.seed });
    const run = given.run ?? `${given.out.slice(0, -extname(given.out).length)}-answers`;
    const { store, summaries } = await collect(
      (opened) => [asking.step(prompts, itemsOfRun(inUse, { store: opened, hashes }))],
      {
        run,
        command: [
          ...fitted,
          ...promiseWords(options),
          ...["--out", given.out, "--run", run],
          ...(answersOut === undefined ? [] : ["--answers-out", answersOut]),
        ],
        seed: given.seed,
        models: [modelText],
        limits: limitsOf(given),
        meter: hosting.meter,
        ...(callsAtOnce === undefined ? {} : { callsAtOnce }),
        environment,
        output,
      },
    );
    if (summaries.every(({ done }) => done === 0)) {
      throw nothingScored(
        summaries.map(({ unscored }) => unscored),
        { judgesPhotographs },
      );
    }

    const goOn = shellWords(storedWords(["touchstone", "run", "resume", run], environment));
    const interruptible = { signal: environment.signal, goOn };
    const answers = await answersOfRun(store, used, {
      asking,
      prompts,
      hashes,
      idle,
      width: kind.width,
    });
    const embedded = (some: readonly LabelledItem[], without: ReadonlySet<number>) =>
      embedder === undefined
        ? undefined
        : resumable(
            () => embedItems(embedder.model, some, { idle: without, environment, output }),
            { ...interruptible, doing: "images were embedded" },
          );
    const embeddings = await embedded(used, idle);
    if (kind.width === 1) {
      const none: ReadonlySet<number> = new Set();
      const ofTies = await answersOfRun(store, ties, {
        asking,
        prompts,
        hashes,
        width: kind.width,
        idle: none,
      });
      const table = answersTable(
        [
          { items: used, answers: answers.table, embeddings, idle },
          {
            items: ties,
            answers: ofTies.table,
            embeddings: ties.length === 0 ? undefined : await embedded(ties, none),
            idle: none,
          },
        ],
        prompts.length,
      );
      await openDocuments(storePlace(run, environment)).write(answersName, table);
      if (answersOut !== undefined) {
        await writeFileAtomically(resolve(workingDirectory, answersOut), table);
        output.note(`Wrote ${answersOut}`);
      }
    }
    const fitting = {
      labels: used.map(({ label }) => label ?? Number.NaN),
      answers: answers.table,
      prompts: prompts.length,
      embeddings,
      kind,
    };
    const calibrated = await resumable(
      () =>
        shownWork("Fitting the judge", calibratingJudge(used, fitting, options), {
          environment,
          output,
        }),
      { ...interruptible, doing: "the judge was fitted" },
    );
    const judge = judgeToSave(calibrated, {
      model,
      embedder: embedder?.model,
      prompts,
      items,
      used,
      hashes,
      options,
      asking: { ...asked, command: fitted.slice(1) },
      unscored: answers.unanswered,
    });
    await writeFileAtomically(resolve(workingDirectory, given.out), sealedJudge(judge));

    const { certificate, approximate } = calibrated;
    const warnings = labelWarnings(judge, answers.unscored);
    output.resultJson({
      out: given.out,
      hash: judgeHash(judge),
      task,
      scale: judge.scale,
      model: judge.model,
      labels: judge.labels,
      fit: { ...judge.fit, clusters: judge.groups.clusters, temperature: judge.groups.temperature },
      calibration: judge.calibration,
      certification: {
        method: judge.certification.method,
        target: options.target,
        confidence: options.confidence,
        certificate: { ...certificate },
        approximate: { ...approximate },
      },
      fewerCalls: judge.fewerCalls,
      unscored: { ...answers.unscored },
      warnings: [...ofScale, ...warnings],
    });
    output.result(calibrationText(judge, output.style.width));
    output.result(`\n${certificateText(certificate, judge, options)}`);
    for (const warning of warnings) output.warn(warning);
    output.note(`Wrote ${given.out}; what the model answered is in ${run}`);
    const table = `${task === "pair" ? "pair" : "image"}s.csv`;
    output.note(
      `Next judges a table of yours, ${table}, with the columns ${taskTables[task].columns}:`,
    );
    output.nextCommand(["judge", table, "--judge", given.out, ...promiseWords(options)]);
  },
});

/** What the same judge is fitted without: what is promised of it, where it is kept, what it may cost. */
const notFitting = {
  out: undefined,
  "target-error": undefined,
  confidence: undefined,
  "answers-out": undefined,
  run: undefined,
  "no-cache": undefined,
  ...withoutLimits,
};

/** @throws InputError where a table of answers would hold none, or has another ending. */
function checkedAnswersOut(file: string | undefined, task: string): string | undefined {
  if (file === undefined) return undefined;
  if (task === "rating") {
    throw new InputError("Expected no --answers-out for the task rating: it is of two answers");
  }
  if (extname(file).toLowerCase() !== ".jsonl") {
    throw new InputError(`Expected a .jsonl file for --answers-out but received "${file}"`);
  }
  return file;
}

/** @throws InputError for standard input: the command is kept, to be given again with more answers. */
function checkFiles({
  labels,
  add,
}: {
  readonly labels: string;
  readonly add: readonly string[];
}): void {
  const flag = labels === "-" ? "LABELS" : add.includes("-") ? "--add" : undefined;
  if (flag === undefined) return;
  throw new InputError(`Expected a file for ${flag} but received "-"`, {
    hint: "The same table is read again when answers from review are taken in (--add). Save it first.",
  });
}

/** @throws InputError for a flag that is of another task, or further than the scale reaches. */
function checkTaskFlags(
  { within, ties }: { readonly within: number | undefined; readonly ties: boolean },
  task: string,
  ratings: number | undefined,
): void {
  if (within !== undefined && ratings === undefined) {
    throw new InputError(`Expected no --within for the task ${task}: it is of ratings alone`);
  }
  if (within !== undefined && ratings !== undefined && within >= Math.floor(ratings / 2)) {
    throw new InputError(
      `Expected at most ${Math.floor(ratings / 2) - 1} for --within, of ${ratings} ratings, but received ${within}`,
      { hint: "With more, whoever always says the middle rating would never be wrong" },
    );
  }
  if (ties && task !== "pair") {
    throw new InputError(`Expected no --ties for the task ${task}: it is of pairs alone`);
  }
}

/** Labels, and what came back from review. @throws InputError where an item stands in two files. */
async function allLabels(
  labels: readonly LabelledItem[],
  {
    task,
    ratings,
  }: { readonly task: (typeof judgingTasks)[number]; readonly ratings: number | undefined },
  add: readonly string[],
  tables: Omit<ItemSource, "file">,
): Promise<LabelledItem[]> {
  const all = [...labels];
  for (const file of add) {
    const reviewed = await openLabels({ ...tables, file }, { task, isReviewed: true });
    all.push(...(await reviewed.read(ratings)));
  }
  checkOnce(all, "Expected each label once but some are in two tables");
  return all;
}
