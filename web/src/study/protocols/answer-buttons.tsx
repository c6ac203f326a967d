import { type CSSProperties, useContext } from "react";
import { largestOf } from "../../../../src/core/arrays.js";
import { SightContext } from "../sight.js";
import { type ItemKeys, useItemKeys } from "../use-item-keys.js";

export interface Choice {
  readonly value: string;
  /** The key that gives it; none where it could be taken for that of another. */
  readonly key?: string | undefined;
  /** Another key that gives it, which is not shown. */
  readonly arrow?: string | undefined;
  readonly label: string;
  readonly description?: string | null;
  readonly chosen: boolean;
  readonly choose: () => void;
}

/** Answers as buttons, each with the key that gives it, in one row or in one list. */
export function AnswerButtons({
  label,
  choices,
}: {
  /** The question, for who can't see where the buttons stand. */
  readonly label: string;
  readonly choices: readonly Choice[];
}) {
  const { isReady } = useContext(SightContext);
  useItemKeys(isReady ? keysOf(choices) : {});
  const hasKeys = choices.some(({ key }) => key !== undefined);
  return (
    <fieldset
      className={hasKeys ? "answers" : "answers keyless"}
      disabled={!isReady}
      style={rowOf(choices)}
    >
      <legend className="visually-hidden">{label}</legend>
      {choices.map(({ value, key, label: words, description, chosen, choose }) => (
        <button key={value} type="button" aria-pressed={chosen} onClick={choose}>
          {key !== undefined && <kbd>{key.toUpperCase()}</kbd>} <span>{words}</span>
          {typeof description === "string" && <small>{description}</small>}
        </button>
      ))}
    </fieldset>
  );
}

const keysOf = (choices: readonly Choice[]): ItemKeys =>
  Object.fromEntries(
    choices.flatMap(({ key, arrow, choose }) =>
      [key, arrow].flatMap((one) => (one === undefined ? [] : [[one, choose]])),
    ),
  );

/** What the style sheet needs to know whether all of them fit into one row. */
function rowOf(choices: readonly Choice[]): CSSProperties {
  const lengths = choices.flatMap(({ label, description }) => {
    const words = label.split(/\s+/).map(({ length }) => length);
    return typeof description === "string" ? [...words, 14] : words;
  });
  const row = { "--choices": choices.length, "--longest-word": largestOf(lengths) };
  return row as CSSProperties;
}
