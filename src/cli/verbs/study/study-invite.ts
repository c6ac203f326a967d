import { InputError } from "../../../core/errors.js";
import { Tokens } from "../../../studies/server/signed-tokens.js";
import { command } from "../../command-line/command.js";
import { studyArguments, studyAt } from "./study-argument.js";

export default command({
  description:
    "Prints invitations to a study: each is a link for one person. With --back it prints the " +
    "link that brings a participant back who lost their session.",
  examples: [
    "touchstone study invite studies/first --count 5",
    "touchstone study invite studies/first --count 5 --public-url https://study.example.org",
    "touchstone study invite studies/first --back p-abcdefghij",
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
  },
  async run({ given, environment, output }) {
    const home = await studyAt(given.study, environment);
    const served = await home.soleServer();
    const url = (given["public-url"] ?? served?.url)?.replace(/\/+$/, "");
    if (url === undefined) {
      throw new InputError(`Expected --public-url URL, or a server at work on ${given.study}`, {
        hint: `Start one with: touchstone study serve ${given.study}`,
      });
    }
    const tokens = new Tokens(home.secret);
    // Behind #, so that no server on the way and no log sees it.
    const links =
      given.back === undefined
        ? Array.from({ length: given.count }, () => `${url}/#invite=${tokens.newInvitation()}`)
        : [`${url}/#resume=${tokens.linkBack(given.back)}`];
    output.resultJson({ links });
    output.result(links.join("\n"));
    output.nextCommand(["study", "status", given.study]);
  },
});
