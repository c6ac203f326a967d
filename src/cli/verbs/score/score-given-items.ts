import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { MetricSanity } from "../../../analysis/sanity/metric-sanity.js";
import { append } from "../../../core/arrays.js";
import { IncompleteError } from "../../../core/errors.js";
import { asJson, type Json, type JsonObject } from "../../../core/json.js";
import { hashOf, keyOf } from "../../../core/keys.js";
import { type Metric, metricFacts } from "../../../core/metric.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { type CommandRun, commandRun } from "../../../files/hidden-runs.js";
import { KnownFiles } from "../../../images/known-files.js";
import type { Budget } from "../../../runs/budget.js";
import type { CollectedRun, Invocation } from "../../command-line/command.js";
import { openWhere, refuseDefects } from "../../command-line/shared-arguments.js";
import { shellWords } from "../../command-line/shell-words.js";
import type { Configuration } from "../../configuration/configuration-schema.js";
import type { Environment } from "../../environment.js";
import type { Hosting } from "../../models/hosting.js";
import type { Output } from "../../terminal/output.js";
import type { PreparedRun } from "../run/collect.js";
import { anewWords, asksAgain, retryText, unreadOf } from "../run/retry-unscored.js";
import { checkItems, givenItems } from "./given-items.js";
import { type ItemResult, itemResults } from "./item-results.js";
import { isOwnMetric, type MetricChoice, pythonFunction } from "./metric-choice.js";
import { commonestReason, mostlyUnscored, nothingScored, type Reasons } from "./mostly-unscored.js";
import { type PreparedScores, preparedScores } from "./prepared-scores.js";
import type { ratingWordings } from "./rating-wordings.js";
import {
  isPage,
  type ResultRow,
  resultColumns,
  resultRow,
  resultsText,
  resultText,
} from "./result-row.js";
import { askedAnew, type scoreArguments } from "./score-arguments.js";
import { repeatedNote } from "./score-items.js";
import { type MetricSummary, summaryJson, summaryWarnings, Tally } from "./score-tally.js";
import { PageScores } from "./scores-report.js";
import { sayNext, summaryText } from "./summary-text.js";

/** Up to this many results are shown one by one. */
const mostShown = 20;

export type ScoreInvocation = Invocation<typeof scoreArguments>;

/** What a command scores by. */
export interface Scoring {
  readonly settings: Configuration;
  readonly hosting: Hosting;
  readonly wordings: Awaited<ReturnType<typeof ratingWordings>>;
  readonly choice: MetricChoice;
  readonly budget: Budget;
  readonly callsAtOnce: number;
  readonly judgesPhotographs: boolean;
  /** The command that scores by the metrics that are named so. */
  readonly again: (names: readonly string[]) => string | undefined;
}

/**
 * How images that belong to no run are scored: results are printed, or written to a file or a page.
 *
 * @throws InputError where an image is broken; its conclusion IncompleteError where a limit was met, or where too
 *   little has a score.
 */
