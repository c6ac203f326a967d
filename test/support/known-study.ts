import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encodePng } from "../../src/images/pixels-picture.js";
import { readStudyConfig } from "../../src/studies/config/read-study-config.js";
import { createStudy } from "../../src/studies/create-study.js";
import { createStudyFolder, openStudyFolder } from "../../src/studies/home/study-folder.js";
import { StudyImages } from "../../src/studies/home/study-images.js";
import { studyApp } from "../../src/studies/server/study-app.js";
import { StudyService } from "../../src/studies/server/study-service.js";
import { temporaryDirectory } from "./temporary-directory.js";

/** A study by invitation with two people in the midst of it, one who left, and one who has only joined. */
export async function knownStudy() {
  const folder = await temporaryDirectory();
  await mkdir(join(folder, "secret-model"));
  const rows = Array.from({ length: 4 }, (_, at) => `i${at},secret-model/${at}.png,A dog ${at}`);
  for (let at = 0; at < 4; at++) {
    const data = new Uint8Array(8 * 8 * 3).fill(40 * at);
    await writeFile(
      join(folder, `secret-model/${at}.png`),
      encodePng({ width: 8, height: 8, data }),
    );
  }
  await writeFile(join(folder, "items.csv"), ["id,image,text", ...rows, ""].join("\n"));
  const blocks = [{ protocol: "rating", from: "items.csv" }];
  await writeFile(
    join(folder, "study.yaml"),
    JSON.stringify({ title: "Hostile", consent: "I agree.", blocks }),
  );
  const directory = join(folder, "study");
  const images = new StudyImages(directory);
  const config = await readStudyConfig("study.yaml", folder);
  const study = await createStudy(config, { keep: (bytes) => images.write(bytes) });
  await createStudyFolder(directory, study);
  const service = await StudyService.open(await openStudyFolder(directory));
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
