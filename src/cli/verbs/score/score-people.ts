import { resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { peopleModel } from "../../../core/models.js";
import type { RecordStore } from "../../../core/record-store.js";
import type { AnyStep } from "../../../core/step.js";
import { isShared, openStore, runPlace } from "../../../files/open-store.js";
import { shownPlace } from "../../../files/postgres/address.js";
import { openStudy } from "../../../studies/home/open-study.js";
import type { StudyHome } from "../../../studies/home/study-home.js";
import { peopleStep } from "../../../studies/people-metric/people-step.js";
import { answersByImage, ratedBlock } from "../../../studies/people-metric/rated-block.js";
import { collect as collectAnswers } from "../../../studies/tables/counted-answers.js";
import type { Environment } from "../../environment.js";
import type { Output } from "../../terminal/output.js";
import { benchmarkWith, reportWords } from "../run/benchmark-of.js";
import { collect } from "../run/collect.js";

/** Takes the answers of a study over into the run that its images came from, as scores by people. */
export async function scorePeople({
  run,
  answers: directory,
  block: wanted,
  command,
  environment,
  output,
}: {
  readonly run: string;
  readonly answers: string;
  readonly block: string | undefined;
  readonly command: readonly string[];
  readonly environment: Environment;
  readonly output: Output;
}): Promise<void> {
  const home = await studyNamed(directory, environment.workingDirectory);
  const { rated, byImage, stepFor } = await answersIn(home, wanted);
  const place = runPlace(run, environment);
  const standing = await openStore(place, { mayLack: true });
  benchmarkWith(standing.recipe, "score");
  const shown = new Set(rated.block.items.map(({ beside }) => beside.of));
  let images = 0;
  for await (const { key } of standing.ofType("image")) if (shown.has(key)) images++;
  if (images === 0) {
    throw new InputError(
      `Expected a study of images of ${run} but ${directory} shows none of them`,
      {
        hint: `Create one whose items come from the run: from: ${run}`,
      },
    );
  }
  // Noted first: whoever is erased while this is at work must vanish from the run, too.
  await home.noteRun({ run: place, block: rated.block.name, command });
  const { store, summaries } = await collect(
    (store) => [{ ...stepFor(store), inputs: { study: directory } }],
    { run, command, models: [peopleModel(home.study.id)], environment, output },
  );
  const [summary] = summaries;
  const people = new Set([...byImage.values()].flat().map(({ annotator }) => annotator)).size;
  const done = summary?.done ?? 0;
  output.resultJson({
    run,
    study: home.study.id,
    block: rated.block.name,
    people,
    images: done,
    unanswered: images - done,
  });
  output.result(
    `${people} ${people === 1 ? "person" : "people"} scored ${done} of ${images} images of ${run} ` +
      `(${rated.metric.statistic}).`,
  );
  output.note("Who is erased from the study is erased from the run, too.");
  output.nextCommand(await reportWords(run, store));
}

/** The step of a run that takes over what people have answered in the study at a place. */
export async function stepOfPeople(
  store: RecordStore,
  {
    study,
    block,
    workingDirectory,
  }: Readonly<Record<"study" | "block" | "workingDirectory", string>>,
): Promise<AnyStep> {
  const { stepFor } = await answersIn(await studyNamed(study, workingDirectory), block);
  return stepFor(store);
}

async function answersIn(home: StudyHome, wanted: string | undefined) {
  const rated = ratedBlock(home.study, wanted);
  const { answers } = await collectAnswers(home);
  const byImage = answersByImage(answers, rated.block);
  return {
    rated,
    byImage,
    stepFor: (store: RecordStore) =>
      peopleStep({
        ...rated,
        study: home.study,
        name: stepName(store, home.study.id),
        answersTo: (image) => byImage.get(image) ?? [],
      }),
  };
}

/** People are the reference of attribute confusion where nobody else is. */
export function stepName(
  { recipe }: RecordStore,
  study: string,
): "score-images" | "check-attributes" {
  const isOfDescriptions = recipe.steps.some(({ name }) => name === "build-descriptions");
  const hasReference = recipe.steps.some(
    ({ name, part }) => name === "check-attributes" && part?.endsWith(study) !== true,
  );
  return isOfDescriptions && !hasReference ? "check-attributes" : "score-images";
}

/** The study that `--answers` names: its folder, or its address, which is kept, so it holds no password. */
function studyNamed(place: string, workingDirectory: string): Promise<StudyHome> {
  if (!isShared(place)) return openStudy(resolve(workingDirectory, place));
  if (shownPlace(place) === place) return openStudy(place);
  throw new InputError("Expected an address without a password for --answers", {
    hint: "The run keeps the command. The password comes from PGPASSWORD or ~/.pgpass.",
  });
}
