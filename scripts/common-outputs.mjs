// Writes the commonest outputs and errors of the tool in a row into one file, for somebody to read through.
//
//   npm run build && node scripts/common-outputs.mjs OUT.txt
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const [out] = process.argv.slice(2);
if (out === undefined) {
  console.error("Expected OUT.txt. See the head of scripts/common-outputs.mjs");
  process.exit(2);
}
const bin = fileURLToPath(new URL("../bin", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "touchstone-outputs-"));
process.once("exit", () => rmSync(work, { recursive: true, force: true }));

/** What lies in the folder before the first command. */
const files = {
  "words.csv": "prompt,model,score\na dog,A,good\na dog,B,0.4\n",
  "renamed.csv": "id,metric,right,wrong\n1,clip,0.7,0.6\n",
  "percent.csv": "id,human,clip\n1,3,71.2 %\n2,4,80 %\n",
  "empty.csv": "",
  "head.csv": "model,prompt,score\n",
  "broken.json": '[{"model": "A", "prompt": "a dog", "score": 0.5},',
  "few.csv": "model,prompt,score\nA,a dog,0.7\nB,a dog,0.6\n",
  "same.csv": `model,prompt,score\n${[..."abcdefghij"].map((prompt) => `A,${prompt},0.5\nB,${prompt},0.5\n`).join("")}`,
  "audit.yaml": "generators: [lab:painter]\njudge: nobody\nimages: two\n",
  "study.yaml": "title: A study\nblocks:\n  - {protocol: ratings, from: nowhere.csv}\n",
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(work, name), text);
mkdirSync(join(work, "settings"));
writeFileSync(
  join(work, "settings/touchstone.config.yaml"),
  "models:\n  vlm: { provider: openai, model: gpt-4o }\n",
);

/** A line each; `example` writes what the next one reads. */
const commands = `
touchstone
touchstone --version
touchstone analyse scores.csv
touchstone example contrastive > contrastive.csv; touchstone analyze contrastive.csv
touchstone example swap > swap.csv; touchstone analyze swap swap.csv
touchstone example correlation > correlation.csv; touchstone analyze correlation correlation.csv --human rating
touchstone example preferences > preferences.csv; touchstone analyze preferences preferences.csv
touchstone example agreement > agreement.csv; touchstone analyze agreement agreement.csv --scale ordinal
touchstone example raters > raters.csv; touchstone analyze raters raters.csv
touchstone example calibration > calibration.csv; touchstone analyze calibration calibration.csv
touchstone example significance > significance.csv; touchstone analyze significance significance.csv
touchstone example ensemble > ensemble.csv; touchstone analyze ensemble ensemble.csv
touchstone example attributes > attributes.csv; touchstone analyze attributes attributes.csv
touchstone example stereotypes > stereotypes.csv; touchstone analyze stereotypes stereotypes.csv
touchstone example compare > models.csv; touchstone compare models.csv --out accepted.json
touchstone compare models.csv --baseline accepted.json --not-worse 0.1
touchstone compare models.csv --baseline accepted.json --not-worse 0.001
touchstone compare models.csv --not-worse 0.1 --power 0.8
touchstone compare models.csv --fail-under 0.9
touchstone compare few.csv
touchstone compare same.csv
touchstone example label-plan > plan.csv; touchstone label plan plan.csv --budget 20 --out next.csv
touchstone example judge-check > votes.csv; touchstone judge check votes.csv
touchstone example card > card.csv; touchstone card card.csv --out card.json
touchstone card diff card.json card.json
touchstone evidence
touchstone evidence --metric CLIPScore
touchstone evidence --metric CLIPscore2
touchstone evidence --for taste
touchstone evidence sets
touchstone metrics
touchstone example score --out given; touchstone score given/captions.csv --model lab:vqa --out scores.jsonl
touchstone score given/captions.csv --model lab:vqaa
touchstone score given/captions.csv --metric vqa
touchstone score given/captions.csv --metric vqa-score --model openai-compatible:gpt-4o-mini
touchstone score nowhere --model lab:vqa
touchstone score --image nowhere.png --text 'a dog' --model lab:vqa
touchstone example study --out first; touchstone study create first/study.yaml --run studies/first
touchstone study status studies/first
touchstone study create study.yaml --run studies/second
touchstone study export studies/first --table agreement
touchstone audit audit.yaml
touchstone audit audit.yaml --lint
touchstone build --run runs/mine --prompts 6 --drawable-by lab:painter
touchstone build --run runs/mine --prompts 6 --drawable-by lab:painter
touchstone build --run runs/mine --prompts 7
touchstone generate --run runs/mine --model lab:painter --samples 1
touchstone report runs/mine
touchstone score runs/mine --model lab:vqa --rate-with lab:filter-vqa
touchstone report runs/mine
touchstone run status runs/mine
touchstone run resume runs/none
touchstone run explain 0123 --run runs/mine
touchstone run clean
touchstone run clean --yes
touchstone compare --images A=given/images --images B=given/images
touchstone compare --images A=given/images
touchstone analyze contrastive renamed.csv
touchstone analyze correlation percent.csv --human human
touchstone compare words.csv
touchstone compare empty.csv
touchstone compare head.csv
touchstone compare broken.json
touchstone compare nowhere.csv
touchstone compare models.csv --seeed 1
touchstone compare models.csv --out comparison.docx
touchstone compare models.csv --baseline few.csv
touchstone import promptfoo words.csv --out imported.csv
touchstone leaderboard . --out site
touchstone studio nowhere
touchstone calibrate models.csv --model lab:judge
touchstone judge pairs.csv --judge nowhere.json
touchstone doctor
cd settings; touchstone score ../given --model vlm
`;
/** What a terminal of 80 columns holds in the end: without colours, and of a line that was redrawn the last. */
const shown = (text) =>
  text
    .split("\r\n")
    .map((line) => stripVTControlCharacters(line.split("\u001B[J").at(-1)))
    .join("\n");

const pages = [];
for (const line of commands.trim().split("\n")) {
  // What makes the table comes before it, unseen.
  const [command, ...before] = line.split("; ").reverse();
  const inTerminal = `stty cols 80; ${before
    .reverse()
    .map((one) => `${one.includes(">") ? one : `${one} >/dev/null`} 2>/dev/null; `)
    .join("")}${command}`;
  const { stdout, status } = spawnSync("script", ["-qec", inTerminal, "/dev/null"], {
    cwd: work,
    encoding: "utf8",
    env: {
      PATH: [bin, process.env.PATH].join(delimiter),
      HOME: work,
      NO_COLOR: "1",
      SHELL: "/bin/bash",
    },
  });
  pages.push(`$ ${line}\n${shown(stdout)}[exit code ${status}]\n`);
}
writeFileSync(out, pages.join(`\n${"=".repeat(80)}\n`));
