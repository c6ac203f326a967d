import { evalscope } from "../../../tables/foreign/evalscope.js";
import { importCommand } from "./import-command.js";

export default importCommand(evalscope);
