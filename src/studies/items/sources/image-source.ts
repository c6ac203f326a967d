import type { JsonObject } from "../../../core/json.js";
import type { DescribedEntity, Mask } from "../../../core/models.js";
import type { FilterShare } from "../../study.js";

/** Images of a run or a folder with their texts: protocols make items of them. */
export interface ImageSource {
  /** The source's name in messages. */
  readonly name: string;
  readonly images: readonly SourceImage[];
  /** Sets of images that a judge answered a rubric about; empty unless the run is an audit. */
  readonly judged: readonly JudgedSet[];
  /** Share of the pairs that the run's filter kept; missing without a filter. */
  readonly filter?: FilterShare | undefined;
}

/** An image, and the text that it is compared with. */
export interface SourceImage {
  /** Unique in the source. */
  readonly id: string;
  /** The image's file. */
  readonly path: string;
  readonly text: string;
  /** The prompt that the text came from: images of one prompt belong together. */
  readonly prompt: string;
  /** The generator; empty where it is unknown. */
  readonly model: string;
  /** Which of the model's images of this prompt. */
  readonly sample: number;
  /** The two images of a pair, the one that a table names first as `a`. */
  readonly pair?: { readonly id: string; readonly side: "a" | "b"; readonly name: string };
  /** Before or after the query was rewritten. */
  readonly phase?: "initial" | "refined";
  /** The text's entities with their attributes. */
  readonly entities?: readonly DescribedEntity[];
  /** Finds one of its entities, for protocols that show people where it is. */
  findEntity?(entity: string): FoundEntity | undefined;
  /** Columns for exports: the record's key, domain, category … */
  readonly beside: JsonObject;
}

/** Reads the mask of an entity; undefined where the entity was not found. */
export type FindEntity = () => Promise<Mask | undefined>;

/** Where an entity is, and who says so. */
export interface FoundEntity {
  readonly mask: FindEntity;
  /** The models that found it: answers about what they show are no reference for metrics that use them. */
  readonly localizers: readonly string[];
}

/** A set of images, and what a judge said of an item of its rubric. */
export interface JudgedSet {
  readonly id: string;
  readonly query: string;
  readonly item: string;
  readonly definition: string;
  /** One example of yes and one of no, in a sentence each. */
  readonly examples: string;
  readonly images: readonly string[];
  readonly beside: JsonObject;
}