export async function scoreGivenItems(
  invocation: ScoreInvocation,
  { choice, hosting, budget, callsAtOnce, judgesPhotographs, again }: Scoring,
): Promise<PreparedRun> {
  const { given, environment, output, words, makes } = invocation;
  const { metrics } = choice;
  const { items, notes: read, isUnpacked, remove } = await givenItems(given, environment);
  let own: CommandRun | undefined;
  const close = async () => {
    await remove();
    await own?.end();
  };
  try {
    return await prepared();
  } catch (error) {
    await close();
    throw error;
  }

  async function prepared(): Promise<PreparedRun> {
    const skipBad = given["skip-bad"];
    const { folder } = hosting.replies;
    const isKept = !isUnpacked && folder !== undefined;
    const known = new KnownFiles(isKept ? join(folder, "files") : undefined);
    // Before anything is paid for.
    const decodes = metrics.some(({ baseUrl }) => baseUrl !== undefined);
    await checkItems(items, { known, decodes, environment, output, skipBad });
    const notes = [...read, ...(await repeatedNote(items))];
    for (const note of notes) output.note(note);
    for (const { load } of choice.models) await load();
    const { run } = given;
    const name = run === undefined ? await runName(invocation, choice) : undefined;
    own = await commandRun({ run, name, isPlan: budget.isPlan }, environment);
    const copies = isUnpacked && own.shown !== undefined;
    const scores = preparedScores(items, {
      place: own.place,
      command: [...words(askedAnew), ...anewWords(given)],
      makes: makes({ ...askedAnew, run: undefined }),
      copies,
      known,
      skipsBad: skipBad,
      choice,
      hosting,
      callsAtOnce,
      budget,
      again: asksAgain(given, hosting.replies.directory),
      environment,
      output,
    });
    const concluding = { own, notes, scores };
    return {
      ...scores,
      conclude: (collected) => conclude(collected, concluding),
      close,
    };
  }

  async function conclude(
    collected: CollectedRun,
    {
      own: { shown: shownRun, keep },
      notes,
      scores: { metricSteps: steps, unread, checked },
    }: Concluding,
  ): Promise<void> {
    const { store, spending } = collected;
    const tally = new Tally(items);
    const sanity = checked(collected);
    if (given["scores-only"]) {
      const found = itemResults(items, { run: store, steps, limit: budget.over });
      await sayScores(found, { tally, output });
      refuseOverBudget(budget, tally, { run: shownRun });
      return refuseDefects(given["fail-on"], sanity);
    }
    const gathered = isPage(given.out) ? new PageScores() : undefined;
    const found = new Map(
      choice.chosen.map(({ metric, name }) => [metric, sanity.metrics[name]] as const),
    );
    const sanityOf = (metric: Metric) => found.get(metric);
    const results = itemResults(items, { run: store, steps, limit: budget.over });
    const rows = asRows(results, { tally, gathered, sanityOf });
    const shown = await written(rows, invocation, items.columns.names);
    const summaries = tally.summaries();
    if (gathered !== undefined) await writePage(gathered, summaries, invocation);
    const { othersText } = tally.answerers;
    const sightTexts = hosting.meter.sights?.texts() ?? [];
    const result = {
      n: tally.all - tally.unscored,
      unscored: tally.unscored,
      metrics: summaries.map(summaryJson),
      sanity: asJson(sanity),
      ...(spending.text === "" ? {} : { spent: spending.toJSON() }),
      warnings: [
        ...notes,
        ...summaryWarnings(summaries),
        ...(othersText ? [othersText] : []),
        ...sightTexts,
      ],
    };
    output.resultJson({
      ...result,
      ...(given.out === undefined ? { results: shown } : { out: given.out }),
      ...(shownRun === undefined ? {} : { run: shownRun }),
    });
    if (shown.length > 0 && shown.length <= mostShown)
      output.result(`${resultsText(shown, output.style.width)}\n`);
    output.result(summaryText(summaries, { width: output.style.width, sanityOf }));
    if (!given["no-sanity"]) output.result(`\n${sanity.verdict}`);
    if (shownRun !== undefined) output.result(`\nRun: ${shownRun}`);
    if (othersText !== undefined) output.warn(`${othersText}.`);
    for (const text of sightTexts) output.warn(`${text}.`);
    if (spending.text !== "") {
      output.note(`Hosted models: ${spending.text}`);
      const unreadable = summaries.reduce((sum, { summary }) => sum + unreadOf(summary.reasons), 0);
      const retry = retryText(unreadable, spending.costOf(spending.results));
      if (retry !== undefined) output.note(retry);
    }
    if (gathered !== undefined) output.note(`Wrote ${given.out}; open it in a browser`);
    else if (given.out !== undefined) output.note(`Wrote ${tally.all} results to ${given.out}`);
    openWhere(given, environment);
    refuseOverBudget(budget, tally, {
      run: shownRun,
      // Nobody but the same command hands it the table on standard input.
      ...(given.source === "-" || shownRun === undefined
        ? {}
        : { goOn: `Go on with: ${shellWords(["touchstone", "run", "resume", shownRun])}` }),
    });
    await keep(result);
    const skipped = items.countProblems(unread);
    refuseSilence(summaries, { skipped, choice, judgesPhotographs, again });
    refuseDefects(given["fail-on"], sanity);
    sayNext(given, {
      columns: items.columns,
      metrics,
      words: words({ ...askedAnew, out: "scores.jsonl" }),
      output,
    });
  }
}

interface Concluding {
  readonly own: CommandRun;
  readonly notes: readonly string[];
  readonly scores: PreparedScores;
}

/** The name of the hidden run of a command. Undefined for what nobody can ask for again, and for one image. */
async function runName(
  { given, words, environment }: ScoreInvocation,
  choice: MetricChoice,
): Promise<string | undefined> {
  if (given.source === undefined || given.source === "-") return undefined;
  const same = { ...askedAnew, ...unchecked, out: undefined, open: false };
  const of = { words: words(same), isAnew: given["no-cache"] };
  return `score-${await scoringKey(of, choice, environment)}`;
}

/** A name for what is scored: the same for the same things, metrics and code of the user's own. */
export async function scoringKey(
  of: JsonObject,
  { chosen }: MetricChoice,
  { workingDirectory }: Environment,
): Promise<string> {
  const codes = chosen
    .filter(({ name }) => isOwnMetric(name))
    .map(async ({ name }) => {
      const file = resolve(
        workingDirectory,
        (pythonFunction(name) ?? name).replace(/:[^:/\\]*$/, ""),
      );
      const code = await readFile(file)
        .catch(() => readFile(`${file}.py`))
        .catch(() => undefined);
      return code === undefined ? "" : hashOf(code);
    });
  const key = keyOf({
    ...of,
    metrics: chosen.map(({ metric }) => asJson(metricFacts(metric))),
    codes: await Promise.all(codes),
  });
  return key.slice(0, 12);
}

/** Checks change no score. */
const unchecked = {
  "no-sanity": false,
  "allow-blind": false,
  "fail-on": undefined,
  "scores-only": false,
} as const;

