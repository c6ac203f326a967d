import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import type { JudgingTask } from "../../../core/judging-task.js";
import { modelName } from "../../../core/models.js";
import type { RecordStore } from "../../../core/record-store.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { imagesBelow } from "../../../files/image-folder.js";
import { openDocuments, runPlace } from "../../../files/open-store.js";
import type { AnswerKind } from "../../../judges/answer-kind.js";
import type { Asking } from "../../../judges/asking.js";
import { calibratingJudge } from "../../../judges/calibrate-judge.js";
import { promiseWords } from "../../../judges/promise-words.js";
import type { Prompt } from "../../../judges/prompt.js";
import {
  type CollectedRun,
  command,
  type Invocation,
  type Means,
} from "../../command-line/command.js";
import { checkOut } from "../../command-line/out-path.js";
import { shellWords } from "../../command-line/shell-words.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import { exampleChatModel, exampleEncoder } from "../../models/example-models.js";
import { hostingAsGiven } from "../../models/hosting.js";
import { chooseModel } from "../../models/model-choice.js";
import { collectAndConclude, type PreparedRun } from "../run/collect.js";
import { budgetOf, withoutLimits } from "../run/limits.js";
import { anewWords, asksAgain, retryOfRun, withoutAskingAgain } from "../run/retry-unscored.js";
import {
  type AnsweredItems,
  type AnswersOfRun,
  answersName,
  answersOfRun,
  answersTable,
} from "./answers-of-run.js";
import {
  calibrateArguments,
  checkedAnswersOut,
  checkedModel,
  checkTaskFlags,
  notFitting,
  optionsOf,
} from "./calibrate-arguments.js";
import { chooseEmbedder, embedItems } from "./embed-items.js";
import {
  askingOf,
  checkPromptFlags,
  kindOf,
  poolFor,
  promptsFor,
  ratingsOf,
  samplesOf,
  wayOf,
} from "./judge-asking.js";
import { judgeToSave, saveJudge } from "./judge-to-save.js";
import { type ItemRow, type LabelledItem, openLabels, readItems } from "./judged-table.js";
import {
  allLabels,
  type LabelsInUse,
  labelsInUse,
  mostlyUnanswered,
  scaleWarnings,
} from "./label-warnings.js";
import { resumable, shownWork } from "./long-work.js";
import { type ImageHashes, itemsOfRun, openItems } from "./open-items.js";
import type { ItemSource } from "./opened-table.js";
import { answererIn } from "./other-model.js";
import { showCalibrated, tableToJudge } from "./show-calibrated.js";

export default command({
  description:
    "Fits a judge to labels and certifies when it may be trusted. A model answers many " +
    "equivalent prompts; labels from people weight the prompts, for each group of images; " +
    "held-out labels set the confidence threshold above which the judge decides alone. The " +
    "columns of LABELS (JSONL, CSV, Parquet) say what is judged. Pairs: id, caption (or " +
    "prompt, or text), image_a, image_b and preferred: a, b or tie. Yes-or-no questions: " +
    "image, question and answer: yes or no. Ratings: image, text (or caption, or prompt) and " +
    "rating: 1 to 5, or the pool's scale (--pool ordinal-4: 1 to 4). A rating is wrong if " +
    "the most probable one differs from people's, with --within 1 if by more than 1. Answers " +
    "are saved beside the judge, so a stopped calibration continues and asks nothing twice.",
  examples: [
    `touchstone calibrate labels.csv --model ${exampleChatModel} --embedder ${exampleEncoder} --out judge.json`,
    `touchstone calibrate labels.csv --model ${exampleChatModel} --add review.jsonl --out judge.json`,
    `touchstone calibrate ratings.csv --task rating --within 1 --model ${exampleChatModel} --out rater.json`,
  ],
  arguments: calibrateArguments,
  run: async (invocation) =>
    collectAndConclude(await prepare(invocation, { budget: budgetOf(invocation.given) })),
  make: prepare,
});

