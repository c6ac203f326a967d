import type { DescribedPhrase } from "./parse-description.js";

/** Tests by a list of names if a phrase names one of them, whatever stands before the last word. */
export const isAmong =
  (names: ReadonlySet<string>) =>
  ({ entity }: Pick<DescribedPhrase, "entity">): boolean => {
    const name = entity.toLowerCase().replaceAll(/\s+/g, " ");
    return names.has(name) || names.has(name.split(" ").at(-1) ?? name);
  };
