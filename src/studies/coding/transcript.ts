import { InputError } from "../../core/errors.js";

/** Something that was said, by whom, and when. */
export interface Utterance {
  /** Empty where the transcript names nobody. */
  readonly speaker: string;
  /** Seconds since the beginning; undefined where it says none. */
  readonly at: number | undefined;
  readonly text: string;
}

const time = String.raw`(?:(\d+):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?`;
const cue = new RegExp(`^${time}\\s+-->\\s`);
const stamp = new RegExp(`^[[(]?${time}[\\])]?\\s+`);
const voice = /^<v(?:\.[^ >]*)? ([^>]+)>/;
const name = /^([\p{L}][\p{L}\d .'-]{0,40}):\s+(.+)$/su;

/**
 * Reads a transcript: WebVTT (cues, `<v Name>`), SubRip (.srt), or plain text, in which each paragraph
 * is one utterance; a line that begins with a time ("[00:01:05]") or, where all do, with "Name:" begins
 * one, too.
 *
 * @param file what errors call it
 * @throws InputError where nothing is said in it, or it is no text.
 * @see https://www.w3.org/TR/webvtt1/
 */
export function readTranscript(text: string, file = "the transcript"): readonly Utterance[] {
  if (text.includes("\0")) {
    throw new InputError(`Expected a transcript (WebVTT, SubRip or plain text) in ${file}`, {
      hint: "Save a document of a word processor as plain text.",
    });
  }
  const lines = text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const blocks = lines.split(/\n{2,}/).map((block) => block.trim());
  const isCued = lines.startsWith("WEBVTT") || blocks.some((block) => cueAt(block) >= 0);
  const found = isCued ? blocks.flatMap(cued) : blocks.flatMap(paragraphs).flatMap(spoken);
  if (found.length > 0) return found;
  throw new InputError(`Expected something that was said in ${file} but found nothing`, {
    hint: "WebVTT and SubRip have a line of times with --> and the words below; text has paragraphs.",
  });
}

const cueAt = (block: string): number => block.split("\n").findIndex((line) => cue.test(line));

function cued(block: string): Utterance[] {
  const own = block.split("\n");
  const place = cueAt(block);
  if (place < 0) return [];
  const at = secondsOf(cue.exec(own[place] ?? ""));
  const said = own.slice(place + 1).join(" ");
  const [, speaker = ""] = voice.exec(said) ?? [];
  const plain = said.replaceAll(/<[^>]*>/g, "").trim();
  if (plain === "") return [];
  return speaker === "" ? [named(plain, at)] : [{ speaker: speaker.trim(), at, text: plain }];
}

/** A block of lines that all begin with a time or a name is an utterance a line. */
function paragraphs(block: string): readonly string[] {
  const own = block.split("\n");
  return own.every((line) => stamp.test(line) || name.test(line)) ? own : [block];
}

function spoken(paragraph: string): Utterance[] {
  const said = paragraph.replace(stamp, "").replaceAll(/\s+/g, " ").trim();
  return said === "" ? [] : [named(said, secondsOf(stamp.exec(paragraph)))];
}

function named(said: string, at: number | undefined): Utterance {
  const [, speaker = "", text = said] = name.exec(said) ?? [];
  return { speaker, at, text: text.trim() };
}

function secondsOf(found: RegExpExecArray | null): number | undefined {
  if (found === null) return undefined;
  const [, hours = "0", minutes = "0", seconds = "0", parts = "0"] = found;
  return (
    Number(hours) * 3600 +
    Number(minutes) * 60 +
    Number(seconds) +
    Number(parts.padEnd(3, "0")) / 1000
  );
}
