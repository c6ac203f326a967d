import type { Picture } from "../../views/report.js";
import { as, type Marked, said } from "../../views/view.js";
import type { CardImage } from "../disagreement-gallery.js";

/** An image of a run below which a title stands, and what it shows. */
export const pictureOf = (image: CardImage, title = "", text = ""): Picture => ({
  image,
  alternative: `Image made from: ${image.text}`,
  ...(title !== "" && { caption: said`${as("strong", title)}${text}` }),
});

/** How two images were ranked. Who ranks rightly has a tick: never told by colour alone. */
export function outcomeMark(outcome: "right" | "wrong" | "tie" | "unscored"): Marked {
  if (outcome === "right") return as("right", "✓ right");
  if (outcome === "unscored") return as("open", "– unscored");
  return as("wrong", outcome === "tie" ? "✗ tie" : "✗ wrong");
}
