import { useState } from "react";
import { keptTheme, type Theme, turnTheme } from "./theme.js";

/** How much of the disc is dark. */
const shapes: Readonly<Record<Theme, string>> = {
  system: "M8 2a6 6 0 0 1 0 12z",
  light: "",
  dark: "M8 2a6 6 0 0 1 0 12a6 6 0 0 1 0-12z",
};

/** Turns from the system's colours to light ones, to dark ones, and back. */
export function ThemeButton() {
  const [theme, setTheme] = useState(keptTheme);
  const label = `Colours: ${theme === "system" ? "the system's" : theme}`;
  return (
    <button
      type="button"
      className="plain"
      aria-label={label}
      title={label}
      onClick={() => setTheme(turnTheme(theme))}
    >
      <svg width="16" height="16" aria-hidden="true" className="icon">
        <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <path d={shapes[theme]} fill="currentColor" />
      </svg>
    </button>
  );
}
