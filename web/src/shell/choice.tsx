/** One of several values, under its name. */
export function Choice({
  name,
  of,
  value = "",
  any,
  hidesAlone = false,
  onValue,
}: {
  readonly name: string;
  /** The values, each with the words that are read where these are others. */
  readonly of: readonly (string | readonly [value: string, text: string])[];
  readonly value?: string | undefined;
  /** What stands for none of them; not given where there is always one. */
  readonly any?: string;
  /** Leaves it out where there is nothing to choose from. */
  readonly hidesAlone?: boolean;
  readonly onValue: (value: string) => void;
}) {
  if (hidesAlone && of.length < 2 && value === "") return null;
  return (
    <label>
      {name}
      <select value={value} onChange={({ target }) => onValue(target.value)}>
        {any !== undefined && <option value="">{any}</option>}
        {of.map((one) => {
          const [is, text] = typeof one === "string" ? [one, one] : one;
          return (
            <option key={is} value={is}>
              {text}
            </option>
          );
        })}
      </select>
    </label>
  );
}
