import { useItemKeys } from "../use-item-keys.js";

export interface Choice {
  readonly key: string;
  readonly label: string;
  readonly description?: string | null;
  readonly chosen: boolean;
  readonly choose: () => void;
}

/** Answers as buttons, each with the key that gives it. */
export function AnswerButtons({
  label,
  choices,
}: {
  /** The question, for who can't see where the buttons stand. */
  readonly label: string;
  readonly choices: readonly Choice[];
}) {
  useItemKeys(Object.fromEntries(choices.map(({ key, choose }) => [key, choose])));
  return (
    <fieldset className="answers">
      <legend className="visually-hidden">{label}</legend>
      {choices.map(({ key, label: words, description, chosen, choose }) => (
        <button key={key} type="button" aria-pressed={chosen} onClick={choose}>
          <kbd>{key.toUpperCase()}</kbd> <span>{words}</span>
          {typeof description === "string" && <small>{description}</small>}
        </button>
      ))}
    </fieldset>
  );
}
