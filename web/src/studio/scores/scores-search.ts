/** Which rows of a file of scores are shown, and in which order; all of it stands in the address. */
export interface ScoresSearch {
  readonly metric?: string;
  readonly reason?: string;
  readonly text?: string;
  readonly order?: "best";
}

export const scoresSearch = (given: Readonly<Record<string, unknown>>): ScoresSearch => ({
  ...Object.fromEntries(
    (["metric", "reason", "text"] as const).flatMap((name) => {
      const value = given[name];
      const isGiven = (typeof value === "string" && value !== "") || typeof value === "number";
      return isGiven ? [[name, String(value)]] : [];
    }),
  ),
  ...(given.order === "best" ? { order: "best" } : {}),
});
