import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { InputError } from "../../core/errors.js";
import { randomFrom } from "../../core/random.js";
import { imageSets } from "./image-set.js";

const fixture = (name: string) =>
  readFile(new URL(`../../../test/fixtures/image-sets/${name}`, import.meta.url));

/** Reads every image of a Parquet file; the number of rows, or why they can't be read. */
async function rowsIn(bytes: Uint8Array): Promise<number | unknown> {
  const folder = await temporaryDirectory();
  await writeFile(join(folder, "a.parquet"), bytes);
  try {
    let count = 0;
    for (const { rows } of await imageSets("a.parquet", folder)) {
      for await (const { place } of rows) if (place !== "") count += 1;
    }
    return count;
  } catch (error) {
    return error;
  }
}

/** Some bytes of a file changed, or a part of it taken out. */
function damaged(bytes: Uint8Array, seed: number): Uint8Array {
  const random = randomFrom(0, "damaged", seed);
  const places = Array.from({ length: 1 + random.integer(4) }, () => random.integer(bytes.length));
  if (seed % 5 === 0) {
    const [from = 0, to = 0] = [...places, bytes.length].sort((a, b) => a - b);
    return Uint8Array.from([
      ...bytes.subarray(0, from),
      ...bytes.subarray(Math.min(to, from + 99)),
    ]);
  }
  const changed = Uint8Array.from(bytes);
  for (const place of places) changed[place] = random.integer(256);
  return changed;
}

test.each(["datasets.parquet", "pairs.parquet"])(
  "a damaged %s gives rows or an InputError",
  async (name) => {
    const bytes = new Uint8Array(await fixture(name));
    expect(await rowsIn(bytes)).toBeGreaterThan(0);
    let refused = 0;
    for (let seed = 0; seed < 200; seed++) {
      const found = await rowsIn(damaged(bytes, seed));
      if (typeof found === "number") continue;
      expect(found, `seed ${seed}`).toBeInstanceOf(InputError);
      refused += 1;
    }
    expect(refused).toBeGreaterThan(20);
  },
);
