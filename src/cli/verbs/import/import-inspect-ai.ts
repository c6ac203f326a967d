import { inspectAi } from "../../../tables/foreign/inspect-ai.js";
import { importCommand } from "./import-command.js";

export default importCommand(inspectAi);
