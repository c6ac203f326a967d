/** Something that was said, by whom, and when. */
export interface Utterance {
  /** Empty where the transcript names nobody. */
  readonly speaker: string;
  /** Seconds since the beginning; undefined where it says none. */
  readonly at: number | undefined;
  readonly text: string;
}

const cue = /^(?:(\d+):)?(\d{2}):(\d{2})\.(\d{3})\s+-->\s/;
const voice = /^<v(?:\.[^ >]*)? ([^>]+)>/;

/**
 * Reads a transcript: WebVTT (cues, `<v Name>`), or plain text, in which each paragraph is one utterance
 * and may begin with "Name:".
 *
 * @see https://www.w3.org/TR/webvtt1/
 */
export function readTranscript(text: string): readonly Utterance[] {
  const lines = text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const blocks = lines.split(/\n{2,}/).map((block) => block.trim());
  if (!/^WEBVTT(?:\s|$)/.test(lines)) return blocks.filter(Boolean).map(paragraph);
  return blocks.flatMap((block) => {
    const own = block.split("\n");
    const place = own.findIndex((line) => cue.test(line));
    if (place < 0) return [];
    const [, hours = "0", minutes = "0", seconds = "0", thousandths = "0"] =
      cue.exec(own[place] ?? "") ?? [];
    const said = own.slice(place + 1).join(" ");
    const [, speaker = ""] = voice.exec(said) ?? [];
    const plain = said.replaceAll(/<[^>]*>/g, "").trim();
    if (plain === "") return [];
    const at =
      Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(thousandths) / 1000;
    return [{ speaker: speaker.trim(), at, text: plain }];
  });
}

function paragraph(block: string): Utterance {
  const [, speaker = "", said = block] =
    /^([\p{L}][\p{L}\d .'-]{0,40}):\s+(.+)$/su.exec(block) ?? [];
  return { speaker, at: undefined, text: said.replaceAll(/\s+/g, " ").trim() };
}
