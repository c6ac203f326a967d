/** @example listText(["a", "b", "c"]) // "a, b and c" */
export function listText(items: readonly string[], word: "and" | "or" = "and"): string {
  const last = items.at(-1) ?? "";
  return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} ${word} ${last}`;
}
