import { expect, it } from "vitest";
import { encodePng } from "../src/images/pixels-picture.js";
import { commandLines } from "./support/command-lines.js";
import { colouredImage } from "./support/scripted-openai.js";

const { put, run } = commandLines();

const image = encodePng({ width: 64, height: 64, data: new Uint8Array(64 * 64 * 3).fill(90) });
const texts = ["a red cup", "A red cup "];
const table = ["id,image,text", ...texts.map((text, at) => `${at},${at}.png,"${text}"`)].join("\n");
const study = `
title: Cups
consent: Yes?
blocks:
  - protocol: rating
    from: t.csv
    ratingsPerItem: 1
`;

it.each([
  ["score", "t.csv", "--model", "lab:dual-encoder-skewed"],
  ["generate", "t.csv", "--model", "lab:painter", "--out", "images"],
  ["metrics", "localize", "t.csv", "--model", "lab:localizer", "--out", "masks"],
  ["study", "create", "study.yaml", "--run", "run"],
])("%s says which texts differ in case and spaces alone", async (...words) => {
  await put("t.csv", table);
  await put("0.png", image);
  await put("1.png", image);
  await put("study.yaml", study);
  const { stderr } = await run(words);
  expect(stderr).toContain('"A red cup " and "a red cup"');
});

it.each([
  ["rows with the image and text of an earlier one", ["a.png,x", "a.png,x", "b.png,y"], true],
  [
    "an image that has several texts where others have one",
    ["a.png,x", "a.png,y", "b.png,y", "c.png,z"],
    true,
  ],
  ["nothing where each image has several", ["a.png,x", "a.png,y", "b.png,x", "b.png,y"], false],
])("score says %s", async (_, rows, isSaid) => {
  for (const name of ["a.png", "b.png", "c.png"]) await put(name, colouredImage(name, 0, 64));
  await put("metadata.csv", ["file_name,text", ...rows].join("\n"));
  const { stdout } = await run(["score", ".", "--model", "lab:dual-encoder-skewed", "--json"]);
  const { warnings } = JSON.parse(stdout);
  expect(warnings.some((one: string) => one.includes("each row is scored"))).toBe(isSaid);
});
