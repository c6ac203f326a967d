import { resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import type { Metric } from "../../../core/metric.js";
import { failed } from "../../../files/file-error.js";
import { readTextFile } from "../../../files/regular-file.js";
import {
  paperRatingWording,
  type RatingWording,
  readRatingWording,
} from "../../../metrics/chat-rating.js";

/** Words of one's own by the name of the metric that asks by them. */
export type RatingWordings = ReadonlyMap<string, RatingWording>;

const rated = ["mllm-rating", "prompt-rating"];

/**
 * Reads what `--wording NAME=FILE` names.
 *
 * @throws InputError for another metric, one named twice, or a file that is no such wording.
 */
export async function ratingWordings(
  given: readonly string[],
  workingDirectory: string,
): Promise<RatingWordings> {
  const wordings = new Map<string, RatingWording>();
  for (const text of given) {
    const [, name = "", file = ""] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (!rated.includes(name) || wordings.has(name)) {
      throw new InputError(
        `Expected mllm-rating=FILE.yaml or prompt-rating=FILE.yaml, each once, for --wording but received "${text}"`,
      );
    }
    wordings.set(name, file === "paper" ? ofPaper(name) : await read(file, workingDirectory));
  }
  return wordings;
}

function ofPaper(name: string): RatingWording {
  if (name === "mllm-rating") return paperRatingWording();
  throw new InputError(`Expected a file for --wording ${name} but received paper`, {
    hint: "ProtoBias does not print the words by which its filter asks.",
  });
}

const read = async (file: string, workingDirectory: string) =>
  readRatingWording(
    file,
    await readTextFile(resolve(workingDirectory, file)).catch(failed("read", file)),
  );

/** Refuses words that no metric of the command asks by. */
export function refuseIdleWordings(
  wordings: RatingWordings,
  {
    metrics,
    rater,
  }: { readonly metrics: readonly Pick<Metric, "name">[]; readonly rater: string | undefined },
): void {
  for (const name of wordings.keys()) {
    if (metrics.some((metric) => metric.name === name)) continue;
    if (name === "prompt-rating" && rater !== undefined) continue;
    throw new InputError(`Expected ${name} among the metrics for --wording ${name} but it is not`, {
      hint: `Add --metric ${name}=MODEL`,
    });
  }
}
