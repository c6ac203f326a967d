import { useId } from "react";
import type { Argument, Filled } from "../../../../src/core/options.js";
import type { NewJob, Picks } from "../../../../src/studio/jobs/job-api.js";
import { labelOf } from "../../shell/label-of.js";

type Value = Filled[string];

/** What fields offer. */
type Offers = Pick<NewJob, "models" | "metrics" | "places"> & {
  readonly columns: readonly string[];
};

/** The field of one argument: a choice, a switch, or texts that are picked or typed. */
export function JobField({
  name,
  argument,
  says: said,
  picks,
  value,
  offers,
  onValue,
}: {
  readonly name: string;
  readonly argument: Argument;
  /** In place of its name and description. */
  readonly says: readonly [title: string, description: string] | undefined;
  readonly picks: Picks | undefined;
  readonly value: Value;
  readonly offers: Offers;
  readonly onValue: (value: Value) => void;
}) {
  const id = useId();
  const says = `${id}-says`;
  const [title, words] = said ?? [labelOf(name), argument.description];
  const label = (
    <label htmlFor={id}>
      {title} {argument.kind !== "positional" && <code className="quiet">--{name}</code>}
    </label>
  );
  const description = <small id={says}>{words}</small>;
  if (argument.kind === "switch") {
    return (
      <div className="field switch">
        <input
          id={id}
          type="checkbox"
          aria-describedby={says}
          checked={value === true}
          onChange={({ target }) => onValue(target.checked)}
        />
        {label}
        {description}
      </div>
    );
  }
  if (argument.kind === "choice") {
    const usual = argument.default;
    return (
      <div className="field">
        {label}
        <select
          id={id}
          aria-describedby={says}
          value={typeof value === "string" ? value : (usual ?? "")}
          onChange={({ target }) => onValue(target.value)}
        >
          {usual === undefined && <option value="">as usual</option>}
          {argument.choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
        {description}
      </div>
    );
  }
  const isRepeated = argument.repeated === true;
  const texts = [value].flat().filter((one): one is string => typeof one === "string");
  const shown = texts.length === 0 ? [""] : texts;
  const set = (at: number, text: string) => {
    const next = shown.with(at, text);
    onValue(isRepeated ? next : next[0]);
  };
  const usual = argument.kind === "positional" ? undefined : argument.default;
  return (
    <div className="field">
      {label}
      {shown.map((text, at) => (
        <TextEntry
          // biome-ignore lint/suspicious/noArrayIndexKey: entries are told apart by their places
          key={at}
          id={at === 0 ? id : `${id}-${at}`}
          says={says}
          label={at === 0 ? undefined : `${title} ${at + 1}`}
          text={text}
          picks={picks}
          isNumber={argument.kind === "number"}
          placeholder={String(
            usual ?? (argument.kind === "positional" ? "" : (argument.value ?? "")),
          )}
          offers={offers}
          onText={(next) => set(at, next)}
        />
      ))}
      {isRepeated && picks !== "side" && (
        <button type="button" className="plain" onClick={() => onValue([...shown, ""])}>
          + another
        </button>
      )}
      {description}
    </div>
  );
}

function TextEntry({
  id,
  says,
  label,
  text,
  picks,
  isNumber,
  placeholder,
  offers,
  onText,
}: {
  readonly id: string;
  readonly says: string;
  /** Its name where no label names it. */
  readonly label: string | undefined;
  readonly text: string;
  readonly picks: Picks | undefined;
  readonly isNumber: boolean;
  readonly placeholder: string;
  readonly offers: Offers;
  readonly onText: (text: string) => void;
}) {
  const list = `${id}-offers`;
  const [name = "", ...rest] = text.split("=");
  const value = rest.join("=");
  const offered = offeredBy(picks, offers);
  const isPair = picks === "side" || (picks === "column" && placeholder.startsWith("NAME="));
  const datalist = offered.length > 0 && (
    <datalist id={list}>
      {offered.map((one) => (
        <option key={one} value={one} />
      ))}
    </datalist>
  );
  if (isPair) {
    return (
      <div className="pair-entry">
        <input
          id={id}
          aria-label={label === undefined ? undefined : `${label}: name`}
          aria-describedby={says}
          value={name}
          placeholder="name"
          onChange={({ target }) => onText(`${target.value.replaceAll("=", "")}=${value}`)}
        />
        <input
          aria-label={`${picks === "side" ? "folder or table" : "column"} of ${name || "it"}`}
          list={list}
          value={value}
          placeholder={picks === "side" ? "folder, table or run" : "column"}
          onChange={({ target }) => onText(`${name}=${target.value}`)}
        />
        {datalist}
      </div>
    );
  }
  return (
    <>
      <input
        id={id}
        aria-label={label}
        aria-describedby={says}
        inputMode={isNumber ? "decimal" : undefined}
        list={offered.length > 0 ? list : undefined}
        value={text}
        placeholder={placeholder}
        onChange={({ target }) => onText(target.value)}
      />
      {datalist}
    </>
  );
}

function offeredBy(picks: Picks | undefined, { models, metrics, places, columns }: Offers) {
  const offered: Readonly<Record<Picks, readonly string[]>> = {
    path: places,
    side: places,
    column: columns,
    model: models,
    metric: metrics.flatMap((metric) => [metric, ...models.map((model) => `${metric}=${model}`)]),
  };
  return picks === undefined ? [] : offered[picks];
}
