import { dirname, join } from "node:path";
import { readState } from "../../studies/home/read-state.js";
import { openStudyFolder, type StudyFolder } from "../../studies/home/study-folder.js";
import { Tokens } from "../../studies/server/signed-tokens.js";
import { type StudyStatus, studyStatus } from "../../studies/study-status.js";
import type { FoundFiles } from "../found-files.js";
import { Refusal } from "../refusal.js";
import type { StudyLabels } from "./study-labels.js";

/** The studies of the shown folder. Participants appear by their pseudonym alone. */
export class StudioStudies {
  readonly #files: FoundFiles;
  readonly #shown: string;

  /** @param options.shown what people call the folder */
  constructor({ files, shown }: { readonly files: FoundFiles; readonly shown: string }) {
    this.#files = files;
    this.#shown = shown;
  }

  async detail(id: string): Promise<StudyDetail> {
    const { home, path } = await this.#open(id);
    const served = await home.soleServer();
    return { id, path, status: await studyStatus(home), url: served?.url ?? null };
  }

  /** What its plan asks next, its raters, and its interval: models that the page does not wait for. */
  async labels(id: string): Promise<StudyLabels> {
    const { home } = await this.#open(id);
    const { studyLabels } = await import("./study-labels.js");
    return studyLabels(home);
  }

  /**
   * Makes invitations; each is random and signed, and is written nowhere.
   *
   * @param options.url the address that participants open; that of the running server where not given
   * @throws Refusal where nobody could join by them.
   */
  async invite(
    id: string,
    { count, url }: { readonly count: number; readonly url?: string | undefined },
  ): Promise<StudyInvitations> {
    const { home, path } = await this.#open(id);
    if ((await readState(home)).closedAt !== undefined) {
      throw new Refusal(409, "closed", "The study is closed: nobody can join any more");
    }
    const address = (url ?? (await home.soleServer())?.url)?.replace(/\/+$/, "");
    if (address === undefined) {
      throw new Refusal(
        409,
        "not-served",
        "Expected an address, or a server at work on the study",
        {
          hint: `Start one with: touchstone study serve ${path}`,
        },
      );
    }
    const tokens = new Tokens(home.secret);
    // Behind #, so that no server on the way and no log sees it.
    const links = Array.from(
      { length: count },
      () => `${address}/#invite=${tokens.newInvitation()}`,
    );
    return { links };
  }

  async #open(id: string): Promise<{ readonly home: StudyFolder; readonly path: string }> {
    const found = await this.#files.find("study", id);
    return {
      home: await openStudyFolder(dirname(found.path)),
      path: join(this.#shown, dirname(found.name)),
    };
  }
}

/** A study as its page shows it: status as `study status` has it, and where people open it. */
export interface StudyDetail {
  readonly id: string;
  /** Its folder, as commands name it where the studio was started. */
  readonly path: string;
  readonly status: StudyStatus;
  /** Where participants open it now; null where nobody serves it. */
  readonly url: string | null;
}

/** New invitations, a link for one person each. */
export interface StudyInvitations {
  readonly links: readonly string[];
}
