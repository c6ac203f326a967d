const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const name = "touchstone-theme";

/** The colours that the reader chose on this machine; the system's where none were chosen, or nothing may be kept. */
export function keptTheme(): Theme {
  try {
    return themes.find((one) => one === localStorage.getItem(name)) ?? "system";
  } catch {
    return "system";
  }
}

/** Shows the page in these colours. */
export function showTheme(theme: Theme): void {
  document.documentElement.style.colorScheme = theme === "system" ? "" : theme;
}

/** Shows the colours that come after these, and keeps the choice for every other page. */
export function turnTheme(theme: Theme): Theme {
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system";
  showTheme(next);
  try {
    localStorage.setItem(name, next);
  } catch {
    // A browser that keeps nothing shows the system's on the next page.
  }
  return next;
}
