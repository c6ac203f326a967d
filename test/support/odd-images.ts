import { crc32 } from "node:zlib";
import sharp, { type Sharp } from "sharp";

const data = Uint8Array.from({ length: 16 * 12 * 3 }, (_, at) => (at * 37) % 256);
const made = () => sharp(data, { raw: { width: 16, height: 12, channels: 3 } });

/** A PNG with a chunk of its own behind its header. */
export function withChunk(png: Buffer, name: string, content: Uint8Array): Buffer {
  const chunk = Buffer.alloc(12 + content.length);
  chunk.writeUInt32BE(content.length, 0);
  chunk.write(name, 4, "latin1");
  chunk.set(content, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + content.length)), 8 + content.length);
  const afterHeader = 33;
  return Buffer.concat([png.subarray(0, afterHeader), chunk, png.subarray(afterHeader)]);
}

/** A GIF whose frame lies at (left, top) on its canvas. */
export async function gifOnCanvas(
  image: Sharp,
  { width, height, left, top }: Readonly<Record<"width" | "height" | "left" | "top", number>>,
): Promise<Buffer> {
  const file = await image.gif().toBuffer();
  const frame = file.indexOf(Buffer.from([0x2c, 0, 0, 0, 0]));
  file.writeUInt16LE(width, 6);
  file.writeUInt16LE(height, 8);
  file.writeUInt16LE(left, frame + 1);
  file.writeUInt16LE(top, frame + 3);
  return file;
}

/** Small images that decoders show in several ways, and two that all show alike. */
export async function oddImages(): Promise<ReadonlyMap<string, Uint8Array>> {
  const png = await made().png().toBuffer();
  const exif = { orientation: 6 };
  return new Map<string, Uint8Array>([
    ["plain.png", png],
    ["plain.jpg", await made().jpeg().toBuffer()],
    ["gamma.png", withChunk(png, "gAMA", Uint8Array.of(0, 1, 134, 160))],
    ["cicp.png", withChunk(png, "cICP", Uint8Array.of(12, 13, 0, 1))],
    ["key.png", withChunk(png, "tRNS", Uint8Array.of(0, 0, 0, 37, 0, 74))],
    ["deep.png", await made().toColourspace("rgb16").png().toBuffer()],
    ["palette.png", await made().ensureAlpha(0.5).png({ palette: true }).toBuffer()],
    ["alpha.png", await made().ensureAlpha(0.5).png().toBuffer()],
    ["turned.jpg", await made().withMetadata(exif).jpeg().toBuffer()],
    ["turned.webp", await made().withMetadata(exif).webp({ lossless: true }).toBuffer()],
    ["wide-gamut.jpg", await made().withIccProfile("p3").jpeg().toBuffer()],
    ["wide-gamut.png", await made().withIccProfile("p3").png().toBuffer()],
    ["inks.jpg", await made().toColourspace("cmyk").jpeg().toBuffer()],
    ["inks-profile.jpg", await made().withIccProfile("cmyk").jpeg().toBuffer()],
    ["canvas.gif", await gifOnCanvas(made(), { width: 20, height: 15, left: 2, top: 3 })],
    ["inks.tif", await made().toColourspace("cmyk").tiff().toBuffer()],
  ]);
}
