import { tokens } from "../../../src/report/pages/page-colours.js";

/** The report's colours, by the same names: no copy of them stands in a style sheet of the pages. */
const sheet = new CSSStyleSheet();
sheet.replaceSync(tokens);
document.adoptedStyleSheets = [sheet];
