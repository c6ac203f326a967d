import { readState } from "../../../studies/home/read-state.js";
import { changeStudy } from "../../../studies/server/change-study.js";
import { askServer } from "../../../studies/server/served-study.js";
import { StudyService } from "../../../studies/server/study-service.js";
import { command } from "../../command-line/command.js";
import { studyArguments, studyAt } from "./study-argument.js";

export default command({
  description:
    "Closes a study: nobody can join any more. Those who take part may finish. It can't be " +
    "opened again, so that its figures stay as they are.",
  examples: ["touchstone study close studies/first"],
  arguments: studyArguments,
  async run({ given, environment, output }) {
    const home = await studyAt(given.study, environment);
    await changeStudy<unknown>(home, {
      asked: (served) => askServer(served, { path: "close", token: home.adminToken, body: {} }),
      async here() {
        const clock = () => environment.now().getTime();
        await (await StudyService.open(home, { clock })).close();
      },
    });
    output.resultJson({ closedAt: (await readState(home)).closedAt ?? null });
    output.result(`${home.study.settings.title} is closed.`);
    output.nextCommand(["study", "status", given.study]);
  },
});
