import { access } from "node:fs/promises";
import { basename, join } from "node:path";
import type { RecipeStep } from "../../core/recipe.js";
import { stepId } from "../../core/step.js";
import { fileError, systemCode } from "../file-error.js";
import { namesIn } from "../make-folder.js";

/** A file that one process appends records of a step to. */
export interface StepSegment {
  readonly path: string;
  /** Who appends to it, by the name that it has at work. */
  readonly owner: string;
}

/**
 * The files that hold the records of one step: its own, such as `01-build-prompts.jsonl`, and
 * until it is finished the segments of processes at work or killed, `01-build-prompts.OWNER.jsonl`.
 */
export class StepFiles {
  /** The beginning of all their names. */
  readonly stem: string;
  /** The step's own file. */
  readonly path: string;
  /** Its name in the folder of the run, with "/" between folders. */
  readonly name: string;
  readonly #directory: string;

  constructor(directory: string, step: RecipeStep, position: number) {
    this.stem = `${String(position + 1).padStart(2, "0")}-${stepId(step)}`;
    this.path = join(directory, `${this.stem}.jsonl`);
    this.name = `${basename(directory)}/${this.stem}.jsonl`;
    this.#directory = directory;
  }

  segmentOf(owner: string): string {
    return join(this.#directory, `${this.stem}.${owner}.jsonl`);
  }

  /** Whether the step's own file is there. */
  async exists(): Promise<boolean> {
    try {
      await access(this.path);
      return true;
    } catch (error) {
      if (systemCode(error) === "ENOENT") return false;
      throw fileError(error, "read", this.path);
    }
  }

  async segments(): Promise<readonly StepSegment[]> {
    const found: StepSegment[] = [];
    for (const name of await namesIn(this.#directory)) {
      const [, stem, owner] = /^([^.]+)\.([0-9a-z]+)\.jsonl$/.exec(name) ?? [];
      if (stem !== this.stem || owner === undefined) continue;
      found.push({ path: join(this.#directory, name), owner });
    }
    return found;
  }
}
