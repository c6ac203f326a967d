import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";
import { exitCodes } from "../../report-error.js";

async function touchstone(workingDirectory: string, line: string) {
  return touchstoneHere(line.split(" "), { workingDirectory });
}

/** A run of two prompts and, made elsewhere, one image for each of their eight sentences. */
async function runAndImages() {
  const directory = await temporaryDirectory();
  const build = "build --run run --prompts 2 --domain animals --drawable-by lab:painter";
  expect(await touchstone(directory, build)).toMatchObject({ code: exitCodes.done });
  const wanted = await touchstone(directory, "generate --run run --samples 1 --wanted wanted.csv");
  expect(wanted.stdout).toContain("8 images are wanted: wanted.csv");
  const [header, ...rows] = (await readFile(join(directory, "wanted.csv"), "utf8"))
    .trim()
    .split("\n");
  expect(header).toBe("file_name,text,prompt,role,sample");
  const names = rows.map((row) => row.split(",")[0] ?? "");
  await Promise.all(
    names.map((name, index) =>
      sharp({
        create: { width: 8, height: 8, channels: 3, background: { r: index, g: 9, b: 9 } },
      })
        .png()
        .toFile(join(directory, name)),
    ),
  );
  await mkdir(join(directory, "images"));
  for (const name of names) await rename(join(directory, name), join(directory, "images", name));
  return { directory, names };
}

const generate = "generate --run run --samples 1 --model folder:./images";

test("images made elsewhere are found by name, referred to, and asked for again when they come", async () => {
  const { directory, names } = await runAndImages();
  const images = join(directory, "images");
  const [first = "", second = ""] = names;
  await rename(join(images, first), join(directory, first));
  await writeFile(join(images, "holiday.png"), await readFile(join(images, second)));
  const { code, stdout, stderr } = await touchstone(directory, generate);
  expect(code).toBe(exitCodes.done);
  expect(stderr).toContain("folder:./images: 7 of 8 images found");
  expect(stderr).toContain(`1 missing\n  ${first.replace(".png", "")} (`);
  expect(stderr).toContain("1 extra: nothing asks for them\n  holiday.png");
  expect(stdout).toContain("7 images in run, referred to where they lie");
  const blobs = await readdir(join(directory, "run/blobs"), { recursive: true });
  const files = blobs.filter((name) => name.includes("."));
  expect(files).toHaveLength(7);
  expect(files.every((name) => name.endsWith(".path"))).toBe(true);

  await rename(join(directory, first), join(images, first));
  await rm(join(images, "holiday.png"));
  const again = await touchstone(directory, generate);
  expect(again.stderr).toContain("8 of 8 images found");
  expect(again.stdout).toContain("8 images in run");
  const verified = await touchstone(directory, "run verify run");
  expect(verified.code).toBe(exitCodes.done);

  // A file that was changed since is noticed.
  await writeFile(join(images, first), "another");
  const damaged = await touchstone(directory, "run verify run");
  expect(damaged.code).not.toBe(exitCodes.done);
});

test("--embed keeps copies; a folder without any of the images is refused", async () => {
  const { directory } = await runAndImages();
  const embedded = await touchstone(directory, `${generate} --embed`);
  expect(embedded.stdout).toContain("8 images in run/blobs");
  await rm(join(directory, "images"), { recursive: true });
  expect(await touchstone(directory, "run verify run")).toMatchObject({ code: exitCodes.done });
  const none = await touchstone(
    directory,
    "generate --run run --samples 1 --model folder:run/blobs",
  );
  expect(none.code).toBe(exitCodes.input);
  expect(none.stderr).toContain("--wanted wanted.csv");
});
