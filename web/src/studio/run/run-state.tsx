import type { RunState } from "../../../../src/studio/api.js";

const words: Readonly<Record<RunState, readonly [mark: string, text: string]>> = {
  live: ["▶", "running"],
  finished: ["✓", "finished"],
  unfinished: ["…", "not finished"],
  broken: ["✕", "can't be read"],
};

/** How a run stands: a sign and a word. */
export function RunStateMark({ state }: { readonly state: RunState }) {
  const [mark, text] = words[state];
  return (
    <span className={`state ${state}`}>
      <span aria-hidden="true">{mark}</span> {text}
    </span>
  );
}
