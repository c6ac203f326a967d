import type { Picture, Pixels } from "../../core/models.js";
import type { Random } from "../../core/random.js";
import { loadSharp } from "../../images/load-sharp.js";
import { openPicture } from "../../images/picture.js";

/** The six colours that a model is asked to name, in the order of the questions. */
export const colourNames = ["red", "green", "blue", "yellow", "black", "white"] as const;
export type ColourName = (typeof colourNames)[number];

/** Red, green and blue of each, 0 to 255. */
export const colourLevels: Readonly<Record<ColourName, readonly [number, number, number]>> = {
  red: [255, 0, 0],
  green: [0, 128, 0],
  blue: [0, 0, 255],
  yellow: [255, 255, 0],
  black: [0, 0, 0],
  white: [255, 255, 255],
};

/** Each channel of #808080. */
const grey = 128;

/** Size in pixels, and the format in which an image reaches a model: JPEG as JPEG, all others as PNG. */
export type Shape = Pick<Picture, "width" | "height" | "mediaType">;

/** No side is drawn longer: every model shrinks such images. */
const longestDrawn = 4096;

/** Vertical stripes of equal width over the whole image. */
export function stripedImage(colours: readonly ColourName[], shape: Shape): Promise<Picture> {
  const { width, height } = drawnSize(shape);
  const row = Uint8Array.from({ length: width * 3 }, (_, at) => {
    const stripe = Math.floor((Math.floor(at / 3) * colours.length) / width);
    return colourLevels[colours[stripe] ?? "black"][at % 3] ?? 0;
  });
  const data = new Uint8Array(row.length * height);
  for (let y = 0; y < height; y++) data.set(row, y * row.length);
  return encoded({ width, height, data }, shape);
}

/** One colour over the whole image. */
export const plainColourImage = (colour: ColourName, shape: Shape): Promise<Picture> =>
  stripedImage([colour], shape);

/** Mid grey over the whole image. */
export const blankImage = (shape: Shape): Promise<Picture> =>
  encoded(greyPixels(drawnSize(shape)), shape);

/** A disc of a diameter in pixels on mid grey, somewhere: 1,024 x 1,024 pixels, PNG. */
export async function discImage(
  { colour, diameter }: { readonly colour: ColourName; readonly diameter: number },
  random: Random,
): Promise<Picture> {
  const side = 1024;
  const left = random.integer(side - diameter + 1);
  const top = random.integer(side - diameter + 1);
  const pixels = greyPixels({ width: side, height: side });
  for (let y = 0; y < diameter; y++) {
    for (let x = 0; x < diameter; x++) {
      const fromCentre = (x + 0.5 - diameter / 2) ** 2 + (y + 0.5 - diameter / 2) ** 2;
      if (fromCentre > (diameter / 2) ** 2) continue;
      pixels.data.set(colourLevels[colour], 3 * ((top + y) * side + left + x));
    }
  }
  return encoded(pixels, { mediaType: "image/png" });
}

const greyPixels = ({ width, height }: Pick<Pixels, "width" | "height">): Pixels => ({
  width,
  height,
  data: new Uint8Array(width * height * 3).fill(grey),
});

function drawnSize({ width, height }: Shape) {
  const scale = Math.min(1, longestDrawn / Math.max(width, height));
  const drawn = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: drawn(width), height: drawn(height) };
}

async function encoded(
  { width, height, data }: Pixels,
  { mediaType }: Pick<Shape, "mediaType">,
): Promise<Picture> {
  const image = (await loadSharp())(data, { raw: { width, height, channels: 3 } });
  const bytes =
    mediaType === "image/jpeg"
      ? await image.jpeg({ quality: 95, chromaSubsampling: "4:4:4" }).toBuffer()
      : await image.png({ compressionLevel: 6 }).toBuffer();
  return openPicture(bytes, "an image of the sight check");
}
