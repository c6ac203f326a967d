import type { InputError } from "../core/errors.js";
import { type FolderWorker, WorkFolder } from "./run-folder/run-work.js";

/** A folder that this process alone holds, until it leaves. */
export interface HeldFolder {
  leave(): Promise<void>;
}

/** Who holds a folder. */
export type Holder = Pick<FolderWorker, "process" | "host" | "isHere" | "path">;

/**
 * Holds `directory`, a folder for this alone, until `leave` or the end of the process.
 *
 * @throws InputError, `refused`, where another process holds it; one of another machine counts as alive.
 */
export async function holdFolder(
  directory: string,
  refused: (holder: Holder) => InputError,
): Promise<HeldFolder> {
  const folder = new WorkFolder(directory);
  await folder.clear((await folder.look()).gone);
  const place = await folder.enter();
  try {
    const holder = await place.hold();
    if (holder !== undefined) throw refused(holder);
    return place;
  } catch (error) {
    await place.leave();
    throw error;
  }
}
