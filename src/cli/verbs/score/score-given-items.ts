import { resolve } from "node:path";
import { sanityVerdict } from "../../../analysis/sanity/sanity-text.js";
import { asJson } from "../../../core/json.js";
import { modelsBehind } from "../../../core/metric.js";
import type { Forecast } from "../../../core/step.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { sightsOf } from "../../../models/sight/sights.js";
import type { Budget } from "../../../runs/budget.js";
import { Fruitless } from "../../../runs/fruitless.js";
import { lookFirst } from "../../../runs/look-first.js";
import { tasksInHand } from "../../../runs/tasks-in-hand.js";
import type { Invocation } from "../../command-line/command.js";
import { refuseDefects } from "../../command-line/sanity-arguments.js";
import { openWhere } from "../../command-line/shared-arguments.js";
import { shellWords } from "../../command-line/shell-words.js";
import type { Hosting } from "../../models/hosting.js";
import { forecastText } from "../run/forecast-text.js";
import { budgetOf } from "../run/limits.js";
import { asksAgain, retryText, unreadOf } from "../run/retry-unscored.js";
import { foreseeScores, together } from "./foresee-scores.js";
import type { MetricChoice } from "./metric-choice.js";
import { commonestReason, mostlyUnscored, nothingScored, type Reasons } from "./mostly-unscored.js";
import { isPage, resultText } from "./result-file.js";
import { type ResultRow, resultColumns, resultRow, resultsText } from "./result-row.js";
import { sayNext } from "./say-next.js";
import { type ItemResult, scoreAll } from "./score-all.js";
import { askedAnew, type scoreArguments } from "./score-arguments.js";
import type { ScoreItem } from "./score-item.js";
import { foreseenPlacebos, scorePlacebos, skippedPlacebos } from "./score-placebos.js";
import { progressOf } from "./score-progress.js";
import { type MetricSummary, summaryJson, summaryWarnings, Tally } from "./score-tally.js";
import { PageScores } from "./scores-report.js";
import { refuseOverBudget, Spending, withinBudget } from "./spending.js";
import { summaryText } from "./summary-text.js";

/** Up to this many results are shown one by one. */
const mostShown = 20;

const mendHint =
  "Mend what it says, then run the same command, with --retry-unscored where replies could not be " +
  "read: answers are saved and cost nothing again.";

type ScoreInvocation = Invocation<typeof scoreArguments>;

interface Scoring {
  /** Checked already. */
  readonly items: readonly ScoreItem[];
  readonly notes: readonly string[];
  readonly choice: MetricChoice;
  readonly hosting: Hosting;
  readonly callsAtOnce: number;
  readonly judgesPhotographs: boolean;
  /** The command that scores by the metrics that are named so. */
  readonly again: (names: readonly string[]) => string | undefined;
}

/**
 * Scores images that belong to no run: prints the results, or writes them to a file or a page.
 *
 * @throws IncompleteError where a limit was met, or where too little has a score.
 */
export async function scoreGivenItems(
  invocation: ScoreInvocation,
  scoring: Scoring,
): Promise<void> {
  const { given, environment, output, words } = invocation;
  const { items, notes, choice, hosting, judgesPhotographs, again } = scoring;
  const budget = budgetOf(given);
  const { tally, spending, gathered, shown, metricsFound } = await scoreWithin(
    budget,
    invocation,
    scoring,
  );
  const summaries = tally.summaries();
  if (gathered !== undefined) await writePage(gathered, summaries, invocation);
  const { othersText } = tally.answerers;
  const { sights } = hosting.meter;
  const names = choice.metrics.flatMap(modelsBehind);
  await sights?.recall(names);
  const sanity = { models: sightsOf(names, sights), metrics: metricsFound };
  const verdict = sanityVerdict(sanity);
  const sightTexts = sights?.texts() ?? [];
  output.resultJson({
    n: tally.all - tally.unscored,
    unscored: tally.unscored,
    metrics: summaries.map(summaryJson),
    sanity: asJson({ ...sanity, verdict }),
    ...(spending.text === "" ? {} : { spent: spending.toJSON() }),
    ...(given.out === undefined ? { results: shown } : { out: given.out }),
    warnings: [
      ...notes,
      ...summaryWarnings(summaries),
      ...(othersText ? [othersText] : []),
      ...sightTexts,
    ],
  });
  if (shown.length > 0 && shown.length <= mostShown)
    output.result(`${resultsText(shown, output.style.width)}\n`);
  output.result(summaryText(summaries, output.style.width));
  if (!given["no-sanity"]) output.result(`\n${verdict}`);
  if (othersText !== undefined) output.warn(`${othersText}.`);
  for (const text of sightTexts) output.warn(`${text}.`);
  if (spending.text !== "") {
    output.note(`Hosted models: ${spending.text}`);
    const unread = summaries.reduce((sum, { summary }) => sum + unreadOf(summary.reasons), 0);
    const retry = retryText(unread, spending.costOf(tally.all));
    if (retry !== undefined) output.note(retry);
  }
  if (gathered !== undefined) output.note(`Wrote ${given.out}; open it in a browser`);
  else if (given.out !== undefined) output.note(`Wrote ${tally.all} results to ${given.out}`);
  openWhere(given, environment);
  refuseOverBudget(budget, tally, {
    repliesAreKept: spending.calls > 0 && hosting.replies.directory !== undefined,
  });
  const exampleOf = ({ summary, details }: MetricSummary) =>
    details[commonestReason(summary.reasons) ?? "unparsable"];
  if (tally.unscored === tally.all) {
    const [first] = summaries;
    throw nothingScored(
      summaries.map(({ summary }) => summary.reasons),
      { judgesPhotographs, example: first && exampleOf(first) },
    );
  }
  const few = mostlyUnscored(
    summaries.map((each, at) => ({
      name: choice.chosen[at]?.name ?? "",
      scored: each.summary.n,
      reasons: withoutSkipped(each.summary.reasons, items),
      example: exampleOf(each),
    })),
    { judgesPhotographs, again },
  );
  if (few !== undefined) throw few;
  refuseDefects(given["fail-on"], { ...sanity, verdict });
  sayNext(given, {
    items,
    metrics: choice.metrics,
    words: words({ ...askedAnew, out: "scores.jsonl" }),
    output,
  });
}

