import { lmEval } from "../../../tables/foreign/lm-eval.js";
import { importCommand } from "./import-command.js";

export default importCommand(lmEval);
