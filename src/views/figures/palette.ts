/**
 * The few colours of every plot. A plot carries these as plain values, so that its SVG stands
 * alone; the page's style sheet maps each to a lighter one in the dark. Series come from Okabe
 * and Ito's set, apart for every common colour blindness; shapes tell them apart as well.
 */
export const palette = {
  ink: "#1c2024",
  muted: "#5b626a",
  grid: "#e4e6e9",
  paper: "#ffffff",
  vermilion: "#c44e00",
  blue: "#0068a8",
  green: "#007a5a",
} as const;

/** The same in the dark. */
export const darkPalette: Readonly<Record<string, string>> = {
  ink: "#e4e7ea",
  muted: "#a3abb3",
  grid: "#33393f",
  paper: "#15181b",
  vermilion: "#ff9a5c",
  blue: "#6cb8ee",
  green: "#4cc9a0",
} satisfies Record<keyof typeof palette, string>;

/** Settings that every plot shares: type, sober axes, no background of its own. */
export const plotConfig = {
  aria: false,
  background: "transparent",
  font: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif",
  view: { stroke: null },
  axis: {
    labelColor: palette.ink,
    titleColor: palette.muted,
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 400,
    gridColor: palette.grid,
    domainColor: palette.grid,
    tickColor: palette.grid,
  },
} as const;