/** Scores as far as the budget goes; results go to --out on the way, or as many as are shown come back. */
async function scoreWithin(
  budget: Budget,
  { given, environment, output }: ScoreInvocation,
  { items, choice: { chosen, metrics }, hosting, callsAtOnce }: Scoring,
) {
  const { signal } = environment;
  const { meter, replies } = hosting;
  const { forgetReplies } = asksAgain(given, replies.directory);
  const own = await foreseeScores(items, { chosen, meter, signal });
  // After the scores, whose requests count once.
  const placebos = given["no-sanity"]
    ? undefined
    : await foreseenPlacebos(items, { chosen, meter, signal });
  const foreseen = [own, ...(placebos ?? []).map((each) => each.forecast)]
    .filter((each) => each !== undefined)
    .reduce<Forecast | undefined>((sum, each) => (sum ? together(sum, each) : each), undefined);
  if (foreseen !== undefined && foreseen.calls > 0) {
    output.note(`Scoring: ${forecastText(foreseen, budget.limits)}`);
  }
  const names = metrics.flatMap(modelsBehind);
  const spending = new Spending();
  await lookFirst(meter, { names, budget, signal, trace: spending.note });
  if (foreseen !== undefined) budget.expect(foreseen);

  const tally = new Tally();
  const gathered = isPage(given.out) ? new PageScores() : undefined;
  const show = progressOf("Scoring:", items.length * metrics.length, { environment, output });
  const asked = metrics.map((metric, at) => {
    const fruitless = new Fruitless(chosen[at]?.name ?? metric.name, { hint: mendHint });
    return withinBudget(metric, budget, { fruitless, forget: forgetReplies });
  });
  const imagesAtATime = Math.max(4, tasksInHand(callsAtOnce));
  const rows = asRows(
    scoreAll(items, asked, { signal, trace: spending.note, imagesAtATime }),
    { tally, gathered },
    (done, unscored) => show(done, unscored, spending.text),
  );
  const shown: ResultRow[] = [];
  if (given.out === undefined || gathered !== undefined) {
    for await (const row of rows) {
      if (gathered === undefined && (given.json || shown.length <= mostShown)) shown.push(row);
    }
  } else {
    const pieces = resultText(given.out, resultColumns(items))(rows);
    await writeFileAtomically(resolve(environment.workingDirectory, given.out), pieces);
  }
  const metricsFound =
    placebos === undefined
      ? skippedPlacebos(chosen)
      : await scorePlacebos(items, {
          placebos,
          metrics: asked,
          scoresOf: (metric) => tally.scoresOf(metric),
          wholeOf: (metric) => tally.wholeOf(metric),
          signal,
          trace: spending.note,
          concurrency: imagesAtATime,
        });
  return { tally, spending, gathered, shown, metricsFound };
}

/** Counts and shows results on their way to wherever they are written. */
async function* asRows(
  results: AsyncIterable<ItemResult>,
  { tally, gathered }: { readonly tally: Tally; readonly gathered: PageScores | undefined },
  onDone: (done: number, unscored: number) => void,
): AsyncGenerator<ResultRow> {
  for await (const scored of results) {
    const { item, result } = scored;
    tally.add(scored);
    gathered?.add(scored);
    onDone(tally.all, tally.unscored);
    yield resultRow(item, result);
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
function withoutSkipped(reasons: Reasons, items: readonly ScoreItem[]): Reasons {
  const skipped = items.filter(({ problem }) => problem !== undefined).length;
  return { ...reasons, "bad-input": (reasons["bad-input"] ?? 0) - skipped };
}
