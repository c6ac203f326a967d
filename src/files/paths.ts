import { access, realpath } from "node:fs/promises";

/** Whether something stands at a path; links are followed. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Where a path leads, through links; undefined where nothing is there. */
export const realPath = (path: string): Promise<string | undefined> =>
  realpath(path).catch(() => undefined);
