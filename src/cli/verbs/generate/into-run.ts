import { resolve } from "node:path";
import { withInputs } from "../../../benchmarks/step-kind.js";
import { placedName } from "../../../core/models.js";
import type { RecordStore } from "../../../core/record-store.js";
import { openStore, runPlace } from "../../../files/open-store.js";
import type { CallMeter } from "../../../models/prices/call-meter.js";
import type { Budget } from "../../../runs/budget.js";
import { pluralText } from "../../../views/number-text.js";
import { shellWords } from "../../command-line/shell-words.js";
import type { Environment } from "../../environment.js";
import type { ChosenGenerator } from "../../models/generator-choice.js";
import { withOwnModel } from "../../models/own-model.js";
import type { Output } from "../../terminal/output.js";
import { benchmarkWith } from "../run/benchmark-of.js";
import { collect } from "../run/collect.js";
import { unscoredExample, unscoredLines } from "../run/show-steps.js";
import { fewMade } from "../score/mostly-unscored.js";
import { reportMatches, wantedBy, writeWanted } from "./folder-match.js";

/** `generate` for the prompts of a run. With `wanted` only a table of what it wants is written. */
export async function generateIntoRun({
  run,
  model,
  samples,
  embed,
  allowOutside,
  isConfigured,
  command,
  forFolder,
  wanted,
  budget,
  chosen: { generator, callsAtOnce, index },
  meter,
  environment,
  output,
}: {
  readonly run: string;
  readonly model: string;
  readonly samples: number;
  readonly embed: boolean;
  readonly allowOutside: boolean;
  /** Whether the configuration has a model of that name. */
  readonly isConfigured: boolean;
  /** The words after `touchstone` of this command, which the run keeps. */
  readonly command: readonly string[];
  /** Those of the command that takes wanted images from a folder. */
  readonly forFolder: readonly string[];
  readonly wanted: string | undefined;
  readonly budget: Budget;
  readonly chosen: ChosenGenerator;
  readonly meter: CallMeter;
  readonly environment: Environment;
  readonly output: Output;
}): Promise<void> {
  const inputs = {
    models: isConfigured ? [model] : undefined,
    embed: embed || undefined,
    allowOutside: allowOutside || undefined,
  };
  const stepsOf = ({ recipe }: RecordStore) =>
    benchmarkWith(recipe, "paint")
      .paint({ generator, seed: recipe.seed, samples })
      .map((step) => withInputs(step, inputs));
  if (wanted !== undefined || index !== undefined) {
    const records = await openStore(runPlace(run, environment), {
      mayLack: true,
    });
    const steps = stepsOf(records);
    if (wanted !== undefined) {
      const path = resolve(environment.workingDirectory, wanted);
      const images = await writeWanted(path, wantedBy(steps, records));
      output.result(`${images} images are wanted: ${wanted}`);
      output.resultJson({ run, wanted, images });
      output.nextCommand(forFolder);
      return;
    }
    if (index !== undefined) {
      await reportMatches({ index, steps, records }, { output, folder: model });
    }
  }
  const { store, summaries } = await collect(stepsOf, {
    run,
    command,
    models: [placedName(generator.identity)],
    budget,
    meter,
    ...(callsAtOnce === undefined ? {} : { callsAtOnce }),
    environment,
    output,
  });
  const [summary] = summaries;
  if (summary === undefined) return;
  const unscored = Object.entries(summary.unscored);
  const place =
    index !== undefined && !embed ? `${run}, referred to where they lie` : `${run}/blobs`;
  output.result(
    [
      `${summary.done} images in ${place}${await ofWhatText(store, summary.done)}`,
      ...unscored.map(([reason, count]) => `${count} not made: ${reason}`),
      ...unscoredLines(summary.step, await unscoredExample(store, summary), output.style.width),
    ].join("\n"),
  );
  output.resultJson({ run, ...summary, unscored: { ...summary.unscored } });
  const few = fewMade(
    summary.done,
    summary.unscored,
    `Ask again for what may be made now: ${shellWords(["touchstone", ...command])}`,
  );
  if (few !== undefined) throw few;
  output.nextCommand(await scoreWords(run, model.startsWith("lab:"), environment));
}

/** @example ": 6 prompts x 4 texts (correct, adversarial, …) x 1 sample"; "" where some are missing */
async function ofWhatText(store: RecordStore, made: number): Promise<string> {
  const sets = { prompt: new Set(), text: new Set<string>(), sample: new Set() };
  for await (const { prompt, role, sample } of store.ofType("image")) {
    sets.prompt.add(prompt);
    sets.text.add(role);
    sets.sample.add(sample);
  }
  const counts = Object.entries(sets).map(([noun, { size }]) => ({ noun, size }));
  const isWhole = counts.reduce((product, { size }) => product * size, 1) === made;
  const roles = sets.text.size > 1 ? ` (${[...sets.text].join(", ")})` : "";
  const factors = counts.map(
    ({ noun, size }) => pluralText(size, noun) + (noun === "text" ? roles : ""),
  );
  return isWhole ? `: ${factors.join(" x ")}` : "";
}

/** The words of the command that scores a run whose images are made. */
export const scoreWords = async (
  run: string,
  isFromLab: boolean,
  environment: Environment,
): Promise<readonly string[]> =>
  isFromLab
    ? ["score", run, "--model", "lab:vqa", "--model", "lab:dual-encoder-skewed"]
    : withOwnModel(["score", run], environment);
