// A study is made from its file, served by whatever serves Hono, and read as tables. Whoever opens one closes it.

import {
  copyStudy,
  createStudy,
  exportTable,
  newStudy,
  openStudy,
  planStudy,
  protocols,
  readState,
  readStudyConfig,
  StudyImages,
  StudyService,
  studyAnswers,
  studyApp,
  studyStatus,
  Tokens,
} from "touchstone-t2i/studies";

export async function create(file: string, place: string) {
  const config = await readStudyConfig(file, ".");
  const { images, create } = await newStudy(place);
  await create(await createStudy(config, { keep: (bytes) => images.write(bytes) }));
}

export async function serve(place: string) {
  const service = await StudyService.open(await openStudy(place));
  return studyApp(service, { whoAsks: () => "behind a proxy" }).fetch;
}

export async function answers(place: string) {
  const home = await openStudy(place);
  const { state, answers } = await studyAnswers(home);
  console.log((await studyStatus(home)).blocks, state === (await readState(home)));
  return exportTable(home.study, { answers, table: "agreement" });
}

export const copied = () => copyStudy("studies/first", "studies/second");
console.log(Object.keys(protocols).length, new Tokens("secret").newInvitation().length > 10);
console.log(new StudyImages("images") instanceof StudyImages);
export const planned = (...study: Parameters<typeof planStudy>) => planStudy(...study);
