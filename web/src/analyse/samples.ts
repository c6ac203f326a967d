const files = import.meta.glob<string>("../../../data/examples/*.csv", {
  query: "?raw",
  import: "default",
});

/** The table that `touchstone example NAME` prints. */
export async function sampleOf(name: string): Promise<string> {
  return (await files[`../../../data/examples/${name}.csv`]?.()) ?? "";
}
