import type { ReactNode } from "react";
import type { Answer, Block, Item, StudyClient } from "../study-client.js";

/** Where a view's images come from. */
export type Images = Pick<StudyClient, "image">;

/** How a protocol's item is laid out and answered. */
export interface ViewProps {
  readonly client: Images;
  readonly block: Block;
  readonly item: Item;
  /** The answer so far, where the participant came back to it, or has not sent it yet. */
  readonly given: Answer | undefined;
  /** The step that is shown, from 0, where an item has several. */
  readonly step: number;
  /** Goes to a step; undefined where a facilitator leads. */
  readonly onStep?: ((step: number) => void) | undefined;
  /** Told of what could be sent, as it changes. */
  readonly onDraft: (answer: Answer) => void;
  readonly submit: (answer: Answer) => void;
}

export type View = (props: ViewProps) => ReactNode;

/** A member of an item that is text; empty where it is none. */
export const textOf = (item: Item, name: string): string => {
  const value = item[name];
  return typeof value === "string" ? value : "";
};

/** A member of an item that is a list of texts. */
export const textsOf = (item: Item, name: string): readonly string[] => {
  const value = item[name];
  return Array.isArray(value) ? value.map(String) : [];
};
