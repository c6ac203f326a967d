import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { supportItems } from "./calibrate.js";

test("items without labels are the images of a folder and below, or the rows of a table", async () => {
  const workingDirectory = await temporaryDirectory();
  const environment = fakeEnvironment({ workingDirectory });
  const read = (file: string) => supportItems({ file, map: [], environment }, "pair");
  await mkdir(join(workingDirectory, "more", "below"), { recursive: true });
  await expect(read("more")).rejects.toThrow("Expected images in the folder more");
  await writeFile(join(workingDirectory, "more", "a.png"), "");
  await writeFile(join(workingDirectory, "more", "below", "b.jpg"), "");
  const found = await read("more");
  expect(found.map(({ images }) => images.map(({ path }) => path))).toEqual([
    [join(workingDirectory, "more", "a.png")],
    [join(workingDirectory, "more", "below", "b.jpg")],
  ]);
  await writeFile(
    join(workingDirectory, "pairs.csv"),
    "id,caption,image_a,image_b\n1,A dog,more/a.png,more/below/b.jpg\n",
  );
  expect((await read("pairs.csv"))[0]?.images).toEqual(
    found
      .flatMap(({ images }) => images)
      .map(({ path, name }) => expect.objectContaining({ path, name })),
  );
});
