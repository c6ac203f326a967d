import { heim } from "../../../tables/foreign/heim.js";
import { importCommand } from "./import-command.js";

export default importCommand(heim);
