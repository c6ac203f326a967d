import { labelStudio } from "../../../tables/foreign/label-studio.js";
import { importCommand } from "./import-command.js";

export default importCommand(labelStudio);
