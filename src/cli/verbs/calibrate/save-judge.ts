import { resolve } from "node:path";
import { asJson, canonicalJson, type Json } from "../../../core/json.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { absent } from "../../../files/file-error.js";
import { readTextFile, UnreadableFile } from "../../../files/regular-file.js";
import { type JudgeArtefact, openedJudge, sealedJudge } from "../../../judges/judge-artefact.js";
import { percentOf } from "../../../views/certificate-text.js";
import { fixedText } from "../../../views/number-text.js";
import { besideName } from "../../command-line/out-path.js";

/** Where a judge was saved. */
export interface SavedJudge {
  readonly file: string;
  /** What changes with it, where another certified judge stands in the file that was named. */
  readonly changes: string | undefined;
}

/**
 * Saves a judge in the file that was named, or, where a certified judge stands there that decides
 * otherwise, beside it: that one is replaced by nobody but the user.
 */
export async function saveJudge(
  judge: JudgeArtefact,
  { out, workingDirectory }: { readonly out: string; readonly workingDirectory: string },
): Promise<SavedJudge> {
  const save = (file: string) =>
    writeFileAtomically(resolve(workingDirectory, file), sealedJudge(judge));
  let first: JudgeArtefact | undefined;
  for (let number = 1; ; number++) {
    const file = besideName(out, number);
    const standing = await judgeIn(resolve(workingDirectory, file), file);
    first ??= standing;
    if (standing !== undefined && isCertified(standing) && !decideAlike(standing, judge)) continue;
    await save(file);
    return { file, changes: first && file !== out ? changesText(first, judge) : undefined };
  }
}

const isCertified = ({ certification }: JudgeArtefact): boolean => certification.threshold !== null;

/** Returns the judge in a file; undefined where there is no file, or it holds something else. */
async function judgeIn(path: string, file: string): Promise<JudgeArtefact | undefined> {
  const text = await readTextFile(path).catch((error: unknown) =>
    error instanceof UnreadableFile ? undefined : absent(file)(error),
  );
  try {
    return text === undefined ? undefined : openedJudge(text, file);
  } catch {
    return undefined;
  }
}

/** Whether two judges decide the same by the same promise, whatever labels they know. */
const decideAlike = (one: JudgeArtefact, other: JudgeArtefact): boolean =>
  canonicalJson(decidingPart(one)) === canonicalJson(decidingPart(other));

function decidingPart({ software, command, labels, lock, anchors, ...judge }: JudgeArtefact): Json {
  return asJson(judge);
}

/** @example "accepts 74 % of 120 held-out labels (before 80 % of 90), at confidence 0.81 or more (before 0.84)" */
function changesText(before: JudgeArtefact, after: JudgeArtefact): string {
  const [was, is] = [before, after].map(acceptanceOf);
  return `The new judge ${is}; the one in place ${was}.`;
}

function acceptanceOf({ certification }: JudgeArtefact): string {
  const { threshold, counts, n, target, confidence } = certification;
  if (threshold === null) return `is not certified for ${percentOf(target)}`;
  const accepted = counts.findLast((count) => count.threshold === threshold)?.accepted ?? 0;
  return (
    `accepts ${percentOf(accepted / n)} of ${n} held-out labels from confidence ${fixedText(threshold, 3)} on ` +
    `(at most ${percentOf(target)} wrong, with ${percentOf(confidence)} confidence)`
  );
}
