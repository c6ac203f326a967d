import { darkColours, lightColours } from "../../../src/report/pages/page-colours.js";
import "./tokens.css";
import "./shell.css";
import { keptTheme, showTheme } from "./theme.js";

/** The report's colours, by the same names: no copy of them stands in a style sheet of the pages. */
const colours = Object.entries(lightColours).map(
  ([name, light]) => `--${name}:light-dark(${light},${darkColours[name] ?? light})`,
);
const sheet = new CSSStyleSheet();
sheet.replaceSync(`:root{${colours.join(";")}}`);
document.adoptedStyleSheets = [sheet];
showTheme(keptTheme());
