import { resolve } from "node:path";
import { asJson, type JsonObject } from "../../../core/json.js";
import { taskTables } from "../../../core/judging-task.js";
import type { Certified, NotCertified } from "../../../ensembles/selective-certificate.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { readTextFile } from "../../../files/regular-file.js";
import { type JudgeArtefact, judgeHash } from "../../../judges/judge-artefact.js";
import { promiseWords } from "../../../judges/promise-words.js";
import { certificateText, percentOf, thresholdText } from "../../../views/certificate-text.js";
import { countText, pluralText } from "../../../views/number-text.js";
import { numberColumns } from "../../../views/printed.js";
import type { CollectedRun } from "../../command-line/command.js";
import { besideName } from "../../command-line/out-path.js";
import { shellWords } from "../../command-line/shell-words.js";
import type { Output } from "../../terminal/output.js";
import { table } from "../../terminal/terminal-table.js";
import { wrap } from "../../terminal/wrap.js";
import type { JudgeGiven } from "./judge-arguments.js";
import type { JudgedItem } from "./judged-items.js";
import type { OwnFiles } from "./review-place.js";

/** Outcome of the items to judge. */
export interface Outcome {
  readonly accepted: readonly JudgedItem[];
  /** Items for people. */
  readonly rest: readonly JudgedItem[];
  /** Number of items that people answered before, and the files that hold those answers. */
  readonly answered: number;
  readonly answeredFiles: readonly string[];
  readonly n: number;
  /** Questions that were asked of the model. */
  readonly calls: number;
}

/** Prints how many items were accepted by which promise, and how people's answers go back. */
export function showJudged(
  { accepted, rest, answered, answeredFiles, n, calls }: Outcome,
  {
    given,
    judge,
    judgeFile,
    own,
    review,
    saved,
    wanted,
    certificate,
    threshold,
    sanity,
    output,
  }: {
    readonly given: JudgeGiven;
    readonly judge: JudgeArtefact;
    readonly judgeFile: string;
    readonly own: OwnFiles;
    /** The file of the review queue. */
    readonly review: string;
    readonly saved: SavedResults;
    readonly wanted: { readonly target: number; readonly confidence: number };
    readonly certificate: Certified | NotCertified;
    readonly threshold: number | null;
    readonly sanity: CollectedRun["sanity"];
    readonly output: Output;
  },
): void {
  const { approximate } = given;
  const { file: out, changes } = saved;
  const { task, prompts } = judge;
  const { item: called, label } = taskTables[task];
  const kept =
    changes === undefined
      ? []
      : [`${given.out} holds other decisions and stays; these are in ${out}: ${changes}`];
  const unanswered = rest.filter(({ asked, unscored }) => asked > 0 && asked === unscored).length;
  const most = n * prompts.length * judge.trials;
  const share = calls / most;
  const isPromised = given.threshold === undefined;
  const sentence = isPromised
    ? certificateText(certificate, judge, wanted)
    : "You gave the threshold: how often it errs is not certified.";
  output.resultJson({
    judge: judgeHash(judge),
    task,
    n,
    accepted: accepted.length,
    review: rest.length,
    answered,
    unscored: unanswered,
    threshold,
    target: wanted.target,
    confidence: wanted.confidence,
    approximate,
    certificate: isPromised ? { ...certificate } : null,
    calls,
    shareOfCalls: share,
    out,
    reviewFile: review,
    ...(sanity === undefined ? {} : { sanity: asJson(sanity) }),
    warnings: [...(threshold === null ? [sentence] : []), ...kept],
  });
  const { style } = output;
  const verdict = [
    `The judge decided ${countText(accepted.length)} of ${pluralText(n, called)}; `,
    answered > 0 ? `people decided ${countText(answered)} before, ` : "",
    `${countText(rest.length)} ${rest.length === 1 ? "goes" : "go"} to people.`,
  ].join("");
  output.result(style.bold(wrap(verdict, style.width)));
  output.result(
    `\n${table(
      [{ title: `${called}s` }, ...numberColumns("n", "share"), { title: "file" }],
      [
        ["accepted", String(accepted.length), percentOf(accepted.length / n), out],
        ...(answered > 0
          ? [
              [
                "answered before",
                String(answered),
                percentOf(answered / n),
                answeredFiles.join(", "),
              ],
            ]
          : []),
        ["for people", String(rest.length), percentOf(rest.length / n), review],
      ],
      style.width,
    )}`,
  );
  output.result(`\n${wrap(sentence, style.width)}`);
  if (threshold === null) {
    output.warn(
      `So no model was asked, and all ${called}s go to people. --threshold 0.9 accepts without a promise.`,
    );
  } else {
    output.note(
      `Asked ${pluralText(calls, "question")} of ${most} (${percentOf(share)}), ` +
        `accepting at ${thresholdText(threshold)}` +
        (unanswered > 0 ? `; ${pluralText(unanswered, called)} without any answer` : ""),
    );
  }
  for (const warning of kept) output.warn(warning);
  // Where nothing is left to people, what there is to see is how far the judge can be trusted.
  if (rest.length === 0) {
    output.nextCommand(["studio", judgeFile]);
    return;
  }
  const studio = shellWords(["touchstone", "studio", review]);
  output.note(`Answer with one key each (${studio}), or fill in ${label} in ${review};`);
  output.note("then what people said goes back by:");
  const known = [own.labels, ...own.added];
  const further = [...answeredFiles, review].filter((file) => !known.includes(file));
  output.nextCommand([
    ...["calibrate", ...judge.command, ...promiseWords(wanted)],
    ...further.flatMap((file) => ["--add", file]),
    ...["--out", judgeFile],
  ]);
}

