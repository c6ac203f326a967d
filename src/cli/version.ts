import { readFileSync } from "node:fs";

/** The version in package.json. */
export function version(): string {
  const file = new URL("../../package.json", import.meta.url);
  const content: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (typeof content === "object" && content !== null && "version" in content) {
    return String(content.version);
  }
  return "unknown";
}
