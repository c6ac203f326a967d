import { resolve } from "node:path";
import { IncompleteError, InputError, TouchstoneError } from "../../../core/errors.js";
import { type GenerationRequest, placedName } from "../../../core/models.js";
import type { CallMeter } from "../../../models/prices/call-meter.js";
import type { Budget } from "../../../runs/budget.js";
import { forecast, triedOf } from "../../../runs/step-forecast.js";
import { parseMap } from "../../../tables/map.js";
import { shellWords } from "../../command-line/shell-words.js";
import type { Environment } from "../../environment.js";
import type { ChosenGenerator } from "../../models/generator-choice.js";
import { withOwnModel } from "../../models/own-model.js";
import type { Output } from "../../terminal/output.js";
import { forecastText } from "../run/forecast-text.js";
import { progressOf } from "../score/score-progress.js";
import { Spending } from "../score/spending.js";
import { type FolderSummary, generateFolder, readPrompts } from "./generate-folder.js";

/** Hosted or not, a generator is asked for so many images at once where it does not say. */
const atOnce = 4;

/**
 * `generate` with a table of prompts: images into a folder that `score` reads.
 *
 * @throws IncompleteError where a limit, an interruption or a full disk left images to be made.
 */
export async function generateIntoFolder({
  prompts: source,
  out,
  samples,
  seed,
  map,
  budget,
  chosen: { generator, callsAtOnce = atOnce },
  meter,
  words,
  environment,
  output,
}: {
  readonly prompts: string;
  readonly out: string | undefined;
  readonly samples: number;
  readonly seed: number;
  readonly map: readonly string[];
  readonly budget: Budget;
  readonly chosen: ChosenGenerator;
  readonly meter: CallMeter;
  /** The words after `touchstone` that go on with this. */
  readonly words: readonly string[];
  readonly environment: Environment;
  readonly output: Output;
}): Promise<void> {
  if (out === undefined) {
    throw new InputError(`Expected --out for the prompts of ${source} but it was not given`, {
      hint: `touchstone ${shellWords([...words, "--out", "images"])}`,
    });
  }
  const { prompts, repeated } = await readPrompts(source, {
    environment,
    map: parseMap(map),
    tell: output.warn,
  });
  if (repeated > 0)
    output.warn(`${repeated} prompts occur more than once in ${source}; each counts once`);
  const spending = new Spending();
  const forecastOf = (requests: readonly GenerationRequest[]) => {
    const isTried = triedOf(requests.length);
    const tried = requests.filter((_, at) => isTried(at));
    return forecast(
      meter,
      tried.map((request) => () => generator.generate(request)),
      requests.length,
    );
  };
  const again = `Go on with it: touchstone ${shellWords([...words, "--out", out])}`;
  const show = progressOf("Made", prompts.length * samples, { environment, output });
  let summary: FolderSummary;
  try {
    summary = await generateFolder({
      prompts,
      samples,
      seed,
      generator,
      directory: resolve(environment.workingDirectory, out),
      concurrency: callsAtOnce,
      signal: environment.signal,
      budget,
      trace: spending.note,
      async onWanted(requests) {
        if (!meter.watches(placedName(generator.identity))) return;
        const foreseen = await forecastOf(requests);
        if (foreseen.calls > 0) output.note(`Images: ${forecastText(foreseen, budget.limits)}`);
        budget.expect(foreseen);
      },
      onProgress: (done, unscored) => show(done, unscored, spending.text),
    });
  } catch (error) {
    if (!(error instanceof TouchstoneError) || !["disk", "incomplete"].includes(error.code))
      throw error;
    const hint = error.hint === undefined ? again : `${error.hint}\n${again}`;
    throw new IncompleteError(error.message, { hint, cause: error });
  }
  const { total, made, reused, unscored } = summary;
  const left = total - made;
  const cost = spending.text === "" ? "" : `; ${spending.text}`;
  output.result(
    [
      `${made} of ${total} images in ${out}${reused > 0 ? `, ${reused} of them from before` : ""}${cost}`,
      ...Object.entries(unscored).map(([reason, count]) => `${count} not made: ${reason}`),
      ...(Object.keys(unscored).length > 0 ? [`Why: ${out}/unscored.jsonl`] : []),
    ].join("\n"),
  );
  output.resultJson({ out, ...summary, unscored: { ...unscored }, spent: spending.toJSON() });
  const asked = Object.values(unscored).reduce((sum, count) => sum + count, 0);
  if (environment.signal.aborted || left > asked) {
    const why = environment.signal.aborted
      ? "it was interrupted"
      : `the limit of ${budget.over} was met`;
    throw new IncompleteError(`${left - asked} of ${total} images were not made: ${why}`, {
      hint: again,
    });
  }
  output.nextCommand(
    made === 0
      ? [...words, "--out", out]
      : await withOwnModel(["score", out, "--metric", "vqa-score"], environment, {
          lab: generator.identity.provider === "lab" ? "lab:vqa" : undefined,
        }),
  );
}