/** Reads the labels and finds the models of a calibration: what is asked, and what is made of the answers. */
async function prepare(
  { given, environment, output, words, makes }: Invocation<typeof calibrateArguments>,
  { budget, hosting: shared }: Partial<Means> & Pick<Means, "budget">,
): Promise<PreparedRun> {
  const { workingDirectory } = environment;
  const wanted = optionsOf(given);
  const modelText = await checkedModel(given, environment);
  const { settings } = await loadConfiguration(environment);
  const hosting = shared ?? hostingAsGiven(given, { settings, environment, output });
  const { meter } = hosting;
  const choosing = { configured: settings.models, hosting };
  const tables = {
    map: given.map,
    images: given.images,
    environment,
    allowOutside: given["allow-outside"],
    tell: output.note,
  };
  const labels = await openLabels(
    { ...tables, file: given.labels, texts: given.texts },
    { task: given.task, isReviewed: false },
  );
  const { task } = labels;
  const pool = await poolFor(task, given.pool, environment);
  const ratings = ratingsOf(pool);
  checkTaskFlags(given, task, ratings);
  const { model, callsAtOnce, judgesPhotographs, load } = await chooseModel(
    modelText,
    settings.models,
    hosting,
  );
  const samples = samplesOf(model, given.samples);
  if (samples !== given.samples) {
    output.note(
      `${modelName(model.identity)} gives no log-probabilities, so each prompt is asked ${samples} times (--samples N changes that)`,
    );
  }
  const how = {
    task,
    scale: ratings === undefined ? null : { ratings, within: given.within ?? 0 },
    way: wayOf(model, samples),
    trials: samples ?? 1,
    ties: given.ties,
  };
  const asking = askingOf(model, how);
  checkPromptFlags(model, given);
  const { items, tries } = await allLabels(
    await labels.read(ratings),
    { task, ratings, options: wanted },
    given.add,
    { ...tables, besides: given.labels },
  );
  const options = tries === 1 ? wanted : { ...wanted, tries };
  const ofScale = scaleWarnings(ratings, items);
  for (const warning of ofScale) output.warn(warning);
  const answersOut = checkedAnswersOut(given["answers-out"], task);
  const labelled = labelsInUse(items, { options, withTies: answersOut !== undefined });
  const { used } = labelled;
  await checkOut(answersOut, { inputs: [given.labels, ...given.add], workingDirectory });
  const { map, images, support } = given;
  const outside = given["allow-outside"];
  const unlabelled =
    support === undefined
      ? []
      : await supportItems(
          { file: support, map, images, allowOutside: outside, environment },
          task,
        );
  await openItems(unlabelled, { environment, output });
  const hashes = await openItems(items, { environment, output });
  await load();
  const kind = kindOf(how);
  const embedder =
    given.embedder === undefined ? undefined : await chooseEmbedder(given.embedder, choosing);
  const prompts = promptsFor(model, pool, { count: given.prompts ?? 20, seed: given.seed });
  const run = given.run ?? `${given.out.slice(0, -extname(given.out).length)}-answers`;
  const fitted = words(notFitting);
  const steps = (opened: RecordStore) => [
    asking.step(prompts, itemsOfRun(labelled.asked, { store: opened, hashes })),
  ];
  const asked = {
    run,
    command: [
      ...fitted,
      ...promiseWords(options),
      ...["--out", given.out, "--run", run],
      ...(answersOut === undefined ? [] : ["--answers-out", answersOut]),
      ...anewWords(given),
    ],
    makes: makes({ ...withoutLimits, ...withoutAskingAgain, run: undefined }),
    seed: given.seed,
    models: [modelText],
    budget,
    meter,
    again: asksAgain(given, hosting.replies.directory),
    environment,
    output,
  };
  return { steps, conclude, asked, ...(callsAtOnce === undefined ? {} : { callsAtOnce }) };

  async function conclude({ store, summaries, sanity }: CollectedRun): Promise<void> {
    const retry = retryOfRun(summaries, meter);
    if (retry !== undefined) output.note(retry);
    const few = await mostlyUnanswered(store, summaries, {
      judgesPhotographs,
      again: shellWords([
        "touchstone",
        ...words({ ...withoutLimits, "no-cache": undefined, "retry-unscored": true }),
      ]),
    });
    if (few !== undefined) throw few;

    const answerer = await answererIn(store, {
      model,
      isAllowed: given["allow-other-model"],
    });
    const goOn = shellWords(["touchstone", "run", "resume", run]);
    const interruptible = { signal: environment.signal, goOn };
    const embed = async (some: readonly ItemRow[], idle?: ReadonlySet<number>) =>
      embedder &&
      resumable(
        () => embedItems(embedder.model, some, { idle, budget, meter, goOn, environment, output }),
        { ...interruptible, doing: "images were embedded" },
      );
    const { answers, embeddings, table } = await answeredLabels(store, labelled, {
      asking,
      prompts,
      hashes,
      kind,
      embed,
    });
    if (table !== undefined) {
      await openDocuments(runPlace(run, environment)).write(answersName, table);
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
      support: await embed(unlabelled),
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
      answerer,
      embedder: embedder?.model,
      prompts,
      items,
      used,
      fitting,
      folder: dirname(resolve(workingDirectory, given.out)),
      hashes,
      support: embedder === undefined ? 0 : unlabelled.length,
      options,
      asking: { ...how, command: fitted.slice(1) },
      unscored: answers.unanswered,
    });
    const saved = await saveJudge(judge, { out: given.out, workingDirectory });
    const beside = join(dirname(given.labels), tableToJudge(task));
    showCalibrated(judge, {
      saved,
      named: given.out,
      run,
      toJudge: existsSync(resolve(workingDirectory, beside)) ? beside : undefined,
      calibrated,
      options,
      unscored: answers.unscored,
      ofScale,
      sanity,
      output,
    });
  }
}

