import { expect, test } from "vitest";
import { readTranscript } from "./transcript.js";

const said = (text: string) =>
  readTranscript(text).map(({ speaker, at, text: words }) => [speaker, at, words]);

test("WebVTT: cues with and without voices and hours, notes passed over", () => {
  const text =
    "\uFEFFWEBVTT - title\r\n\r\nNOTE a remark\r\n\r\n1\r\n00:00:01.000 --> 00:00:04.500 align:left\r\n" +
    "<v Ann>What do you\r\nexpect?\r\n\r\n01:05.250 --> 01:09.000\r\nBen: Somebody in <i>white</i>.\r\n";
  expect(said(text)).toEqual([
    ["Ann", 1, "What do you expect?"],
    ["Ben", 65.25, "Somebody in white."],
  ]);
});

test("SubRip: commas in times", () => {
  const text = "1\n00:00:01,500 --> 00:00:04,000\nYes.\n\n2\n01:00:00,000 --> 01:00:01,000\nNo.\n";
  expect(said(text)).toEqual([
    ["", 1.5, "Yes."],
    ["", 3600, "No."],
  ]);
});

test("plain text: paragraphs, speakers, times, or none of them", () => {
  expect(said("A first\nparagraph.\n\nAnd: a second, at 10:30.")).toEqual([
    ["", undefined, "A first paragraph."],
    ["And", undefined, "a second, at 10:30."],
  ]);
  expect(said("[00:01:05] Ann: One.\n(1:10) Ben: Two.\n01:20 three")).toEqual([
    ["Ann", 65, "One."],
    ["Ben", 70, "Two."],
    ["", 80, "three"],
  ]);
  expect(said("Ann: One.\nBen: Two.")).toEqual([
    ["Ann", undefined, "One."],
    ["Ben", undefined, "Two."],
  ]);
});

test.each(["", "  \n\n ", "WEBVTT\n\nNOTE nothing", "PK\u0003\u0004\0\0"])(
  "what holds no words is refused: %j",
  (text) => expect(() => readTranscript(text, "a.vtt")).toThrow(/Expected .* in a\.vtt/),
);
