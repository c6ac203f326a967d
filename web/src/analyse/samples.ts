const files: Readonly<Record<string, string>> = import.meta.glob("../../../data/examples/*.csv", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The tables that `touchstone example NAME` prints, by name. */
export const samples: ReadonlyMap<string, string> = new Map(
  Object.entries(files).map(([path, text]) => [/([^/]+)\.csv$/.exec(path)?.[1] ?? path, text]),
);
