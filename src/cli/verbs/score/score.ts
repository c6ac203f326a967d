import { largestOf } from "../../../core/arrays.js";
import { asJson } from "../../../core/json.js";
import { command, type Means } from "../../command-line/command.js";
import { checkOpen } from "../../command-line/shared-arguments.js";
import { shellWords } from "../../command-line/shell-words.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import { exampleChatModel, exampleEncoder } from "../../models/example-models.js";
import { hostingAsGiven } from "../../models/hosting.js";
import { collectAndConclude } from "../run/collect.js";
import { budgetOf } from "../run/limits.js";
import { anewWords, asksAgain } from "../run/retry-unscored.js";
import { chooseMetrics, chooseRater, isOwnMetric } from "./metric-choice.js";
import { ratingWordings, refuseIdleWordings } from "./rating-wordings.js";
import {
  askedAnew,
  checkResultFile,
  refuseIdleFlags,
  runWithAnswers,
  scoreArguments,
} from "./score-arguments.js";
import { type ScoreInvocation, type Scoring, scoreGivenItems } from "./score-given-items.js";
import { isRun, scoreRun } from "./score-run.js";

export default command({
  description:
    "Scores images against texts: a folder of images with metadata.jsonl or metadata.csv " +
    "(file_name, text), a table (JSONL, CSV, Parquet; image, text; paths relative to it), a " +
    "run, or one image. All files are looked at before a model is asked, and decoded before " +
    "one is paid for; if one is broken, it is named and nothing is written. A missing answer is unscored, with a reason. The " +
    "exit code is 3 if a metric scores nothing with a model, or if most results are unscored.",
  examples: [
    `touchstone score ./images --model ${exampleEncoder}`,
    `touchstone score ./images --metric vqa-score --model ${exampleChatModel}`,
    "touchstone score ./images --metric localized-vqa-score --model lab:vqa --model lab:localizer",
    "touchstone score ./images --metric vqa-score=lab:vqa --metric clip-score=lab:dual-encoder-skewed",
    "touchstone score prompts.csv --map image=path --metric clip-score:cosine --model lab:dual-encoder-skewed",
    'touchstone score --image cat.png --text "a cat" --metric ./mine.mjs --json',
    "touchstone score ./images --metric python:mine:brightness",
  ],
  arguments: scoreArguments,
  async run(invocation) {
    const { given, environment, output, words } = invocation;
    const { workingDirectory } = environment;
    checkOpen(given);
    await checkResultFile(given, workingDirectory);
    if (given.answers !== undefined || given.block !== undefined) {
      const { run, answers } = await runWithAnswers(given, environment);
      const command = words(askedAnew);
      const { scorePeople } = await import("./score-people.js");
      return scorePeople({ run, answers, block: given.block, command, environment, output });
    }
    const { source } = given;
    const intoRun = source !== undefined && (await isRun(source, environment));
    const budget = budgetOf(given);
    const scoring = await scoringOf(invocation, { budget });
    const { settings, hosting, wordings, choice, callsAtOnce, judgesPhotographs, again } = scoring;
    const { chosen, models } = choice;
    refuseIdleFlags(given, intoRun);
    if (intoRun) {
      for (const { load } of models) await load();
      const rater = given["rate-with"];
      const keepFrom = given["keep-from"];
      const chosenRater =
        rater === undefined
          ? undefined
          : await chooseRater(rater, settings.models, hosting, wordings);
      const named = configuredIn(
        [...chosen.map(({ name }) => name), rater, given["decompose-with"]],
        settings.models,
      );
      return scoreRun({
        run: source,
        chosen,
        rater: chosenRater?.rater,
        keepFrom,
        command: [...words(askedAnew), ...anewWords(given)],
        again,
        judgesPhotographs,
        inputsOf: (metric) => {
          const own = chosen.find((each) => each.metric.name === metric);
          const wording = wordings.get(metric);
          const isAsked = own !== undefined || metric === chosenRater?.rater.name;
          return {
            models: isAsked ? named : undefined,
            own: own !== undefined && isOwnMetric(own.name) ? own.name : undefined,
            wording: wording && isAsked ? asJson(wording) : undefined,
          };
        },
        budget,
        callsAtOnce: Math.max(callsAtOnce, chosenRater?.callsAtOnce ?? 0),
        meter: hosting.meter,
        // A run keeps what was scored; only its answers that could not be read may be asked again.
        failOn: given["fail-on"],
        askAgain: asksAgain({ ...given, "no-cache": false }, hosting.replies.directory),
        environment,
        output,
      });
    }
    await collectAndConclude(await scoreGivenItems(invocation, scoring));
  },
  make: async (invocation, means) =>
    scoreGivenItems(invocation, await scoringOf(invocation, means)),
});

/** Chooses metrics and models as a command names them. */
async function scoringOf(
  { given, environment, output, words }: ScoreInvocation,
  { budget, hosting: shared }: Partial<Means> & Pick<Means, "budget">,
): Promise<Scoring> {
  const { workingDirectory } = environment;
  const { settings } = await loadConfiguration(environment);
  const hosting = shared ?? hostingAsGiven(given, { settings, environment, output });
  const wordings = await ratingWordings(given.wording, workingDirectory);
  const choice = await chooseMetrics({
    names: given.metric.length > 0 ? given.metric : (settings.score?.metrics ?? []),
    modelTexts: given.model,
    otherwise: settings.score?.models ?? [],
    configured: settings.models,
    hosting,
    workingDirectory,
    decomposeWith: given["decompose-with"],
    wordings,
  });
  refuseIdleWordings(wordings, { metrics: choice.metrics, rater: given["rate-with"] });
  const { models } = choice;
  return {
    settings,
    hosting,
    wordings,
    choice,
    budget,
    callsAtOnce: Math.max(0, largestOf(models.map((model) => model.callsAtOnce ?? 0))),
    judgesPhotographs: models.every((model) => model.judgesPhotographs),
    // Nobody can give again what came on standard input.
    again: (metric) =>
      given.source === "-"
        ? undefined
        : shellWords(["touchstone", ...words({ ...askedAnew, metric, model: undefined })]),
  };
}

/** Returns the names of the configuration, if any, among models that stand alone or behind a metric: `vqa-score=MODEL,MODEL`. */
const configuredIn = (
  texts: readonly (string | undefined)[],
  configured: Readonly<Record<string, unknown>> = {},
): string[] | undefined => {
  const models = texts.flatMap((text = "") => text.slice(text.indexOf("=") + 1).split(","));
  const named = [...new Set(models)].filter((model) => Object.hasOwn(configured, model));
  return named.length === 0 ? undefined : named;
};
