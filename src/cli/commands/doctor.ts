import { command } from "../command.js";
import { version } from "../version.js";

export default command({
  description: "Says what is installed, what is missing and what to do about it.",
  examples: ["touchstone doctor", "touchstone doctor --json"],
  arguments: {},
  async run({ output }) {
    output.result(`touchstone ${version()}`);
    output.nextCommand("touchstone demo");
  },
});
