import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { scoreRecord } from "../../../test/support/score-record.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { keyOf } from "../../core/keys.js";
import { Seals } from "./seals.js";
import { StepFiles } from "./step-files.js";
import { type SetAside, StepRecords } from "./step-records.js";

const step = { name: "s", version: 1, produces: "score", parameters: {} };
const texts = ["ä", "b", "c"];
const record = (text: string) => scoreRecord(text, { step: "s@1" });
const whole = texts.map((text) => `${JSON.stringify(record(text))}\n`).join("");

/** Opens in a new process a run in which a killed one left its segment cut off. */
async function resumed(directory: string, segment: Uint8Array) {
  const files = new StepFiles(directory, step, 0);
  await mkdir(directory, { recursive: true });
  await writeFile(files.segmentOf("killed"), segment);
  const stored = await StepRecords.open({
    files,
    owner: "new",
    seals: new Seals(dirname(directory)),
  });
  for (const text of texts) stored.index.plan(keyOf(text));
  const asked = texts.filter((text) => stored.index.isWanted(keyOf(text)));
  await stored.append(asked.map(record));
  const aside: SetAside[] = [];
  await stored.compact(async (entry) => void aside.push(entry));
  expect(await readdir(directory)).toEqual(["01-s.jsonl"]);
  return { asked, aside, text: await readFile(files.path, "utf8") };
}

test("cut off at any byte of its last two lines, a segment is gone on with as if it were whole", async () => {
  const directory = await temporaryDirectory();
  const bytes = Buffer.from(whole);
  const ends = [...bytes.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at] : []));
  const [first = 0] = ends;
  for (let length = first; length <= bytes.length; length++) {
    const { asked, aside, text } = await resumed(
      join(directory, String(length)),
      bytes.subarray(0, length),
    );
    // A record is whole from its closing brace on; the line end may be missing.
    const left = ends.filter((end) => end <= length).length;
    expect(asked, `cut to ${length} bytes`).toEqual(texts.slice(left));
    expect(text).toBe(whole);
    const torn = bytes.subarray((ends[left - 1] ?? 0) + 1, length).toString();
    expect(aside).toEqual(torn === "" ? [] : [{ kind: "torn", text: torn }]);
  }
});
