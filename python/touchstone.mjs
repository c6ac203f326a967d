// What the Python package starts: node touchstone.mjs PROGRAM WORDS…, where PROGRAM is the script that
// the user called, by which messages name it.
import { main } from "./dist/cli/main.js";

process.argv.splice(1, 1);
await main(process.argv.slice(2));
