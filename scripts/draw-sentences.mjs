// Draws twenty sentences of each document by a seed, for readers to say what they mean.
//
//   node scripts/draw-sentences.mjs SEED FILE.md…
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const [seed, ...files] = process.argv.slice(2);
if (seed === undefined || files.length === 0) throw new Error("Expected SEED FILE.md…");
const wanted = 20;

/** Sentences of more than three words, without code, tables, headings and comments. */
const sentencesOf = (markdown) =>
  markdown
    .replace(
      /<!--[\s\S]*?-->|^```[\s\S]*?^```|<picture>[\s\S]*?<\/picture>|^#.*$|^\|.*$|^!\[.*$/gm,
      "",
    )
    .split(/\n\s*\n|\n(?=[-*] |\d+\. )/)
    .flatMap((part) =>
      part
        .replace(/\s+/g, " ")
        .trim()
        .split(/(?<=[.:!?]\**) (?=[A-Z*`[])/),
    )
    .filter((sentence) => sentence.split(" ").length > 3);

for (const file of files) {
  const place = (sentence) =>
    createHash("sha256").update(`${seed} ${file} ${sentence}`).digest("hex");
  const drawn = sentencesOf(readFileSync(file, "utf8"))
    .map((sentence) => [place(sentence), sentence])
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, wanted);
  console.log([`# ${file}`, ...drawn.map(([, sentence]) => `- ${sentence}`), ""].join("\n"));
}
