import { askServer, servedBy } from "../../../studies/server/served-study.js";
import { command } from "../../command-line/command.js";
import { studyArgument, studyAt } from "./study-argument.js";

export default command({
  description:
    "Closes a study: nobody can join any more. Those who take part may finish. It can't be " +
    "opened again, so that its figures stay as they are.",
  examples: ["touchstone study close studies/first"],
  arguments: { study: studyArgument },
  async run({ given, environment, output }) {
    const home = await studyAt(given.study, environment.workingDirectory);
    const served = await servedBy(home.directory);
    if (served === undefined) await home.close(environment.now().getTime());
    else await askServer(served, { path: "close", token: home.adminToken, body: {} });
    output.resultJson({ closedAt: (await home.closedAt()) ?? null });
    output.result(`${home.study.settings.title} is closed.`);
    output.nextCommand(["study", "status", given.study]);
  },
});
