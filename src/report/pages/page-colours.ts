import { darkPalette, palette } from "../../views/figures/palette.js";

type Colours = Readonly<Record<string, string>>;

/** The colours of every page by name. */
export const lightColours: Colours = {
  ...palette,
  raised: "#f6f7f8",
  line: "#d5d9dd",
  link: "#00558a",
  good: "#00664b",
  bad: "#a63f00",
  notice: "#fff6e0",
  "notice-line": "#d9a520",
  shade: "#00000029",
};

/** The same in the dark. */
export const darkColours: Colours = {
  ...darkPalette,
  raised: "#1e2226",
  line: "#3a4148",
  link: "#7cc0f2",
  good: "#5bd0a8",
  bad: "#ff9e6b",
  notice: "#2c2614",
  "notice-line": "#a98424",
  shade: "#ffffff2b",
};

const properties = (colours: Colours) =>
  Object.entries(colours)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(";");

/** Both as CSS, light and dark as the reader's system has it. */
export const tokens = `:root{color-scheme:light dark;${properties(lightColours)}}
@media screen and (prefers-color-scheme:dark){:root{${properties(darkColours)}}}`;
