import type { JsonObject } from "../../core/json.js";
import type { Hash } from "../../core/keys.js";
import { randomFrom } from "../../core/random.js";
import type { Assignment } from "../assignment/answer-tally.js";
import type { ParticipantState } from "../home/study-state.js";
import type { Protocol, Showing, ShownModel } from "../protocols/protocol.js";
import { protocolOf } from "../protocols/protocols.js";
import { itemsOf, type Study, type StudyBlock, type StudyItem } from "../study.js";
import type { Tokens } from "./signed-tokens.js";

/** An assignment with all that is needed to show it and to take its answer. */
export interface Shown {
  /** Its name for this participant; nobody without the secret can guess another's. */
  readonly name: string;
  readonly assignment: Assignment;
  readonly block: StudyBlock;
  readonly protocol: Protocol;
  readonly showing: Showing;
}

/** Turns assignments into what one participant's browser is shown of them. */
export class Showings {
  readonly #study: Study;
  readonly #tokens: Tokens;
  readonly #blocks: ReadonlyMap<
    string,
    { block: StudyBlock; items: ReadonlyMap<string, StudyItem> }
  >;

  constructor(study: Study, tokens: Tokens) {
    this.#study = study;
    this.#tokens = tokens;
    this.#blocks = new Map(
      study.blocks.map((block) => [block.name, { block, items: itemsOf(block) }]),
    );
  }

  of({ id, ordinal }: Pick<ParticipantState, "id" | "ordinal">, assignment: Assignment): Shown {
    const found = this.#blocks.get(assignment.block);
    const item = found?.items.get(assignment.item);
    if (found === undefined || item === undefined) {
      throw new Error(`No item ${assignment.item} in block ${assignment.block}`);
    }
    const name = this.#tokens.mac(
      "assignment",
      id,
      assignment.block,
      assignment.item,
      assignment.kind,
    );
    return {
      name,
      assignment,
      block: found.block,
      protocol: protocolOf(found.block.settings.protocol),
      showing: {
        item,
        settings: found.block.settings,
        names: item.images.map((_, index) => this.#tokens.mac("image", name, String(index))),
        swapped: assignment.swapped,
        drawn: (list, of) => {
          const { seed } = this.#study.settings;
          const whose = [found.block.name, item.id, ordinal, ...(of === undefined ? [] : [of])];
          return randomFrom(seed, "study-showing", ...whose).shuffle(list);
        },
      },
    };
  }

  /** The image that this name stands for in what was shown; undefined where it stands for none. */
  imageIn({ showing: { item, names } }: Shown, name: string): Hash | undefined {
    return item.images[names.indexOf(name)];
  }

  /** The item as the browser receives it. */
  presented({ protocol, showing }: Shown): JsonObject {
    return protocol.present(showing);
  }
}

/** The steps in which something is shown, each with the models whose images are seen in it. */
export function stepsOf({ protocol, showing }: Shown): readonly (readonly ShownModel[])[] {
  const { model } = showing.item.beside;
  const alone = typeof model === "string" ? [{ label: "", model }] : [];
  return protocol.steps?.(showing) ?? [alone];
}
