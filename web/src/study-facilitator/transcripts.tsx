import { useId, useState } from "react";
import type { Session } from "./facilitator-client.js";

/** Takes the transcript of a recording, and lists those that were taken. */
export function Transcripts({
  transcripts,
  take,
}: {
  readonly transcripts: Session["transcripts"];
  readonly take: (transcript: object) => Promise<boolean>;
}) {
  const file = useId();
  const begun = useId();
  const [chosen, setChosen] = useState<File>();
  const [time, setTime] = useState("");
  return (
    <details>
      <summary>Transcripts ({transcripts.length})</summary>
      <ul>
        {transcripts.map(({ name, utterances }) => (
          <li key={name}>
            {name}: {utterances} {utterances === 1 ? "utterance" : "utterances"}
          </li>
        ))}
      </ul>
      <form
        className="note"
        onSubmit={async (event) => {
          event.preventDefault();
          if (chosen === undefined) return;
          const begunAt = time === "" ? {} : { begunAt: new Date(time).getTime() };
          if (await take({ name: chosen.name, text: await chosen.text(), ...begunAt })) setTime("");
        }}
      >
        <label htmlFor={file}>WebVTT, SubRip or plain text</label>
        <input
          id={file}
          type="file"
          accept=".vtt,.srt,.txt,text/plain,text/vtt"
          onChange={({ target }) => setChosen(target.files?.[0])}
        />
        <label htmlFor={begun}>When the recording began (optional)</label>
        <input
          id={begun}
          type="datetime-local"
          step={1}
          value={time}
          onChange={({ target }) => setTime(target.value)}
        />
        <button type="submit" disabled={chosen === undefined}>
          Take the transcript
        </button>
      </form>
    </details>
  );
}
