import { labelOf } from "../shell/label-of.js";
import type { AnalysisVerb, Flag, SeenTable } from "./analysis.js";
import { type FilledForm, formOf } from "./filled-form.js";
import { verbs } from "./verbs.js";

/** How the table is read: what it is, which column is which, and the verb's other flags. */
export function ReadingForm({
  table,
  form,
  onForm,
  onAnalyse,
}: {
  readonly table: SeenTable;
  readonly form: FilledForm;
  readonly onForm: (form: FilledForm) => void;
  readonly onAnalyse: (form: FilledForm) => void;
}) {
  const verb = verbs.find(({ name }) => name === form.verb);
  const isGuess = (name: string) => table.guesses.some((guess) => guess.verb === name);
  const choose = (name: string) => {
    const guess = table.guesses.find((one) => one.verb === name) ?? {
      verb: name,
      map: {},
      flags: [],
    };
    const chosen = formOf(guess);
    onForm(chosen);
    if (isGuess(name)) onAnalyse(chosen);
  };
  const isWide = form.flags.wide === true;
  return (
    <form
      className="reading"
      onSubmit={(event) => {
        event.preventDefault();
        onAnalyse(form);
      }}
    >
      <div className="fields">
        <div className="field">
          <label htmlFor="what-it-is">What it is</label>
          <select id="what-it-is" value={form.verb} onChange={({ target }) => choose(target.value)}>
            {form.verb === "" && <option value="">choose …</option>}
            {[...verbs]
              .sort((a, b) => Number(isGuess(b.name)) - Number(isGuess(a.name)))
              .map(({ name, title }) => (
                <option key={name} value={name}>
                  {title}
                  {isGuess(name) ? " (it may be)" : ""}
                </option>
              ))}
          </select>
        </div>
        {!isWide &&
          form.flags.raters === undefined &&
          verb?.columns.map((name) => (
            <div key={name} className="field">
              <label htmlFor={`column-${name}`}>{name}</label>
              <ColumnChoice
                id={`column-${name}`}
                value={form.map[name] ?? (table.columns.includes(name) ? name : "")}
                table={table}
                onValue={(column) => onForm({ ...form, map: { ...form.map, [name]: column } })}
              />
            </div>
          ))}
        {flagsOf(verb, form, true).map(([name, flag]) => (
          <FlagField key={name} name={name} flag={flag} form={form} onForm={onForm} table={table} />
        ))}
      </div>
      <details>
        <summary>All options</summary>
        <div className="fields options">
          {flagsOf(verb, form, false).map(([name, flag]) => (
            <FlagField key={name} name={name} flag={flag} form={form} onForm={onForm} explained />
          ))}
        </div>
      </details>
      <button type="submit" disabled={verb === undefined}>
        Analyse
      </button>
    </form>
  );
}

/** Picks a column of the table, by its type and examples. */
const ColumnChoice = ({
  id,
  value,
  table,
  onValue,
}: {
  readonly id: string;
  readonly value: string;
  readonly table: SeenTable;
  readonly onValue: (column: string) => void;
}) => (
  <select id={id} value={value} onChange={({ target }) => onValue(target.value)}>
    <option value="">no column</option>
    {table.columns.map((column) => (
      <option key={column} value={column}>
        {columnText(column, table)}
      </option>
    ))}
  </select>
);

/** @example columnText("clip", table) // "clip (number: 0.5, 0.61, 0.7)" */
function columnText(column: string, { about }: SeenTable): string {
  const { type, examples } = about[column] ?? { type: "nothing", examples: [] };
  const shown = examples.map((one) => (one.length > 24 ? `${one.slice(0, 24)}…` : one));
  return type === "nothing" ? `${column} (empty)` : `${column} (${type}: ${shown.join(", ")})`;
}

/** Flags that must be given, or that the guess gave, stand in sight. */
function flagsOf(
  verb: AnalysisVerb | undefined,
  { flags }: FilledForm,
  inSight: boolean,
): [string, Flag][] {
  return Object.entries(verb?.flags ?? {}).filter(([name, flag]) => {
    const isNeeded =
      ("required" in flag && flag.required === true) || name === "human" || name === "raters";
    const isGiven = flags[name] !== undefined && flags[name] !== "";
    return inSight === (isNeeded || (flag.kind === "switch" && isGiven));
  });
}

function FlagField({
  name,
  flag,
  form,
  onForm,
  table,
  explained = false,
}: {
  readonly name: string;
  readonly flag: Flag;
  readonly form: FilledForm;
  readonly onForm: (form: FilledForm) => void;
  /** Whose columns are offered where the flag names one. */
  readonly table?: SeenTable;
  readonly explained?: boolean;
}) {
  const value = form.flags[name];
  const set = (to: string | boolean) => onForm({ ...form, flags: { ...form.flags, [name]: to } });
  const usual = flag.kind === "switch" ? undefined : flag.default;
  const id = `flag-${name}`;
  const picks = flag.kind === "text" && flag.value === "COLUMN" ? table : undefined;
  return (
    <div className={flag.kind === "switch" ? "field switch" : "field"}>
      {flag.kind === "switch" && (
        <input
          id={id}
          type="checkbox"
          checked={value === true}
          onChange={({ target }) => set(target.checked)}
        />
      )}
      <label htmlFor={id}>
        {labelOf(name)} <code className="quiet">--{name}</code>
      </label>
      {flag.kind === "choice" && (
        <select
          id={id}
          value={typeof value === "string" ? value : String(usual ?? "")}
          onChange={({ target }) => set(target.value)}
        >
          {flag.required !== true && usual === undefined && <option value="">as usual</option>}
          {flag.choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      )}
      {picks !== undefined && (
        <ColumnChoice id={id} value={String(value ?? "")} table={picks} onValue={set} />
      )}
      {(flag.kind === "text" || flag.kind === "number") && picks === undefined && (
        <input
          id={id}
          type="text"
          inputMode={flag.kind === "number" ? "decimal" : undefined}
          placeholder={String(usual ?? flag.value ?? "")}
          value={typeof value === "string" ? value : ""}
          onChange={({ target }) => set(target.value)}
        />
      )}
      {explained && <small>{flag.description}</small>}
    </div>
  );
}
