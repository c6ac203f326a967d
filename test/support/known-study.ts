import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { encodePng } from "../../src/images/pixels-picture.js";
import { readStudyConfig } from "../../src/studies/config/read-study-config.js";
import { createStudy } from "../../src/studies/create-study.js";
import { createStudyFolder, openStudyFolder } from "../../src/studies/home/study-folder.js";
import { StudyImages } from "../../src/studies/home/study-images.js";
import { studyApp } from "../../src/studies/server/study-app.js";
import { StudyService } from "../../src/studies/server/study-service.js";
import { answerStudy } from "./answer-study.js";
import { temporaryDirectory } from "./temporary-directory.js";

/** A study by invitation of one block of images to rate, each of a colour of its own. */
export async function ratedStudy(
  items: readonly { readonly image: string; readonly cells: string }[],
  {
    header,
    block = {},
    settings = {},
    folder,
  }: {
    readonly header: string;
    readonly block?: object;
    readonly settings?: object;
    readonly folder: string;
  },
) {
  for (const [at, { image }] of items.entries()) {
    const data = new Uint8Array(8 * 8 * 3).fill((40 * at) % 256);
    await mkdir(dirname(join(folder, image)), { recursive: true });
    await writeFile(join(folder, image), encodePng({ width: 8, height: 8, data }));
  }
  const rows = items.map(({ image, cells }) => `${image},${cells}`);
  await writeFile(join(folder, "items.csv"), [`image,${header}`, ...rows, ""].join("\n"));
  const blocks = [{ protocol: "rating", from: "items.csv", ...block }];
  await writeFile(
    join(folder, "study.yaml"),
    JSON.stringify({ title: "Hostile", consent: "I agree.", blocks, ...settings }),
  );
  const directory = join(folder, "study");
  const images = new StudyImages(directory);
  const config = await readStudyConfig("study.yaml", folder);
  const study = await createStudy(config, { keep: (bytes) => images.write(bytes) });
  await createStudyFolder(directory, study);
  return { directory, service: await StudyService.open(await openStudyFolder(directory)) };
}

/**
 * A study of what a plan drew: of 16 prompts all 8 of high scores and 4 of the others, images of two models each. Of five
 * answers to each item four are given, by three people who see that b is better, seldom not, and one who always says 2.
 */
export async function plannedStudy(folder: string) {
  const items = Array.from({ length: 24 }, (_, at) => {
    const [prompt, model] = [Math.floor(at / 2), at % 2 === 0 ? "a" : "b"];
    const [band, weight] = prompt < 4 ? [1, 2] : [2, 1];
    const score = (prompt + (model === "b" ? 1 : 0)) / 20;
    return {
      image: `${at}.png`,
      cells: `i${at},${model} of ${prompt},prompt ${prompt},${model},${score},${weight},band ${band},1`,
    };
  });
  const header = "id,text,prompt,model,score,weight,stratum,round";
  const { directory, service } = await ratedStudy(items, {
    header,
    block: { ratingsPerItem: 5 },
    folder,
  });
  const erringAt =
    (each: number) =>
    ({ text }: Readonly<Record<string, unknown>>) => {
      const [model, , prompt] = String(text).split(" ");
      const isWrong = Number(prompt) % each === 0;
      return { value: (model === "b") === isWrong ? 2 : 4 };
    };
  const people = [];
  for (const answer of [erringAt(4), erringAt(7), erringAt(11), () => ({ value: 2 })]) {
    people.push((await answerStudy(service, { answer })).participant);
  }
  return { directory, service, people };
}

/** A study of four images that whoever finds it may answer. */
export const openStudy = (folder: string) =>
  ratedStudy(
    Array.from({ length: 4 }, (_, at) => ({ image: `${at}.png`, cells: `i${at},A dog ${at}` })),
    { header: "id,text", settings: { open: true }, folder },
  );

/** A study by invitation with two people in the midst of it, one who left, and one who has only joined. */
export async function knownStudy() {
  const items = Array.from({ length: 4 }, (_, at) => ({
    image: `secret-model/${at}.png`,
    cells: `i${at},A dog ${at}`,
  }));
  const { directory, service } = await ratedStudy(items, {
    header: "id,text",
    folder: await temporaryDirectory(),
  });
  const app = studyApp(service, { whoAsks: ({ req }) => req.header("x-who") ?? "one" });
  const someone = async () => {
    const invite = service.tokens.newInvitation();
    const { participant, session } = await service.join({ invite });
    const { version } = service.home.study.consent;
    await service.consent(session, { version, agreed: true });
    const next = await service.next(session);
    if (next === undefined) throw new Error("There is nothing to answer");
    const { assignment, item } = next;
    const fresh = service.tokens.newInvitation();
    return { invite, participant, session, assignment, image: String(item.image), fresh };
  };
  const [anna, ben, left] = [await someone(), await someone(), await someone()];
  await service.withdraw(left.session, { erase: true });
  const joined = await service.join({ invite: service.tokens.newInvitation() });
  return { app, service, directory, anna, ben, left, joined };
}
