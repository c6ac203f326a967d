import { describe, expect, test } from "vitest";
import { tableOf } from "./bytes.js";
import { score, text } from "./columns.js";
import { readTable } from "./table.js";

/** What is said of a file that holds no such table: the message and the hint. */
async function saidOf(name: string, content: string | Uint8Array): Promise<string> {
  try {
    await readTable({ source: tableOf(name, content), shape: { kinds: { id: text, score } } });
  } catch (error) {
    if (error instanceof Error && "hint" in error) return `${error.message}\n${error.hint ?? ""}`;
    throw error;
  }
  return "";
}

const lfs = "version https://git-lfs.github.com/spec/v1\noid sha256:0000\nsize 12\n";
const page = "\uFEFF\n <!DOCTYPE html>\n<html></html>\n";
const workbook = "PK\u0003\u0004xl/workbook.xml";

describe.each(["csv", "tsv", "json", "jsonl", "parquet"])("in a file named .%s", (ending) => {
  test.each([
    ["a pointer of Git LFS", lfs, "git lfs pull"],
    ["an HTML page", page, "Download the file"],
    ["a workbook", workbook, "Save the sheet as CSV"],
    ["encrypted Parquet", "PARE0000PARE", "without encryption"],
    ["Feather", "ARROW1\0\0", "to_parquet"],
  ])("%s is named", async (_, content, expected) => {
    expect(await saidOf(`t.${ending}`, content)).toContain(expected);
  });
});

test("Parquet that is empty, cut short, or none", async () => {
  expect(await saidOf("t.parquet", "")).toContain("is empty");
  expect(await saidOf("t.parquet", "PAR1\u0000\u0001\u0002")).toContain("is cut short");
  expect(await saidOf("t.parquet", "id,score\na,1\n")).toContain("--format csv");
});

/** Written by pyarrow: the footer is plain, the column score encrypted. */
const encrypted = Buffer.from(
  "UEFSMRUAFRYVFiwVAhUAFQYVBhwAAAACAAAAAgEBAAAAYS8AAAAamMRJdX9Etf4BW+hXtxtHQ4I7CvBW45vjaEE6gmjUvznm4G4uuwqaiP3osk4wEioAAABtOBV5JiQi8kw72z2QLQTkW4N7ZSWPy+MR76+kdDi5aNv5O6NhOwZST1cVBBk8NQAYBnNjaGVtYRUEABUMJQIYAmlkJQBMHAAAABUKJQIYBXNjb3JlABYCGRwZLCYAHBUMGSUGABkYAmlkFQAWAhY8FjwmCEkcFQAVABUCADwWAhkGGSYAAgAAACYAHBUKGSUGABkYBXNjb3JlFQAWAhaCARbCASZEfCkGGSYAAgAAXCwZGAVzY29yZRiPAnsia2V5TWF0ZXJpYWxUeXBlIjoiUEtNVDEiLCJpbnRlcm5hbFN0b3JhZ2UiOnRydWUsImlzRm9vdGVyS2V5IjpmYWxzZSwibWFzdGVyS2V5SUQiOiJiIiwid3JhcHBlZERFSyI6IjFhaXdLRURWOXVkWVJlRnRyZUNlbGVJdDlwNEY0VDVXRGI2a3FJQjcrTVNvSkwxVTgwc00zU2doRWZNPSIsImRvdWJsZVdyYXBwaW5nIjp0cnVlLCJrZXlFbmNyeXB0aW9uS2V5SUQiOiJrcFJiTjZWZU1pK2hQMExscTJzL2tRPT0iLCJ3cmFwcGVkS0VLIjoiX+Hw8/z6W5ykK1x1MDAxNoI1wj31In0AABhMSAAAAOFKPKYEWQg4D9mRqi/x99/0JWqPAqEthjjsBM8JIM4ZKgqVlThQkCghfO4p2p5pC1wAExww+nHAvQlocOeu/AhmMhkJvHijrAAWvgEWAiYIFv4BFAAAKCBwYXJxdWV0LWNwcC1hcnJvdyB2ZXJzaW9uIDI2LjAuMRksHAAAHAAAHBwoCLRgXyQNSMATEgAAGMkCeyJrZXlNYXRlcmlhbFR5cGUiOiJQS01UMSIsImludGVybmFsU3RvcmFnZSI6dHJ1ZSwiaXNGb290ZXJLZXkiOnRydWUsImttc0luc3RhbmNlSUQiOiJERUZBVUxUIiwia21zSW5zdGFuY2VVUkwiOiJERUZBVUxUIiwibWFzdGVyS2V5SUQiOiJhIiwid3JhcHBlZERFSyI6IkMzUzFadFZObFhOMHdudC9jRlp2R29TcTc4SU93eVdhcFRIcTQzYmJIMTdCTUxKdUVFbFhWSWNLbFdZPSIsImRvdWJsZVdyYXBwaW5nIjp0cnVlLCJrZXlFbmNyeXB0aW9uS2V5SUQiOiIwRENzcHNZSGpqWXhZbUZuUTR0WFBnPT0iLCJ3cmFwcGVkS0VLIjoi3nHSNFx1MDAxZVwir5pSdlBZyb+/XHUwMDFlIn0AXiSk6a87mkbeprgSOcKMh32HdHszUFBYRqV5BaEDAABQQVIx",
  "base64",
);

test("an encrypted column of Parquet is named", async () => {
  expect(await saidOf("t.parquet", encrypted)).toContain("its column score is encrypted");
});