/** Where results were written. */
interface SavedResults {
  readonly file: string;
  /** How they differ from those in the file that was named, where these stay. */
  readonly changes: string | undefined;
}

/**
 * Writes results to the file that was named; where other results stand there, beside it. Results that
 * all stand in the new ones are no others.
 */
export async function saveResults(
  rows: readonly JsonObject[],
  { out, workingDirectory }: { readonly out: string; readonly workingDirectory: string },
): Promise<SavedResults> {
  const lines = rows.map((row) => JSON.stringify(row));
  const known = new Set(lines);
  let first: string[] | undefined;
  for (let number = 1; ; number++) {
    const file = besideName(out, number);
    const path = resolve(workingDirectory, file);
    const standing = await readTextFile(path).then(
      (text) => text.split("\n").filter(Boolean),
      () => [],
    );
    first ??= standing;
    if (!standing.every((line) => known.has(line))) continue;
    await writeFileAtomically(path, lines.map((line) => `${line}\n`).join(""));
    return { file, changes: file === out ? undefined : changesText(first, rows) };
  }
}

/** Compares decisions by the ids of items. */
function changesText(before: readonly string[], rows: readonly JsonObject[]): string {
  const was = decisionsOf(before.flatMap(rowOf));
  const is = decisionsOf(rows);
  const ids = [...is.keys()];
  const known = ids.filter((id) => was.has(id));
  const otherwise = known.filter((id) => was.get(id) !== is.get(id));
  const gone = [...was.keys()].filter((id) => !is.has(id)).length;
  const such = otherwise.length === 0 ? "" : ` (such as ${otherwise[0]})`;
  return (
    `${pluralText(known.length - otherwise.length, "decision")} as before, ${otherwise.length} otherwise${such}, ` +
    `${gone} no longer made, ${ids.length - known.length} new.`
  );
}

const decisionsOf = (rows: readonly JsonObject[]) =>
  new Map(rows.map(({ id, decision }) => [String(id), decision]));

function rowOf(line: string): JsonObject[] {
  try {
    return [JSON.parse(line) as JsonObject];
  } catch {
    return [];
  }
}