/**
 * Items without labels that groups of images are found in, beside those with: MMB's D_sup. Images of a
 * folder, or a table of the task; embeddings of both lie in one space, since a pair's is the mean of two.
 *
 * @throws InputError where a folder holds no image, else as `readItems`.
 */
export async function supportItems(
  tables: Omit<ItemSource, "besides">,
  task: JudgingTask,
): Promise<ItemRow[]> {
  const { file, environment } = tables;
  const path = resolve(environment.workingDirectory, file);
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
  if (!isFolder) return readItems(tables, { task, whose: "--support" });
  const images = await imagesBelow(path);
  if (images.length === 0) {
    throw new InputError(`Expected images in the folder ${file} for --support but it has none`);
  }
  return images.map((image) => {
    const name = join(file, image);
    return { id: name, text: "", images: [{ name, path: join(path, image) }], place: name };
  });
}

/** Answers about labelled items, and their embeddings. */
interface AnsweredLabels {
  readonly answers: AnswersOfRun;
  readonly embeddings: readonly Float64Array[] | undefined;
  /** Answers as `lab experiment` and `analyze ensemble` read them; undefined of ratings. */
  readonly table: string | undefined;
}

type Embeddings = readonly Float64Array[] | undefined;

/** Reads a run's answers about labelled items, and embeds their images. */
async function answeredLabels(
  store: RecordStore,
  { used, idle, ties }: LabelsInUse,
  {
    asking,
    prompts,
    hashes,
    kind: { width },
    embed,
  }: {
    readonly asking: Asking;
    readonly prompts: readonly Prompt[];
    readonly hashes: ImageHashes;
    readonly kind: AnswerKind;
    embed(items: readonly LabelledItem[], idle: ReadonlySet<number>): Promise<Embeddings>;
  },
): Promise<AnsweredLabels> {
  const asked = { asking, prompts, hashes, width };
  const answers = await answersOfRun(store, used, { ...asked, idle });
  const embeddings = await embed(used, idle);
  if (width !== 1) return { answers, embeddings, table: undefined };
  const none: ReadonlySet<number> = new Set();
  const ofTies = await answersOfRun(store, ties, { ...asked, idle: none });
  const parts: AnsweredItems[] = [
    { items: used, answers: answers.table, embeddings, idle },
    {
      items: ties,
      answers: ofTies.table,
      embeddings: ties.length === 0 ? undefined : await embed(ties, none),
      idle: none,
    },
  ];
  return { answers, embeddings, table: answersTable(parts, prompts.length) };
}
