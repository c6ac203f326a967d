import type { JobState } from "../../../../src/studio/jobs/job-api.js";

const words: Readonly<Record<JobState, readonly [mark: string, text: string, look: string]>> = {
  starting: ["▶", "starting", "live"],
  running: ["▶", "running", "live"],
  done: ["✓", "done", "finished"],
  incomplete: ["…", "incomplete", "unfinished"],
  "gate-missed": ["✕", "a gate was missed", "broken"],
  failed: ["✕", "failed", "broken"],
  stopped: ["■", "stopped", "unfinished"],
  gone: ["?", "killed", "unfinished"],
};

/** How a job stands: a sign and a word. */
export function JobStateMark({ state }: { readonly state: JobState }) {
  const [mark, text, look] = words[state];
  return (
    <span className={`state ${look}`}>
      <span aria-hidden="true">{mark}</span> {text}
    </span>
  );
}
