import { command } from "../../command-line/command.js";
import sets from "../evidence/evidence-sets.js";

/** `evidence sets` by its earlier name. */
export default command({
  ...sets,
  examples: ["touchstone datasets", "touchstone datasets tifa160"],
});
