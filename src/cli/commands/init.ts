import { command } from "../command.js";

export default command({
  description: "Writes a touchstone.config.yaml with comments into this folder.",
  examples: ["touchstone init", "touchstone init --force"],
  arguments: {
    force: { kind: "switch", description: "replace one that is there" },
  },
  async run({ output }) {
    output.nextCommand("touchstone doctor");
  },
});