/** Prints scores alone: an interval of a batch is read by nobody, and takes as long as its instant scores. */
async function sayScores(
  found: AsyncIterable<readonly ItemResult[]>,
  { tally, output }: { readonly tally: Tally; readonly output: Output },
): Promise<void> {
  const scores: Record<"value" | "reason" | "key", Json[]> = { value: [], reason: [], key: [] };
  for await (const batch of found) {
    for (const one of batch) {
      const { result, key = null } = one;
      tally.add(one);
      const isScored = result.status === "scored";
      scores.value.push(isScored ? result.value : null);
      scores.reason.push(isScored ? null : result.reason);
      scores.key.push(key);
    }
  }
  output.resultJson({ scores });
  const lines = scores.value.map((value, at) => value ?? `unscored: ${scores.reason[at]}`);
  output.result(lines.join("\n"));
}

/** Writes results to --out; returns as many as are shown. */
async function written(
  rows: AsyncIterable<readonly ResultRow[]>,
  { given, environment }: ScoreInvocation,
  columns: Iterable<string>,
): Promise<ResultRow[]> {
  const shown: ResultRow[] = [];
  const { out } = given;
  if (out === undefined || isPage(out)) {
    for await (const batch of rows) {
      if (out !== undefined) continue;
      append(shown, given.json ? batch : batch.slice(0, mostShown + 1 - shown.length));
    }
  } else {
    const pieces = resultText(out, resultColumns(columns))(rows);
    await writeFileAtomically(resolve(environment.workingDirectory, out), pieces);
  }
  return shown;
}

/**
 * @param options.run where the run is kept; undefined where it is gone with the command
 * @param options.goOn how to go on with it
 * @throws IncompleteError where a limit was met and results are unscored.
 */
export function refuseOverBudget(
  { over }: Budget,
  { all, unscored }: Tally,
  {
    run,
    goOn = "Give the same command again with a higher limit",
  }: { readonly run: string | undefined; readonly goOn?: string },
): void {
  if (over === undefined || unscored === 0) return;
  throw new IncompleteError(
    `Scoring met its limit of ${over}: ${unscored} of ${all} results are unscored`,
    {
      hint:
        run === undefined
          ? "Give the same command again with a higher limit: its run is gone, so only cached replies cost nothing again."
          : `${goOn}\nWhat was answered is kept and costs nothing again.`,
    },
  );
}

/** @throws IncompleteError where nothing, or too little, has a score. */
export function refuseSilence(
  summaries: readonly MetricSummary[],
  {
    skipped,
    choice: { chosen },
    judgesPhotographs,
    again,
  }: Pick<Scoring, "choice" | "judgesPhotographs" | "again"> & { readonly skipped: number },
): void {
  const exampleOf = ({ summary, details }: MetricSummary) =>
    details[commonestReason(summary.reasons) ?? "unparsable"];
  const reasons = summaries.map(({ summary }) => summary.reasons);
  if (summaries.every(({ summary }) => summary.n === 0)) {
    const [first] = summaries;
    throw nothingScored(reasons, { judgesPhotographs, example: first && exampleOf(first) });
  }
  const few = mostlyUnscored(
    summaries.map((each, at) => ({
      name: chosen[at]?.name ?? "",
      scored: each.summary.n,
      reasons: withoutSkipped(each.summary.reasons, skipped),
      example: exampleOf(each),
    })),
    { judgesPhotographs, again },
  );
  if (few !== undefined) throw few;
}

/** Counts and shows results on their way to wherever they are written. */
async function* asRows(
  results: AsyncIterable<readonly ItemResult[]>,
  {
    tally,
    gathered,
    sanityOf,
  }: {
    readonly tally: Tally;
    readonly gathered: PageScores | undefined;
    readonly sanityOf: (metric: Metric) => MetricSanity | undefined;
  },
): AsyncGenerator<readonly ResultRow[]> {
  for await (const batch of results) {
    yield batch.map((scored) => {
      const { item, metric, result } = scored;
      tally.add(scored);
      gathered?.add(scored);
      return resultRow(item, result, sanityOf(metric)?.state ?? "skipped");
    });
  }
}

async function writePage(
  gathered: PageScores,
  summaries: ReturnType<Tally["summaries"]>,
  { given, environment, words }: ScoreInvocation,
): Promise<void> {
  const { source, image, out } = given;
  const { scoresPage } = await import("../../../report/pages/scores-page.js");
  const report = await gathered.report(summaries, {
    title: `Scores: ${source ?? image ?? "the image"}`,
    command: shellWords(["touchstone", ...words({})]),
    everyScore: shellWords(["touchstone", ...words({ out: "scores.jsonl" })]),
  });
  if (report === undefined || out === undefined) return;
  await writeFileAtomically(resolve(environment.workingDirectory, out), await scoresPage(report));
}

/** Reasons without the rows that --skip-bad passed over: no model was asked about them. */
function withoutSkipped(reasons: Reasons, skipped: number): Reasons {
  return { ...reasons, "bad-input": (reasons["bad-input"] ?? 0) - skipped };
}
