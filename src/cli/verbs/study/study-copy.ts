import { studyPlace } from "../../../files/open-store.js";
import { shownPlace } from "../../../files/postgres/address.js";
import { copyStudy } from "../../../studies/copy-study.js";
import { countText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";
import { blobsArgument, inBlobs } from "../../command-line/store-argument.js";

export default command({
  description:
    "Copies a study, with its images, answers and secrets, from a folder to a database or back. " +
    "Sessions, invitations and links go on in the copy: serve only one of the two. A copy that was " +
    "stopped goes on when it is made again, and a copy of a study that went on is brought up to " +
    "it, erasures included. Exports have the same bytes. The password comes from PGPASSWORD.",
  examples: [
    "touchstone study copy studies/first postgres://me@localhost/touchstone/first",
    "touchstone study copy postgres://me@localhost/touchstone/first studies/copy",
    "touchstone study copy studies/first postgres://me@localhost/touchstone/first --blobs s3://images/first",
  ],
  arguments: {
    from: {
      kind: "positional",
      description: "the study: a folder, or postgres://user@host/database/name",
    },
    to: { kind: "positional", description: "where its copy goes: a new place, or a copy of it" },
    ...blobsArgument,
  },
  async run({ given, environment, output }) {
    const copied = await copyStudy(
      studyPlace(given.from, environment),
      inBlobs(studyPlace(given.to, environment), given.blobs, environment),
    );
    const [from, to] = [shownPlace(given.from), shownPlace(given.to)];
    output.resultJson({ from, to, ...copied });
    const { images, participants, events, erased, settledIn } = copied;
    output.result(
      `${to} has the study: ${countText(images)} images, ${countText(participants)} new ` +
        `participants and ${countText(events)} events copied; the rest was there.` +
        (erased === 0 ? "" : ` Erased there, too: ${erased}.`),
    );
    if (settledIn !== undefined) {
      output.warn(
        `what was paid stays noted in ${settledIn}: copy it into DIR before study panel --settle --lists DIR, or it is paid again`,
      );
    }
    output.nextCommand(["study", "status", to]);
  },
});
