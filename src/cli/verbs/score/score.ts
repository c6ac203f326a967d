import { basename, join, relative, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import type { Metric } from "../../../core/metric.js";
import type { DescribedEntity } from "../../../core/models.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { metadataNames } from "../../../files/image-folder.js";
import { matchingFiles } from "../../../files/matching-files.js";
import { Budget } from "../../../runs/budget.js";
import { tasksInHand } from "../../../runs/tasks-in-hand.js";
import { quoted } from "../../../tables/format.js";
import { structure } from "../../../tables/structure-column.js";
import { outsideArguments } from "../../command-line/allow-outside.js";
import { command } from "../../command-line/command.js";
import { parseMap } from "../../command-line/map-flag.js";
import { checkOpen, openArgument, openWhere } from "../../command-line/open-flag.js";
import { checkOut } from "../../command-line/out-path.js";
import { shellWords } from "../../command-line/shell-words.js";
import { storeArgument } from "../../command-line/store-argument.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import type { Environment } from "../../environment.js";
import { hostingFor } from "../../models/hosting.js";
import { runtimeArgument } from "../../models/runtime-argument.js";
import type { Output } from "../../terminal/output.js";
import { forecastText } from "../run/forecast-text.js";
import { limitArguments, limitsOf, withoutLimits } from "../run/limits.js";
import { checkImages } from "./check-images.js";
import { foreseeScores } from "./foresee-scores.js";
import { chooseMetrics, chooseRater } from "./metric-choice.js";
import { mostlyUnscored } from "./mostly-unscored.js";
import { nextAnalysis } from "./next-analysis.js";
import { nothingScored, type Reasons } from "./nothing-scored.js";
import { progressOf } from "./progress.js";
import { isPage, resultText } from "./result-file.js";
import { type ResultRow, resultColumns, resultRow } from "./result-row.js";
import { resultsText } from "./results-text.js";
import { type ItemResult, scoreAll } from "./score-all.js";
import { problemText, type ScoreItem } from "./score-item.js";
import { readItems, type ScoreItems } from "./score-items.js";
import { isRun, scoreRun } from "./score-run.js";
import { PageScores } from "./scores-report.js";
import { Spending } from "./spending.js";
import { summaryText } from "./summary-text.js";
import { summaryJson, summaryWarnings, Tally } from "./tally.js";
import { refuseOverBudget, withinBudget } from "./within-budget.js";

/** Up to this many results are shown one by one. */
const mostShown = 20;

export default command({
  description:
    "Scores images against texts: a folder of images with metadata.jsonl or metadata.csv " +
    "(file_name, text), a table (JSONL, CSV, Parquet; image, text; paths relative to it), a " +
    "run, or one image. All images are opened before a model is asked; if one is broken, " +
    "touchstone says so and writes nothing. A missing answer is unscored, with a reason. The " +
    "exit code is 3 if a metric scores nothing with a model, or if most results are unscored.",
  examples: [
    "touchstone score ./images --model transformers-js:Xenova/clip-vit-base-patch16",
    "touchstone score ./images --metric vqa-score --model openai-compatible:gpt-4o-mini",
    "touchstone score ./images --metric localized-vqa-score --model lab:vqa --model lab:localizer",
    "touchstone score ./images --metric vqa-score=lab:vqa --metric clip-score=lab:dual-encoder-skewed",
    "touchstone score prompts.csv --map image=path --metric clip-score:cosine --model lab:dual-encoder-skewed",
    'touchstone score --image cat.png --text "a cat" --metric ./mine.mjs --json',
    "touchstone score ./images --metric python:mine:brightness",
  ],
  arguments: {
    source: {
      kind: "positional",
      optional: true,
      description:
        "a folder of images, a table, WebDataset shards (.tar) or Parquet with images, by a path or a " +
        "pattern; - for a table on standard input; or a run",
    },
    image: { kind: "text", value: "FILE", description: "one image, with --text" },
    text: { kind: "text", description: "the text that the image should show" },
    metric: {
      kind: "text",
      repeated: true,
      value: "NAME[=MODEL]",
      description:
        "clip-score, clip-score:cosine, localized-vqa-score, … or ./mine.mjs, or python:mine:score for a function score(image, text) of mine.py. It asks each --model that " +
        "can carry it, or the models after = alone: vqa-score=lab:vqa. Default: each model is asked by " +
        "the first it can carry of clip-score, image-reward, vqa-score, mllm-rating and proto-score. " +
        "localized-vqa-score needs two models, one that answers questions and one that finds entities " +
        "(=lab:vqa,lab:localizer), and takes conventions: :recall, :precision, :masking, :none, …",
    },
    model: {
      kind: "text",
      repeated: true,
      value: "PROVIDER:MODEL",
      description:
        "such as openai-compatible:gpt-4o-mini, transformers-js:Xenova/clip-vit-base-patch16 or lab:vqa",
    },
    entities: {
      kind: "text",
      value: "JSON",
      description:
        "with --text: its entities, [{entity, attributes: []}]; a table has a column entities",
    },
    "decompose-with": {
      kind: "text",
      value: "PROVIDER:MODEL",
      description:
        "the chat model that splits texts without entities into entities; rules (the default of " +
        "localized-vqa-score) needs no model",
    },
    map: {
      kind: "text",
      repeated: true,
      value: "NAME=COLUMN",
      description: "read NAME from another column: image=path",
    },
    out: {
      kind: "text",
      value: "FILE",
      description:
        "write one row for each result: .jsonl, .csv, .parquet or .json; or a page that shows the worst images " +
        "first: .html",
    },
    ...openArgument,
    answers: {
      kind: "text",
      value: "DIR",
      description: "for a run: the study whose answers about its images become scores by people",
    },
    block: {
      kind: "text",
      value: "NAME",
      description: "with --answers: the block of the study, where several score images",
    },
    "rate-with": {
      kind: "text",
      value: "PROVIDER:MODEL",
      description:
        "for a run: the model that rates each image against its own sentence from 1 to 10, to filter: a " +
        "chat model in words (prompt-rating, prompt-rating:expected=MODEL), another by P(yes) (vqa-rating=MODEL)",
    },
    "keep-from": {
      kind: "number",
      minimum: 1,
      maximum: 10,
      value: "N",
      description:
        "with --rate-with: the least rating of both images of a pair that stays; default 8",
    },
    "skip-bad": {
      kind: "switch",
      description: "mark missing or broken images and texts unscored, and score the rest",
    },
    ...outsideArguments,
    "no-cache": {
      kind: "switch",
      description: "ask hosted models again instead of using cached answers",
    },
    runtime: runtimeArgument,
    ...limitArguments,
    ...storeArgument,
  },
  async run({ given, environment, output, words }) {
    const { workingDirectory } = environment;
    checkOpen(given);
    if (given.out !== undefined && !isPage(given.out)) resultText(given.out, []);
    await checkOut(given.out, {
      inputs: await inputsOf(given, workingDirectory),
      workingDirectory,
    });
    if (given.answers !== undefined || given.block !== undefined) {
      const { run, answers } = await runWithAnswers(given, environment);
      const command = words(askedAnew);
      const { scorePeople } = await import("./score-people.js");
      return scorePeople({ run, answers, block: given.block, command, environment, output });
    }
    const { settings } = await loadConfiguration(environment);
    const hosting = hostingFor(
      { ...environment, runtime: given.runtime },
      {
        settings: settings.cache,
        useCache: !given["no-cache"],
        maxCost: given["max-cost"],
        tell: output.note,
      },
    );
    const { chosen, metrics, models } = await chooseMetrics({
      names: given.metric.length > 0 ? given.metric : (settings.score?.metrics ?? []),
      modelTexts: given.model,
      otherwise: settings.score?.models ?? [],
      configured: settings.models,
      hosting,
      workingDirectory,
      decomposeWith: given["decompose-with"],
    });
    const callsAtOnce = Math.max(0, ...models.map((model) => model.callsAtOnce ?? 0));
    const judgesPhotographs = models.every((model) => model.judgesPhotographs);
    const { source } = given;
    // Nobody can give again what came on standard input.
    const again = (metric: readonly string[]) =>
      source === "-"
        ? undefined
        : shellWords(["touchstone", ...words({ ...askedAnew, metric, model: undefined })]);
    const intoRun = source !== undefined && (await isRun(source, environment));
    refuseIdleFlags(given, intoRun);
    if (intoRun) {
      for (const { load } of models) await load();
      const rater = given["rate-with"];
      const keepFrom = given["keep-from"];
      const chosenRater =
        rater === undefined ? undefined : await chooseRater(rater, settings.models, hosting);
      return scoreRun({
        run: source,
        chosen,
        rater: chosenRater?.rater,
        keepFrom,
        command: words(askedAnew),
        again,
        judgesPhotographs,
        limits: limitsOf(given),
        callsAtOnce: Math.max(callsAtOnce, chosenRater?.callsAtOnce ?? 0),
        meter: hosting.meter,
        environment,
        output,
      });
    }
    const { items, notes, remove } = await itemsToScore(given, environment);
    try {
      const checked = await checkAll(items, { environment, output, skipBad: given["skip-bad"] });
      for (const note of notes) output.note(note);
      for (const { load } of models) await load();

      const tally = new Tally();
      const spending = new Spending();
      const calling = {
        signal: environment.signal,
        trace: spending.note,
        imagesAtATime: Math.max(4, tasksInHand(callsAtOnce)),
      };
      const show = progressOf("Scoring:", checked.length * metrics.length, { environment, output });
      const limits = limitsOf(given);
      const budget = new Budget(limits);
      const { meter } = hosting;
      const foreseen = await foreseeScores(checked, { chosen, meter, signal: environment.signal });
      if (foreseen !== undefined && foreseen.calls > 0) {
        output.note(`Scoring: ${forecastText(foreseen, limits)}`);
      }
      if (foreseen?.cost !== undefined) budget.expect(foreseen.dearest, foreseen);
      const asked = metrics.map((metric) => withinBudget(metric, budget));
      const gathered = isPage(given.out) ? new PageScores() : undefined;
      const rows = asRows(
        scoreAll(checked, asked, calling),
        { tally, gathered },
        (done, unscored) => show(done, unscored, spending.text),
      );
      const shown: ResultRow[] = [];
      if (given.out === undefined || gathered !== undefined) {
        for await (const row of rows) {
          if (gathered === undefined && (given.json || shown.length <= mostShown)) shown.push(row);
        }
      } else {
        const pieces = resultText(given.out, resultColumns(checked))(rows);
        await writeFileAtomically(resolve(workingDirectory, given.out), pieces);
      }

      const summaries = tally.summaries();
      if (gathered !== undefined && given.out !== undefined) {
        const { scoresPage } = await import("../../../report/pages/scores-page.js");
        const report = await gathered.report(summaries, {
          title: `Scores: ${source ?? given.image ?? "the image"}`,
          command: shellWords(["touchstone", ...words({})]),
          everyScore: shellWords(["touchstone", ...words({ out: "scores.jsonl" })]),
        });
        if (report !== undefined) {
          await writeFileAtomically(resolve(workingDirectory, given.out), await scoresPage(report));
        }
      }
      output.resultJson({
        n: tally.all - tally.unscored,
        unscored: tally.unscored,
        metrics: summaries.map(summaryJson),
        ...(spending.text === "" ? {} : { spent: spending.toJSON() }),
        ...(given.out === undefined ? { results: shown } : { out: given.out }),
        warnings: [...notes, ...summaryWarnings(summaries)],
      });
      if (shown.length > 0 && shown.length <= mostShown)
        output.result(`${resultsText(shown, output.style.width)}\n`);
      output.result(summaryText(summaries, output.style.width));
      if (spending.text !== "") output.note(`Hosted models: ${spending.text}`);
      if (gathered !== undefined) output.note(`Wrote ${given.out}; open it in a browser`);
      else if (given.out !== undefined) output.note(`Wrote ${tally.all} results to ${given.out}`);
      openWhere(given, environment);
      refuseOverBudget(budget, tally, {
        repliesAreKept: spending.calls > 0 && hosting.cacheDirectory !== undefined,
      });
      if (tally.unscored === tally.all) {
        throw nothingScored(
          summaries.map(({ summary }) => summary.reasons),
          { judgesPhotographs },
        );
      }
      const few = mostlyUnscored(
        summaries.map(({ summary: { n, reasons } }, at) => ({
          name: chosen[at]?.name ?? "",
          scored: n,
          reasons: withoutSkipped(reasons, checked),
        })),
        { judgesPhotographs, again },
      );
      if (few !== undefined) throw few;
      sayNext(given, {
        items: checked,
        metrics,
        words: words({ ...askedAnew, out: "scores.jsonl" }),
        output,
      });
    } finally {
      await remove?.();
    }
  },
});

/** For a command line that is given again: it may spend anew, and keeps what was answered. */
const askedAnew = { "no-cache": undefined, ...withoutLimits };

interface Given {
  readonly source: string | undefined;
  readonly image: string | undefined;
  readonly text: string | undefined;
  readonly metric: readonly string[];
  readonly model: readonly string[];
  readonly map: readonly string[];
  readonly "allow-outside": boolean;
  readonly entities: string | undefined;
  readonly "decompose-with": string | undefined;
}

/** A flag that would change nothing is an error, not a silence. */
function refuseIdleFlags(
  given: Given & {
    readonly out: string | undefined;
    readonly "rate-with": string | undefined;
    readonly "keep-from": number | undefined;
    readonly "skip-bad": boolean;
  },
  intoRun: boolean,
): void {
  if (given["keep-from"] !== undefined && given["rate-with"] === undefined) {
    throw new InputError("Expected --rate-with for --keep-from but received none", {
      hint: "Of a run that is rated already: touchstone report RUN --keep-from N",
    });
  }
  const idle = intoRun
    ? [
        ...(given.out === undefined ? [] : ["--out"]),
        ...(given.map.length === 0 ? [] : ["--map"]),
        ...(given["skip-bad"] ? ["--skip-bad"] : []),
      ]
    : given["rate-with"] === undefined
      ? []
      : ["--rate-with"];
  if (idle.length === 0) return;
  throw new InputError(
    intoRun
      ? `Expected no ${idle.join(", ")} for a run, whose scores go into the run, but received it`
      : "Expected a run for --rate-with but received other images",
    { hint: "See: touchstone score --help" },
  );
}

/** @throws InputError where --answers stands without a run, or beside what it has no use for. */
async function runWithAnswers(
  given: Given & {
    readonly answers: string | undefined;
    readonly block: string | undefined;
    readonly "rate-with": string | undefined;
  },
  environment: Environment,
): Promise<{ readonly run: string; readonly answers: string }> {
  const { source, answers, metric, model } = given;
  if (answers === undefined) throw new InputError("Expected --answers DIR with --block");
  if (source === undefined || !(await isRun(source, environment))) {
    throw new InputError("Expected a run for --answers, the one that the study's items came from");
  }
  if (metric.length > 0 || model.length > 0 || given["rate-with"] !== undefined) {
    throw new InputError("Expected --answers alone but received metrics or models, too", {
      hint: "Score by metrics in a command of its own; all of them stand side by side in the run.",
    });
  }
  return { run: source, answers };
}

/** What may be read: a folder's table is in it under one of a few names. */
async function inputsOf(
  { source, image, out = "" }: Given & { readonly out: string | undefined },
  workingDirectory: string,
): Promise<(string | undefined)[]> {
  if (source === undefined) return [image];
  const files = await matchingFiles([source], workingDirectory).catch(() => [source]);
  const tables = metadataNames.map((name) => join(source, name));
  // A folder's splits have tables of their own.
  const isBelow = !relative(source, out).startsWith("..");
  const ofSplit = isBelow && metadataNames.some((name) => name === basename(out)) ? [out] : [];
  return [...files, image, ...tables, ...ofSplit];
}

async function itemsToScore(
  given: Given & { readonly "skip-bad": boolean },
  environment: Environment,
): Promise<ScoreItems> {
  const { source, image, text, map, entities } = given;
  if (entities !== undefined && (source !== undefined || text === undefined)) {
    throw new InputError("Expected --text for --entities but received none", {
      hint: "A table says it for each row, in a column entities.",
    });
  }
  if (source !== undefined && (image !== undefined || text !== undefined)) {
    throw new InputError("Expected a folder or table, or --image and --text, but received both");
  }
  if (source !== undefined) {
    return readItems(source, {
      environment,
      map: parseMap(map),
      allowOutside: given["allow-outside"],
      skipBad: given["skip-bad"],
    });
  }
  if (image === undefined || text === undefined) {
    const missing = image === undefined && text === undefined ? "neither" : "only one of these";
    throw new InputError(
      `Expected a folder, a table, or --image and --text but received ${missing}`,
      {
        hint: "See: touchstone score --help",
      },
    );
  }
  if (text.trim() === "") throw new InputError("Expected a text for --text but received nothing");
  const path = resolve(environment.workingDirectory, image);
  const described = entities === undefined ? {} : { structure: structureOf(entities) };
  return { items: [{ image, path, text, ...described, others: {} }], notes: [] };
}

async function checkAll(
  items: readonly ScoreItem[],
  {
    environment,
    output,
    skipBad,
  }: { readonly environment: Environment; readonly output: Output; readonly skipBad: boolean },
): Promise<readonly ScoreItem[]> {
  const onChecked = progressOf("Opening images:", items.length, { environment, output });
  const checked = await checkImages(items, { signal: environment.signal, onChecked });
  const bad = checked.filter(({ problem }) => problem !== undefined);
  if (bad.length === 0 || skipBad) return checked;
  const [first] = bad;
  if (first !== undefined && items.length === 1) throw new InputError(problemText(first));
  throw new InputError(`${bad.length} of ${items.length} images can't be scored`, {
    problems: bad.map(problemText),
    hint: "Nothing was scored. Correct these rows, or mark them unscored: --skip-bad",
  });
}

/** Counts and shows results on their way to wherever they are written. */
async function* asRows(
  results: AsyncIterable<ItemResult>,
  { tally, gathered }: { readonly tally: Tally; readonly gathered: PageScores | undefined },
  onDone: (done: number, unscored: number) => void,
): AsyncGenerator<ResultRow> {
  for await (const scored of results) {
    const { item, metric, result } = scored;
    tally.add(metric, item, result);
    gathered?.add(scored);
    onDone(tally.all, tally.unscored);
    yield resultRow(item, result);
  }
}

/** The command that does more with what was done, or what such a command would need. */
function sayNext(
  given: Given & { readonly out: string | undefined },
  {
    items,
    metrics,
    words,
    output,
  }: {
    readonly items: readonly ScoreItem[];
    readonly metrics: readonly Metric[];
    /** Those of the command that keeps the results. */
    readonly words: readonly string[];
    readonly output: Output;
  },
): void {
  const { source, out } = given;
  const analysis =
    out === undefined || isPage(out) ? undefined : nextAnalysis(out, { items, metrics });
  if (analysis !== undefined) {
    output.nextCommand(analysis);
  } else if (out !== undefined && !isPage(out)) {
    output.note(
      "Conclusions need more than scores: with a column rating (people's) or model (what made an image)\n" +
        "the command for them stands here. touchstone analyze contrastive reads pairs, the scores of a\n" +
        "right and a wrong image in one row (touchstone example contrastive).",
    );
    // What the studio shows worst first.
    if (/\.(jsonl|csv)$/i.test(out)) output.nextCommand(["studio", out]);
  } else if (source === "-") {
    output.note("To keep these results, give the table again and --out scores.jsonl");
  } else if (source !== undefined) {
    output.nextCommand(words);
  }
}

/** @throws InputError where --entities holds no structure. */
function structureOf(text: string): readonly DescribedEntity[] {
  const read = structure.read(text, { isText: true });
  if ("value" in read && read.value !== undefined) return read.value;
  const expected = "expected" in read ? read.expected : "a list of entities,";
  throw new InputError(`Expected ${expected} for --entities but received ${quoted(text)}`);
}

/** Without the rows that --skip-bad passed over: nobody was asked about them. */
function withoutSkipped(reasons: Reasons, items: readonly ScoreItem[]): Reasons {
  const skipped = items.filter(({ problem }) => problem !== undefined).length;
  return { ...reasons, "bad-input": (reasons["bad-input"] ?? 0) - skipped };
}
