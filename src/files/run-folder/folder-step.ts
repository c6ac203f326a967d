import type { JsonObject } from "../../core/json.js";
import type { Key } from "../../core/keys.js";
import type { EndingCount, KeyState, StepWriter } from "../../core/record-store.js";
import type { AnyRecord } from "../../core/records.js";
import { countEndings } from "../count-endings.js";
import type { Workplace } from "./run-work.js";
import type { StepRecords } from "./step-records.js";

/** A step of a run folder while it is collected. */
export class FolderStep implements StepWriter {
  readonly #records: StepRecords;
  readonly #workplace: Workplace;
  readonly #trace: (entry: JsonObject) => Promise<void>;

  constructor(parts: {
    readonly records: StepRecords;
    readonly workplace: Workplace;
    readonly trace: (entry: JsonObject) => Promise<void>;
  }) {
    this.#records = parts.records;
    this.#workplace = parts.workplace;
    this.#trace = parts.trace;
  }

  get planned(): number {
    return this.#records.index.planned;
  }

  get wanted(): number {
    return this.#records.index.wanted;
  }

  async plan(keys: readonly Key[]): Promise<readonly boolean[]> {
    return keys.map((key) => this.#records.index.plan(key));
  }

  async look(keys: readonly Key[]): Promise<readonly KeyState[]> {
    const { index } = this.#records;
    return keys.map((key) => ({
      isWanted: index.isWanted(key),
      attempt: index.get(key)?.attempt ?? 0,
    }));
  }

  async count(): Promise<readonly EndingCount[]> {
    return countEndings(this.#records.index);
  }

  async forget(keys: readonly Key[]): Promise<void> {
    for (const key of keys) this.#records.index.forget(key);
  }

  async append(records: readonly AnyRecord[]): Promise<void> {
    await Promise.all(records.map((record) => this.#records.append(record)));
  }

  /** @throws InputError where another took the run over. */
  async finish({ keepsRemains = true }: { readonly keepsRemains?: boolean } = {}): Promise<void> {
    if (this.wanted > 0) throw new RangeError(`Expected no wanted keys but ${this.wanted} are`);
    await this.#workplace.others();
    await this.#records.compact(keepsRemains ? this.#trace : async () => {});
  }

  close(): Promise<void> {
    return this.#records.close();
  }
}
