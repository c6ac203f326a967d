import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { FirstRows } from "../shell/first-rows.js";
import { Frame } from "../shell/frame.js";
import { useKeys } from "../shell/keys.js";
import { Loading } from "../shell/notices.js";
import { AnalysedView } from "./analysed-view.js";
import type { Analysed, SeenTable } from "./analysis.js";
import { AnalysisError, Analyst } from "./analyst.js";
import { ChooseTable } from "./choose-table.js";
import { type FilledForm, filledOf, formOf } from "./filled-form.js";
import { ReadingForm } from "./reading-form.js";

type Found =
  | { readonly state: "nothing" }
  | { readonly state: "at-work"; readonly what: string }
  | { readonly state: "problem"; readonly problem: AnalysisError }
  | { readonly state: "analysed"; readonly analysed: Analysed };

const unread: FilledForm = { verb: "", map: {}, flags: {} };

/** Page of a table: what it may be, how it is read, and what it comes to, all on this machine. */
export function AnalysePage({ crumbs = [] }: { readonly crumbs?: readonly ReactNode[] }) {
  const input = useRef<HTMLInputElement>(null);
  const analyst = useRef<Analyst>(null);
  const latest = useRef(0);
  const [table, setTable] = useState<SeenTable>();
  const [form, setForm] = useState(unread);
  const [found, setFound] = useState<Found>({ state: "nothing" });

  /** Shows what comes of the work unless something newer was asked for meanwhile. */
  const attend = useCallback(async (what: string, work: () => Promise<Found>) => {
    latest.current += 1;
    const mine = latest.current;
    setFound({ state: "at-work", what });
    const next = await work().catch(
      (error: unknown): Found => ({ state: "problem", problem: asProblem(error) }),
    );
    if (mine === latest.current) setFound(next);
  }, []);

  useEffect(() => {
    const made = new Analyst();
    analyst.current = made;
    return () => made.close();
  }, []);

  const ask: Analyst["ask"] = (kind, asks) =>
    analyst.current?.ask(kind, asks) ?? Promise.reject(new Error("The page is closed"));

  const conclude = async (filled: FilledForm): Promise<Found> => {
    const asked = { verb: filled.verb, filled: filledOf(filled) };
    return { state: "analysed", analysed: await ask("conclude", asked) };
  };
  const analyse = (filled: FilledForm) => void attend("the table", () => conclude(filled));

  const read = async (file: File): Promise<Found> => {
    setTable(undefined);
    const seen = await ask("look", file);
    setTable(seen);
    const [guess] = seen.guesses;
    setForm(guess === undefined ? unread : formOf(guess));
    return guess === undefined ? { state: "nothing" } : conclude(formOf(guess));
  };
  const choose = (file: File) => void attend(file.name, () => read(file));
  const chooseSample = (verb: string) =>
    void attend(`${verb}.csv`, async () =>
      read(new File([await ask("sample", verb)], `${verb}.csv`)),
    );

  useKeys([
    { key: "o", does: "open a file", run: () => input.current?.click() },
    { key: "a", does: "analyse", run: () => form.verb !== "" && analyse(form) },
  ]);

  return (
    <Frame title="Analyse a table" crumbs={crumbs}>
      <ChooseTable
        input={input}
        choose={choose}
        chooseSample={chooseSample}
        isOpen={table === undefined}
      />
      {table !== undefined && (
        <>
          <h2>{table.name}</h2>
          <FirstRows table={table} />
          <Missing table={table} />
          {table.guesses.length === 0 && (
            <p className="notice">
              The columns say nothing of what it is. Choose below what it is, and which column is
              which.
            </p>
          )}
          <ReadingForm table={table} form={form} onForm={setForm} onAnalyse={analyse} />
        </>
      )}
      {found.state === "at-work" && <Loading what={found.what} />}
      {found.state === "problem" && <Problem problem={found.problem} />}
      {found.state === "analysed" && <AnalysedView analysed={found.analysed} name={form.verb} />}
    </Frame>
  );
}

const asProblem = (error: unknown) =>
  error instanceof AnalysisError
    ? error
    : new AnalysisError({ message: String(error), hint: undefined, problems: [] });

function Problem({ problem: { message, hint, problems } }: { readonly problem: AnalysisError }) {
  return (
    <div className="notice" role="alert">
      <p>
        <b>{message}</b>
      </p>
      {problems.length > 0 && (
        <ul>
          {problems.slice(0, 20).map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
      {hint !== undefined && <p>{hint}</p>}
    </div>
  );
}

/** The words that are read as no answer; which others are, an option of the form says. */
function Missing({ table: { missing, seen } }: { readonly table: SeenTable }) {
  if (missing.length === 0) return null;
  const where = seen.isAll ? "" : ` in the first ${seen.rows} rows`;
  const words = missing.map(
    ({ word, cells, columns }) =>
      `“${word}” (${cells} ${cells === 1 ? "cell" : "cells"} of ${columns.join(", ")})`,
  );
  return (
    <p role="note">
      Read as missing{where}: {words.join("; ")}. The option <code>--unscored</code> names other
      words.
    </p>
  );
}
