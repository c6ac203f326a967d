import { z } from "zod";
import { append } from "../../../core/arrays.js";
import { IncompleteError, InputError } from "../../../core/errors.js";
import { readState } from "../../../studies/home/read-state.js";
import type { StudyHome } from "../../../studies/home/study-home.js";
import { changeStudy } from "../../../studies/server/change-study.js";
import { askServer, type Served } from "../../../studies/server/served-study.js";
import { StudyService } from "../../../studies/server/study-service.js";
import { command } from "../../command-line/command.js";
import { refreshRuns, refuseHeldRuns } from "./refresh-runs.js";
import { studyArguments, studyAt } from "./study-argument.js";

const erasedSchema = z.object({ erased: z.array(z.string()) });

export default command({
  description:
    "Removes every answer, sketch, note and outside id of one participant from the disk, or of " +
    "all (--all). A line stays that says that one was erased, and when. It works while the study " +
    "is served, too. Copies elsewhere (backups, exports) are yours to remove.",
  examples: [
    "touchstone study erase studies/first --participant p-abcdefghij",
    "touchstone study erase studies/first --all",
  ],
  arguments: {
    ...studyArguments,
    participant: { kind: "text", value: "ID", description: "as study status lists them" },
    all: {
      kind: "switch",
      description: "every participant, such as when the retention date comes",
    },
  },
  async run({ given, environment, output }) {
    if ((given.participant === undefined) === !given.all) {
      throw new InputError("Expected either --participant ID or --all");
    }
    const home = await studyAt(given.study, environment);
    await refuseHeldRuns(home);
    const eraseBy = async (erase: Erase) => {
      const wanted = given.participant === undefined ? await allOf(home) : [given.participant];
      const erased: string[] = [];
      for (const participant of wanted) {
        if (!erased.includes(participant)) append(erased, await erase(participant));
      }
      return { wanted, erased };
    };
    const { wanted, erased } = await changeStudy(home, {
      asked: (served) => eraseBy(erasingAt(served, home)),
      here: async () => eraseBy(await erasing(home, () => environment.now().getTime())),
    });
    const left = await home.reclaim();
    const { changed: runs, unreached } = await refreshRuns(home, { environment, output });
    output.resultJson({ erased, runs });
    const also = erased.filter((id) => !wanted.includes(id));
    output.result(
      `${erased.length} ${erased.length === 1 ? "participant was" : "participants were"} erased.` +
        (also.length === 0 ? "" : ` ${also.join(", ")} had the same outside id.`),
    );
    for (const run of runs) output.result(`${run}: scores, seals and report were made anew.`);
    for (const one of left) output.note(one);
    output.note("Exports and backups that hold their answers are not touched.");
    if (unreached.length > 0) throw stillHeld(unreached, given.study);
    output.nextCommand(["study", "status", given.study]);
  },
});

/** @param runs addresses of runs of version 0.2 */
const stillHeld = (runs: readonly string[], study: string): IncompleteError =>
  new IncompleteError(
    `${runs.join(", ")} took answers over and can't be changed by this version: erased ones may still stand there`,
    {
      hint:
        "Remove it: DELETE FROM touchstone.runs WHERE name = '…'; VACUUM FULL touchstone.records, touchstone.documents. " +
        "To keep it, first copy it into a folder with version 0.2.0 (run copy ADDRESS DIR), then score it again: " +
        `touchstone score DIR --answers ${study}`,
    },
  );

/** Erases a participant; returns all who had the same outside id. */
type Erase = (participant: string) => Promise<readonly string[]>;

/** Erases by the process that serves the study. */
const erasingAt =
  (served: Served, { adminToken: token }: StudyHome): Erase =>
  async (participant) => {
    const request = { path: "erase", token, body: { participant } };
    return erasedSchema.parse(await askServer(served, request)).erased;
  };

/** Erases here. */
async function erasing(home: StudyHome, clock: () => number): Promise<Erase> {
  const service = await StudyService.open(home, { clock });
  return async (participant) => {
    if (!service.state.participants.has(participant)) {
      throw new InputError(`Expected a participant of the study but there is no ${participant}`, {
        hint: "study status lists them.",
      });
    }
    return service.erase(participant);
  };
}

async function allOf(home: StudyHome): Promise<string[]> {
  return [...(await readState(home)).participants.keys()];
}
