// The pages import this file too, so it imports nothing.

type Answer = Readonly<Record<string, unknown>>;

export const levelOf = ({ value }: Answer): number | null =>
  typeof value === "number" ? value : null;

export const choiceOf = ({ value }: Answer): string | null =>
  typeof value === "string" ? value : null;

export type Preferred = "a" | "b" | "tie";

/** The preferred side of the item; undecided counts as a tie. */
export function preferredOf(answer: Answer): Preferred | null {
  const { preferred } = answer;
  if (preferred === "a" || preferred === "b") return preferred;
  return preferred === "tie" || preferred === "undecided" ? "tie" : null;
}

export function presentOf({ present }: Answer): 1 | 0 | null {
  return present === true ? 1 : present === false ? 0 : null;
}

/** The value of an answer of any protocol, as the protocol's own `value` says it. */
export const answerValue = (answer: Answer): number | string | null =>
  levelOf(answer) ?? choiceOf(answer) ?? preferredOf(answer) ?? presentOf(answer);
