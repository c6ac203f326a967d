import { arena } from "../../../tables/foreign/arena.js";
import { importCommand } from "./import-command.js";

export default importCommand(arena);
