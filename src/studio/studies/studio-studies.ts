import { dirname, join } from "node:path";
import { readState } from "../../studies/home/read-state.js";
import { openStudyFolder } from "../../studies/home/study-folder.js";
import { ownEnd, Tokens } from "../../studies/server/signed-tokens.js";
import { type StudyStatus, studyStatus } from "../../studies/study-status.js";
import type { FoundFiles } from "../found-files.js";
import { Refusal } from "../refusal.js";

/** The folder that is shown, and what people call it. Participants appear by their pseudonym alone. */
export interface ShownFolder {
  readonly files: FoundFiles;
  readonly shown: string;
}

export async function studyDetail(id: string, folder: ShownFolder): Promise<StudyDetail> {
  const { home, path, inside } = await openShown(id, folder);
  const url = (await home.soleServer())?.url ?? null;
  const end = url === null ? undefined : ownEnd(home);
  const own = end === undefined ? null : `${url}/${end}`;
  return { id, path, inside, status: await studyStatus(home), url, own };
}

/**
 * Makes invitations; each is random and signed, and is written nowhere.
 *
 * @param wanted.url the address that participants open; that of the running server where not given
 * @throws Refusal where nobody could join by them.
 */
export async function studyInvitations(
  id: string,
  folder: ShownFolder,
  { count, url }: { readonly count: number; readonly url?: string | undefined },
): Promise<StudyInvitations> {
  const { home, path } = await openShown(id, folder);
  if ((await readState(home)).closedAt !== undefined) {
    throw new Refusal(409, "closed", "The study is closed: nobody can join any more");
  }
  const address = (url ?? (await home.soleServer())?.url)?.replace(/\/+$/, "");
  if (address === undefined) {
    throw new Refusal(409, "not-served", "Expected an address, or a server at work on the study", {
      hint: `Start one with: touchstone study serve ${path}`,
    });
  }
  const tokens = new Tokens(home.secret);
  // Behind #, so that no server on the way and no log sees it.
  const links = Array.from({ length: count }, () => `${address}/#invite=${tokens.newInvitation()}`);
  return { links };
}

export async function openShown(id: string, { files, shown }: ShownFolder) {
  const { path, name } = await files.find("study", id);
  const inside = dirname(name);
  return { home: await openStudyFolder(dirname(path)), path: join(shown, inside), inside };
}

/** A study as its page shows it: status as `study status` has it, and where people open it. */
export interface StudyDetail {
  readonly id: string;
  /** Its folder, as commands name it where the studio was started. */
  readonly path: string;
  /** Its folder within the one that is shown, as jobs name it. */
  readonly inside: string;
  readonly status: StudyStatus;
  /** Where participants open it now; null where nobody serves it. */
  readonly url: string | null;
  /** The link by which whoever runs it answers it; null without the token, unserved, or by invitation only. */
  readonly own: string | null;
}

/** New invitations, a link for one person each. */
export interface StudyInvitations {
  readonly links: readonly string[];
}
