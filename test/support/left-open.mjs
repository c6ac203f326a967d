// What a user of the library does who closes nothing, in a process of its own: takes part in a study, and reads and
// writes a run. Then all that was left is collected, of which Node warns where a file is still open, and from 26 on
// fails. With "leave" one file is left open.
// node --expose-gc left-open.mjs STUDY RUN [leave]
import { open } from "node:fs/promises";
import { setImmediate as turn } from "node:timers/promises";

const [study, run, leave] = process.argv.slice(2);
const { openStudy, StudyService } = await import(
  new URL("../../dist/studies/index.js", import.meta.url).href
);
const { openStore } = await import(new URL("../../dist/runs/index.js", import.meta.url).href);

async function use() {
  const service = await StudyService.open(await openStudy(study));
  const { session } = await service.join({ invite: service.tokens.newInvitation() });
  const { version } = service.home.study.consent;
  await service.consent(session, { version, agreed: true });
  const store = await openStore(run);
  for (const { name } of store.recipe.steps) for await (const _ of store.ofStep(name)) break;
  if (leave !== undefined) await open(run);
}

await use();
for (let round = 0; round < 3; round++) {
  globalThis.gc();
  await turn();
}
