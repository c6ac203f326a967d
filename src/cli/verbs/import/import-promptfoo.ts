import { promptfoo } from "../../../tables/foreign/promptfoo.js";
import { importCommand } from "./import-command.js";

export default importCommand(promptfoo);
