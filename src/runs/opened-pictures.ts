import type { Hash } from "../core/keys.js";
import type { Picture } from "../core/models.js";

/** A picture counts as its file and its decoded pixels: some 1,300 of the lab's, 40 photographs of a megapixel. */
const mostBytes = 192_000_000;

/** What stands around the smallest is counted as so much: at most 8,000 are kept. */
const leastBytes = 24_000;

/**
 * Pictures that were opened last, by the hash of their bytes, which was checked when they were read. Several steps
 * look at the same ones: each would read, check and decode them anew. A failure is not kept.
 */
export class OpenedPictures {
  readonly #opened = new Map<Hash, { readonly picture: Promise<Picture>; bytes: number }>();
  readonly #open: (image: Hash) => Promise<Picture>;
  readonly #most: number;
  #bytes = 0;

  constructor(open: (image: Hash) => Promise<Picture>, most = mostBytes) {
    this.#open = open;
    this.#most = most;
  }

  open(image: Hash): Promise<Picture> {
    const known = this.#opened.get(image);
    if (known === undefined) return this.#begin(image);
    // The one used last goes to the end; the first is the one that was not used for longest.
    this.#opened.delete(image);
    this.#opened.set(image, known);
    return known.picture;
  }

  #begin(image: Hash): Promise<Picture> {
    const picture = this.#open(image);
    const kept = { picture, bytes: 0 };
    this.#opened.set(image, kept);
    picture.then(
      (opened) => {
        // One that had to go before it was open takes no room.
        if (this.#opened.get(image) !== kept) return;
        const { file, width, height } = opened;
        // What lies in a file is read when it is used.
        const own = (file === undefined ? opened.bytes.length : 0) + width * height * 3;
        kept.bytes = Math.max(leastBytes, own);
        this.#bytes += kept.bytes;
        for (const oldest of this.#opened.keys()) {
          if (this.#bytes <= this.#most) return;
          this.#forget(oldest);
        }
      },
      () => {
        if (this.#opened.get(image) === kept) this.#forget(image);
      },
    );
    return picture;
  }

  #forget(image: Hash): void {
    this.#bytes -= this.#opened.get(image)?.bytes ?? 0;
    this.#opened.delete(image);
  }
}
