import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { decode } from "fast-png";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../test/support/touchstone-here.js";

/** Every verb that draws, with the flags that its example needs. */
const verbs: readonly (readonly [path: string, ...flags: string[]])[] = [
  ["analyze agreement", "--scale", "ordinal", "--resamples", "100"],
  ["analyze attributes", "--resamples", "100"],
  ["analyze calibration", "--resamples", "100"],
  ["analyze contrastive", "--resamples", "100"],
  ["analyze correlation", "--human", "rating", "--resamples", "100"],
  ["analyze significance", "--permutations", "100"],
  ["analyze stereotypes", "--resamples", "100"],
  ["compare", "--resamples", "100"],
];

async function run(workingDirectory: string, ...words: readonly string[]) {
  return touchstoneHere(words, { workingDirectory });
}

describe.each(verbs)("%s --plot", (path, ...flags) => {
  const example = ["example", path.split(" ").at(-1) ?? ""];

  test("draws an SVG and a PNG of one size, says so, and changes no result", async () => {
    const folder = await temporaryDirectory();
    await writeFile(join(folder, "in.csv"), (await run(folder, ...example)).stdout);
    const words = [...path.split(" "), "in.csv", ...flags];
    const plain = await run(folder, ...words);
    const drawn = await run(folder, ...words, "--plot", "new/plot.svg");
    expect(drawn).toMatchObject({ code: 0, stdout: plain.stdout });
    expect(drawn.stderr).toContain("Drew new/plot.svg\n");
    const svg = await readFile(join(folder, "new/plot.svg"), "utf8");
    const [, width, height] = /^<svg [^>]*width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? [];
    expect(await run(folder, ...words, "--plot", "plot.PNG")).toMatchObject({ code: 0 });
    const png = decode(await readFile(join(folder, "plot.PNG")));
    expect(png.width).toBe(Math.ceil(2 * Number(width)));
    expect(png.height).toBe(Math.ceil(2 * Number(height)));
    expect((await readdir(folder)).sort()).toEqual(["in.csv", "new", "plot.PNG"]);
  });

  test("the page of --out shows the same picture", async () => {
    const folder = await temporaryDirectory();
    await writeFile(join(folder, "in.csv"), (await run(folder, ...example)).stdout);
    const words = [...path.split(" "), "in.csv", ...flags, "--out", "page.html"];
    expect(await run(folder, ...words, "--plot", "plot.svg")).toMatchObject({ code: 0 });
    const page = await readFile(join(folder, "page.html"), "utf8");
    const svg = await readFile(join(folder, "plot.svg"), "utf8");
    const marks = svg.slice(svg.indexOf('"/>') + 3).trimEnd();
    expect(marks.length).toBeGreaterThan(1000);
    expect(page).toContain(marks);
  });
});

describe("--plot is refused before any work", () => {
  const refused = async (...words: readonly string[]) => {
    const folder = await temporaryDirectory();
    await mkdir(join(folder, "folder.svg"));
    await writeFile(join(folder, "in.svg"), "id\n1\n");
    await symlink("in.svg", join(folder, "link.svg"));
    const before = await readdir(folder);
    const found = await run(folder, "analyze", "calibration", ...words);
    expect(found).toMatchObject({ code: 2, stdout: "" });
    expect(await readdir(folder)).toEqual(before);
    return found.stderr;
  };

  test.each(["plot.pdf", "plot", "svg"])("%s is neither SVG nor PNG", async (plot) => {
    expect(await refused("missing.csv", "--plot", plot)).toContain(
      `Expected a file that ends in .svg or .png for --plot but received "${plot}"`,
    );
  });

  test("a folder", async () => {
    expect(await refused("missing.csv", "--plot", "folder.svg")).toContain(
      'Expected a file for --plot but received the folder "folder.svg"',
    );
  });

  test.each(["in.svg", "./in.svg", "link.svg"])("%s is the input", async (plot) => {
    const words = ["in.svg", "--format", "csv", "--plot", plot];
    expect(await refused(...words)).toContain(
      `Expected another file than the input for --plot but received "${plot}"`,
    );
  });

  test("the file of --out, which has another kind of content", async () => {
    // The endings of the two never meet but under two names for one file.
    const folder = await temporaryDirectory();
    await writeFile(join(folder, "a.html"), "");
    await symlink("a.html", join(folder, "a.svg"));
    const words = ["analyze", "calibration", "missing.csv", "--out", "a.html", "--plot", "a.svg"];
    const { code, stderr } = await run(folder, ...words);
    expect(code).toBe(2);
    expect(stderr).toContain('Expected another file than --out for --plot but received "a.svg"');
  });
});

test("names that only a reader's fonts can draw are mentioned for a PNG, not for an SVG", async () => {
  const folder = await temporaryDirectory();
  const csv = "item,annotator,value\n1,评分,1\n1,b,1\n2,评分,2\n2,b,1\n";
  await writeFile(join(folder, "in.csv"), csv);
  const words = ["analyze", "agreement", "in.csv", "--scale", "nominal", "--resamples", "100"];
  const png = await run(folder, ...words, "--plot", "a.png");
  expect(png.stderr).toContain("Latin, Greek and Cyrillic letters only; an .svg shows all names");
  const svg = await run(folder, ...words, "--plot", "a.svg");
  expect(svg.stderr).not.toContain("letters only");
  expect(await readFile(join(folder, "a.svg"), "utf8")).toContain("评分");
});
