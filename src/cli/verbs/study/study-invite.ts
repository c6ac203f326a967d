import { InputError } from "../../../core/errors.js";
import { listText } from "../../../core/phrases.js";
import { platforms } from "../../../studies/config/platforms.js";
import { readState } from "../../../studies/home/read-state.js";
import type { StudyHome } from "../../../studies/home/study-home.js";
import { Tokens } from "../../../studies/server/signed-tokens.js";
import { command } from "../../command-line/command.js";
import { studyArguments, studyAt } from "./study-argument.js";

const sources = platforms.map(({ source }) => source);

export default command({
  description:
    "Prints invitations to a study: each is a link for one person. With --back it prints the " +
    "link that brings a participant back who lost their session.",
  examples: [
    "touchstone study invite studies/first --count 5",
    "touchstone study invite studies/first --count 5 --public-url https://study.example.org",
    "touchstone study invite studies/first --back p-abcdefghij",
    "touchstone study invite studies/first --outside prolific:5f2b8c",
  ],
  arguments: {
    ...studyArguments,
    count: {
      kind: "number",
      integer: true,
      minimum: 1,
      maximum: 10_000,
      default: 1,
      description: "the number of invitations, one for each person",
    },
    "public-url": {
      kind: "text",
      value: "URL",
      description: "the address that participants open; that of the running server if not given",
    },
    back: { kind: "text", value: "PARTICIPANT", description: "a participant who wants to go on" },
    outside: {
      kind: "text",
      value: "SOURCE:ID",
      description:
        `an outside id (${listText(sources, "or")}) whose link is signed: ` +
        "who opens it takes up their own session, in any browser",
    },
  },
  async run({ given, environment, output }) {
    const home = await studyAt(given.study, environment);
    const served = await home.soleServer();
    const url = (given["public-url"] ?? served?.url)?.replace(/\/+$/, "");
    const tokens = new Tokens(home.secret);
    const isInvited = given.back === undefined && given.outside === undefined;
    const invitations = isInvited
      ? Array.from({ length: given.count }, () => tokens.newInvitation())
      : undefined;
    const ends =
      // Behind #, so that no server on the way and no log sees it.
      invitations?.map((invitation) => `#invite=${invitation}`) ?? [
        given.back === undefined
          ? outsideEnd(given.outside ?? "", tokens)
          : `#resume=${tokens.linkBack(await known(given.back, home))}`,
      ];
    const links = ends.map((end) => `${url ?? ""}/${end}`);
    output.resultJson({ links, ...(invitations === undefined ? {} : { invitations }) });
    output.result(links.join("\n"));
    if (url === undefined) {
      output.warn("Nobody serves this study: put its address before each link (--public-url URL).");
    }
    output.nextCommand(["study", "status", given.study]);
  },
});

/** @throws InputError where the study has no such participant. */
async function known(participant: string, home: StudyHome): Promise<string> {
  const { participants } = await readState(home);
  if (participants.has(participant)) return participant;
  throw new InputError(`Expected a participant of this study but received ${participant}`, {
    hint: "study status lists them.",
  });
}

/** The part of a link that hands over an outside id, signed. @throws InputError for another source. */
function outsideEnd(outside: string, tokens: Tokens): string {
  const [, source = "", id = ""] = /^([^:]*):(.+)$/s.exec(outside) ?? [];
  const platform = platforms.find((one) => one.source === source);
  if (platform === undefined) {
    throw new InputError(
      `Expected ${listText(sources, "or")}, a colon and an id for --outside but received ${outside}`,
    );
  }
  return `?${new URLSearchParams({ [platform.id]: id, signature: tokens.signatureOf({ source, id }) })}`;
}
