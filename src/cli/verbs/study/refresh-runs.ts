import { InputError } from "../../../core/errors.js";
import { peopleModel } from "../../../core/models.js";
import {
  hasStore,
  isShared,
  mayHoldEndedRun,
  openDocuments,
  openStore,
} from "../../../files/open-store.js";
import { reportPage } from "../../../report/standing.js";
import { notedExports } from "../../../runs/noted-exports.js";
import { readState } from "../../../studies/home/read-state.js";
import type { NotedRun, StudyHome } from "../../../studies/home/study-home.js";
import {
  type PersonAnswer,
  peopleBehind,
  peopleStep,
} from "../../../studies/people-metric/people-step.js";
import { ratedBlock } from "../../../studies/people-metric/rated-block.js";
import { invocationOf } from "../../command-line/command.js";
import { parseArguments } from "../../command-line/parse-arguments.js";
import type { Environment } from "../../environment.js";
import type { Output } from "../../terminal/output.js";
import { collect } from "../run/collect.js";
import { stepName } from "../score/score-people.js";

/** @throws InputError where a process works on a run that took answers over, before anything is erased */
export async function refuseHeldRuns(home: StudyHome): Promise<void> {
  for (const { run } of await home.runs()) {
    if (isShared(run) || !(await hasStore(run))) continue;
    const [worker] = await (await openStore(run, { anyhow: true })).workers();
    if (worker === undefined) continue;
    throw new InputError(`Expected nobody at work on ${run} but ${worker.who} is`, {
      hint: "The run took answers over. Nothing was erased: erase again when that process has ended.",
    });
  }
}

export interface RefreshedRuns {
  /** Runs that held answers of who was erased, and hold none now. */
  readonly changed: readonly string[];
  /** Runs in databases, of version 0.2: what they hold is out of reach. */
  readonly unreached: readonly string[];
}

/**
 * Takes who was erased out of the runs that took a study's answers over: scores are made anew of
 * those who are left, step files are sealed anew, and a report that stood is written anew. A run that is no
 * longer where it was is told of, and so is each export of a run that changed: it is a copy that nobody here
 * can reach.
 */
export async function refreshRuns(
  home: StudyHome,
  { environment, output }: { readonly environment: Environment; readonly output: Output },
): Promise<RefreshedRuns> {
  const runs = await home.runs();
  const changed: string[] = [];
  const unreached: string[] = [];
  if (runs.length === 0) return { changed, unreached };
  const present = (await readState(home)).participants;
  for (const noted of runs) {
    if (await mayHoldEndedRun(noted.run)) {
      unreached.push(noted.run);
    } else if (isShared(noted.run) || !(await hasStore(noted.run))) {
      output.warn(
        `${noted.run} took answers over and can't be opened any more. If it was moved, score it again: ` +
          "touchstone score RUN --answers DIR",
      );
    } else {
      if (!(await refreshed(home, { noted, present, environment, output }))) continue;
      changed.push(noted.run);
      for (const { out, at, withPeople } of await notedExports(noted.run)) {
        output.warn(
          `${noted.run} was exported to ${out} on ${at.slice(0, 10)}, ` +
            (withPeople ? "with each participant's answers" : "with scores that the erased gave") +
            ": delete every copy of it, or write it anew with touchstone studio export.",
        );
      }
    }
  }
  return { changed, unreached };
}

async function refreshed(
  home: StudyHome,
  {
    noted: { run, block, command },
    present,
    environment,
    output,
  }: {
    readonly noted: NotedRun;
    readonly present: ReadonlyMap<string, unknown>;
    readonly environment: Environment;
    readonly output: Output;
  },
): Promise<boolean> {
  const store = await openStore(run, { mayLack: true });
  const kept = new Map<string, readonly PersonAnswer[]>();
  let isStale = false;
  for await (const score of store.ofType("score")) {
    if (score.model !== peopleModel(home.study.id) || score.convention !== block) continue;
    const people = score.status === "done" ? peopleBehind(score.details) : [];
    const left = people.filter(({ annotator }) => present.has(annotator));
    isStale ||= left.length < people.length;
    kept.set(score.of, left);
  }
  if (!isStale) return false;
  const step = peopleStep({
    ...ratedBlock(home.study, block),
    study: home.study,
    name: stepName(store, home.study.id),
    answersTo: (image) => kept.get(image) ?? [],
  });
  await collect(() => [step], { run, command, environment, output: quiet(output) });
  if (await openDocuments(run).has(reportPage)) await reportAnew(run, { environment, output });
  return true;
}

/** A report holds figures of those who were erased, so none is better than the one that stood. */
async function reportAnew(
  run: string,
  { environment, output }: { readonly environment: Environment; readonly output: Output },
): Promise<void> {
  const { default: command } = await import("../report/report.js");
  const given = parseArguments([run], command.arguments, "report");
  const shared = { ...given, json: false, debug: false };
  await command.run(
    invocationOf(
      { name: "report", command },
      { given: shared, environment, output: quiet(output) },
    ),
  );
}

const quiet = (output: Output): Output => ({
  ...output,
  result() {},
  resultJson() {},
  nextCommand() {},
});
