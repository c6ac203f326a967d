import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Habits,
  knownAnswers,
  type TruthOf,
  takePart,
} from "../../packages/lab/src/people/simulated-person.js";
import { randomFrom } from "../../src/core/random.js";
import { encodePng } from "../../src/images/pixels-picture.js";
import { readStudyConfig } from "../../src/studies/config/read-study-config.js";
import { createStudy } from "../../src/studies/create-study.js";
import {
  createStudyFolder,
  openStudyFolder,
  type StudyFolder,
} from "../../src/studies/home/study-folder.js";
import { StudyImages } from "../../src/studies/home/study-images.js";
import { studyApp } from "../../src/studies/server/study-app.js";
import { StudyService } from "../../src/studies/server/study-service.js";
import { temporaryDirectory } from "./temporary-directory.js";

/** So many images that differ, as files of a folder. */
async function paintImages(folder: string, count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    const data = Uint8Array.from({ length: 8 * 8 * 3 }, (_, byte) => (byte * 7 + at * 13) % 251);
    data.set([at % 251, Math.floor(at / 251)], 0);
    await writeFile(join(folder, `${at}.png`), encodePng({ width: 8, height: 8, data }));
  }
}

/** A study of these rows that simulated people went through over the HTTP interface; its folder. */
export async function simulatedStudy({
  settings,
  rows,
  gold = [],
  images,
  truthOf,
  people,
}: {
  readonly settings: { readonly blocks: readonly Record<string, unknown>[] };
  readonly rows: readonly Record<string, unknown>[];
  readonly gold?: readonly Record<string, unknown>[];
  readonly images: number;
  readonly truthOf: TruthOf;
  readonly people: readonly Habits[];
}): Promise<StudyFolder> {
  const folder = await temporaryDirectory();
  await paintImages(folder, images);
  const lines = (of: readonly object[]) => of.map((row) => `${JSON.stringify(row)}\n`).join("");
  await writeFile(join(folder, "items.jsonl"), lines(rows));
  await writeFile(join(folder, "gold.jsonl"), lines(gold));
  const whole = { title: "Simulated", consent: "I agree.", open: true, ...settings };
  await writeFile(join(folder, "study.yaml"), JSON.stringify(whole));
  const directory = join(folder, "study");
  const kept = new StudyImages(directory);
  const config = await readStudyConfig("study.yaml", folder);
  await createStudyFolder(
    directory,
    await createStudy(config, { keep: (bytes) => kept.write(bytes) }),
  );
  const home = await openStudyFolder(directory);
  const service = await StudyService.open(home);
  const app = studyApp(service, { whoAsks: () => "here" });
  const recognise = knownAnswers(home.study, truthOf);
  for (const [at, habits] of people.entries()) {
    const random = randomFrom("simulated", at);
    await takePart((request) => app.fetch(request), { id: `id-${at}`, habits, random, recognise });
  }
  return home;
}
