import type { PlacedObject } from "./layout.js";

/** An object as it was drawn; of a person and of clothes each part is one. */
export interface PaintedObject extends PlacedObject {
  readonly role?: "body" | "garment" | "sign";
  readonly pattern?: string;
  /** The share of it that can be seen, in [0, 1]. */
  readonly visible: number;
}
