import type { JsonObject } from "../../core/json.js";
import type { CallOptions, ChatModel } from "../../core/models.js";
import type { Domain, Knob, Pair } from "./taxonomy.js";

/** Everything that the paper gives a writer of prompts (tables 3 to 5). */
export interface TripletRequest extends Pick<Pair, "attribute"> {
  readonly domain: Domain;
  readonly category: string;
  readonly hypernym: Pair["hypernym"];
  readonly nonPrototype: Pair["nonPrototype"];
  readonly prototype: Pair["prototype"];
  readonly knob: Knob;
  readonly knobDescription: string;
  /** The knob's value in the text, and the one that takes its place in the adversarial sentence. */
  readonly right: string;
  readonly wrong: string;
  /** The object beside the subject that carries the knob. */
  readonly extra: string;
  readonly environment: string;
}

/**
 * A writer's answer: `text` names the hypernym; `correct` the non-prototype with the knob
 * right; `adversarial` the prototype with the knob wrong. The controls swap the members.
 */
export interface Triplet {
  readonly text: string;
  readonly correct: string;
  readonly adversarial: string;
  readonly controlCorrect: string;
  readonly controlAdversarial: string;
}

/** A triplet that was written, and what is wrong with it. */
export interface RefusedTriplet {
  readonly triplet: Triplet;
  readonly broken: readonly { readonly rule: string; readonly message: string }[];
}

export interface WriteOptions extends CallOptions {
  /** Earlier answers to this request that were refused, in their order. */
  readonly refused?: readonly RefusedTriplet[];
}

/**
 * Writes the sentences of a triplet. Whether they follow the rules is checked by who asked, who
 * asks again with the next `attempt` (from 1). One without an answer throws `NoAnswer`.
 */
export interface TripletWriter {
  /** Goes into every prompt record: two writers with one name must write the same. */
  readonly name: string;
  /** The words that it asks by, where they are not the package's; the recipe holds them. */
  readonly instructions?: JsonObject;
  /** The model that it asks, where it asks one. */
  readonly model?: ChatModel;
  write(request: TripletRequest, attempt: number, options?: WriteOptions): Promise<Triplet>;
}
