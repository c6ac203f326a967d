import { dirname, join } from "node:path";
import { conclude } from "../../conclusions/conclusions.js";
import { InputError } from "../../core/errors.js";
import { readState } from "../../studies/home/read-state.js";
import { openStudyFolder } from "../../studies/home/study-folder.js";
import type { StudyHome } from "../../studies/home/study-home.js";
import { ownEnd, Tokens } from "../../studies/server/signed-tokens.js";
import { type StudyStatus, studyStatus } from "../../studies/study-status.js";
import { collect } from "../../studies/tables/counted-answers.js";
import { exportTable, hasTable } from "../../studies/tables/export-table.js";
import { tableOf } from "../../tables/bytes.js";
import type { View } from "../../views/view.js";
import type { FoundFiles } from "../found-files.js";
import { Refusal } from "../refusal.js";
import { planView } from "./plan-view.js";

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

/** The labels of a study's blocks: what comes next, and whom to believe; a sentence where there is nothing to show. */
export interface StudyLabels {
  readonly blocks: readonly {
    readonly name: string;
    readonly plan: View | string;
    readonly raters: View | string;
  }[];
}

/** A page does not wait for models of more answers. */
const mostRatings = 5000;

export async function studyLabels(home: StudyHome): Promise<StudyLabels> {
  const { study } = home;
  const { answers } = await collect(home);
  const blocks = [];
  for (const block of study.blocks) {
    const { name } = block;
    const rows = hasTable(block, "agreement")
      ? exportTable(study, { answers, table: "agreement", block: name })
      : [];
    blocks.push({
      name,
      plan: planView(block, answers) ?? "No plan drew these items: all are asked alike.",
      raters: await ratersOf(rows),
    });
  }
  return { blocks };
}

async function ratersOf(rows: ReturnType<typeof exportTable>): Promise<View | string> {
  if (new Set(rows.map(({ annotator }) => annotator)).size < 2) {
    return "Fewer than two people have answered: nothing says whom to believe.";
  }
  if (rows.length > mostRatings) {
    return `More than ${mostRatings} answers take long: analyze raters says in a terminal how reliable each rater is.`;
  }
  if (new Set(rows.map(({ value }) => String(value))).size < 2) {
    return "All answers are the same: nothing says whom to believe.";
  }
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  try {
    return (await conclude("raters", tableOf("agreement.jsonl", lines))).view;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
}
