import type { Environment, TextSink } from "../environment.js";

/** Narrower ones break every table. */
const narrowest = 60;

type Paint = (text: string) => string;

/** Terminal colours; each function returns its text unchanged where colours are off. */
export interface Style {
  /** How wide text may be: the terminal's own width from 60 columns up, 80 where there is none. */
  readonly width: number;
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
}

/** Colours only on a terminal, and not where NO_COLOR (https://no-color.org) or a dumb one asks. */
export function styleFor(sink: TextSink, variables: Environment["variables"]): Style {
  const isOn = sink.isTerminal && !variables.NO_COLOR && variables.TERM !== "dumb";
  const paint =
    (on: number, off: number): Paint =>
    (text) =>
      isOn ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    width: Math.max(narrowest, sink.columns),
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
  };
}
