import { stat } from "node:fs/promises";

/** What stands at a path; undefined where nothing does, or where it can't be looked at. */
export const kindAt = (path: string): Promise<"folder" | "file" | "other" | undefined> =>
  stat(path).then(
    (found) => (found.isDirectory() ? "folder" : found.isFile() ? "file" : "other"),
    () => undefined,
  );
