import { expect, test } from "vitest";
import { partsOf } from "../../report/pages/html-parts.js";
import { galleryChapter } from "./gallery.js";

test("a score that is nearly 0 or 1 is not printed as 0 or 1", async () => {
  const model = "lab:vqa";
  const image = {
    key: "0123456789abcdef",
    text: "a cat",
    mediaType: "image/png",
    bytes: Uint8Array.of(1),
    width: 1,
    height: 1,
  };
  const { parts } = galleryChapter({
    columns: ["a", "b", "c", "d"].map((name) => ({ name, model, direction: "higher" })),
    entries: [
      {
        image,
        generator: "lab:painter-a",
        text: "a cat",
        scores: [0.00002, 0.9999, 0, 1],
        ranks: [0, 1, 0, 1],
        highest: 1,
        lowest: 0,
        spread: 1,
      },
    ],
    images: 3,
  });
  const page = (await partsOf(parts)).toString();
  const cells = [...page.matchAll(/<td class="number">([^<]*)<\/td><td/g)].map(([, cell]) => cell);
  expect(cells).toEqual(["&lt;0.001", "&gt;0.999", "0.000", "1.000"]);
});
