import { appendFile, readFile } from "node:fs/promises";
import { z } from "zod";
import { InputError } from "../../core/errors.js";
import type { AnswerTable } from "../protocols/protocol.js";
import type { Settlement } from "./settlement.js";

type ListName = keyof Settlement;
const lists = ["approve", "reject", "bonus"] as const satisfies readonly ListName[];

const lineSchema = z.object({
  list: z.enum(lists),
  state: z.enum(["sent", "done", "refused"]),
  of: z.array(z.string()),
});

/**
 * What was settled at a panel, in a file of one JSON object a call: `sent` before the call, `done` or `refused` after
 * it. So nothing is paid twice, whenever it stops.
 */
export class Settled {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * The rows that were not settled yet.
   *
   * @throws InputError where a call was sent of which nobody knows how it ended.
   */
  async left(all: Settlement): Promise<Settlement> {
    const states = await this.#states();
    const unknown = [...states].filter(([, state]) => state === "sent");
    const [first] = unknown;
    if (first !== undefined) {
      throw new InputError(
        `Expected an answer to every earlier call but none came for ${unknown.length}, the first ${first[0]}`,
        {
          hint: `See at the panel whether it was done; then write "done" or "refused" in place of "sent" in ${this.#path}`,
        },
      );
    }
    const leftOf = (list: ListName) =>
      all[list].filter((row) => states.get(nameOf(list, row)) !== "done");
    return { approve: leftOf("approve"), reject: leftOf("reject"), bonus: leftOf("bonus") };
  }

  /** Makes a call about rows, noted before and after it. */
  async call(list: ListName, rows: AnswerTable, make: () => Promise<unknown>): Promise<void> {
    await this.#note(list, "sent", rows);
    try {
      await make();
    } catch (error) {
      // The panel answered that it did nothing.
      if (error instanceof InputError) await this.#note(list, "refused", rows);
      throw error;
    }
    await this.#note(list, "done", rows);
  }

  async #note(list: ListName, state: string, rows: AnswerTable): Promise<void> {
    const line = { list, state, of: rows.map(submissionOf) };
    await appendFile(this.#path, `${JSON.stringify(line)}\n`, { mode: 0o600, flush: true });
  }

  async #states(): Promise<Map<string, string>> {
    const text = await readFile(this.#path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw error;
    });
    const states = new Map<string, string>();
    for (const [at, line] of text.split("\n").entries()) {
      if (line === "") continue;
      const read = lineSchema.safeParse(jsonOf(line));
      if (!read.success) {
        throw new InputError(
          `Expected a call in ${this.#path}, line ${at + 1}, but it is damaged`,
          {
            hint: "See at the panel what was done, and correct the line",
          },
        );
      }
      for (const submission of read.data.of)
        states.set(`${read.data.list} of ${submission}`, read.data.state);
    }
    return states;
  }
}

const submissionOf = ({ study, session }: AnswerTable[number]): string => `${study}/${session}`;
const nameOf = (list: ListName, row: AnswerTable[number]) => `${list} of ${submissionOf(row)}`;

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
