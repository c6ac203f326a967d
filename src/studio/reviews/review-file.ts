import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeFileAtomically } from "../../files/atomic.js";
import { fileError } from "../../files/file-error.js";
import { FileTurns } from "../../files/file-turns.js";
import { readTextFile } from "../../files/regular-file.js";
import { Refusal } from "../refusal.js";
import type { ReviewAnswer } from "./review-api.js";
import { type ReviewRow, ReviewTable } from "./review-table.js";

/** A person's answer to an item, and the answer that their page showed before. */
export interface GivenAnswer {
  readonly item: string;
  readonly answer: ReviewAnswer;
  readonly was: ReviewAnswer;
}

/**
 * A review queue on the disk. Whoever answers has the file to themselves: it is read as it stands then,
 * one line of it is changed, and it is on the disk, whole, before the answer is acknowledged. So two
 * windows, two servers and an editor that saves between answers lose nothing of each other's.
 */
export class ReviewFile {
  readonly path: string;
  readonly #name: string;
  readonly #turns: FileTurns;
  #last: { readonly mark: string; readonly table: ReviewTable } | undefined;

  /** @param name what errors call it */
  constructor(path: string, name: string) {
    this.path = path;
    this.#name = name;
    this.#turns = new FileTurns(join(dirname(path), ".studio", "turns"));
  }

  /** The queue as it stands. @throws InputError where it is none, or can't be read. */
  async read(): Promise<ReviewTable> {
    const mark = await this.#mark();
    if (this.#last?.mark === mark) return this.#last.table;
    const text = await readTextFile(this.path).catch((error: unknown) => {
      throw fileError(error, "read", this.#name);
    });
    const table = new ReviewTable(text, this.#name);
    // Where it was replaced meanwhile, the mark is of the file before, and it is read again.
    this.#last = { mark, table };
    return table;
  }

  /**
   * Writes an answer into the file; the same answer again changes nothing.
   *
   * @throws Refusal 409 where somebody has said something else since the page was shown.
   */
  answer({ item, answer, was }: GivenAnswer): Promise<{ table: ReviewTable; row: ReviewRow }> {
    return this.#turns.inTurn(async () => {
      const table = await this.read();
      const row = table.row(item);
      if (row === undefined) {
        throw new Refusal(404, "no-item", "The queue has no such item any more", {
          hint: "It may have been judged anew. Open the page again.",
        });
      }
      if (answer !== null && !table.choices.includes(answer)) {
        throw new Refusal(
          400,
          "answer",
          `Expected one of ${table.choices.join(", ")} as the answer`,
        );
      }
      if (row.answer === answer) return { table, row };
      if (row.answer !== was) {
        throw new Refusal(
          409,
          "answered",
          `Somebody else has answered ${row.answer ?? "nothing"}`,
          {
            hint: "That answer stands. To change it, give yours again.",
          },
        );
      }
      await writeFileAtomically(this.path, table.withAnswer(row, answer));
      const changed = await this.read();
      return { table: changed, row: changed.row(item) ?? { ...row, answer } };
    });
  }

  /** Takes back what this process holds beside the file. */
  close(): Promise<void> {
    return this.#turns.close();
  }

  async #mark(): Promise<string> {
    const facts = await stat(this.path, { bigint: true }).catch((error: unknown) => {
      throw fileError(error, "read", this.#name);
    });
    return `${facts.ino} ${facts.size} ${facts.mtimeNs}`;
  }
}
