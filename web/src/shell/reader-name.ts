const name = "touchstone-name";

/** What the reader wants to be called in what they note; undefined until they say it. */
export function readerName(): string | undefined {
  try {
    return localStorage.getItem(name) || undefined;
  } catch {
    return undefined;
  }
}

/** Keeps it on this machine, where the browser keeps anything. */
export function keepReaderName(text: string): void {
  try {
    localStorage.setItem(name, text.trim().slice(0, 60));
  } catch {
    // It is asked for again.
  }
}
