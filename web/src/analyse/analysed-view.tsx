import { Download } from "../shell/downloads.js";
import { Plot } from "../shell/plot.js";
import { ViewTableView } from "../shell/view-table.js";
import type { Analysed } from "./analysis.js";

/** Shows a conclusion: the verdict, its plot, its tables, and the same as files and as a command. */
export function AnalysedView({
  analysed,
  name,
}: {
  readonly analysed: Analysed;
  /** Base name of its files. */
  readonly name: string;
}) {
  const { view, command, json, csv, plot } = analysed;
  const { verdict, findings = [], tables, caveats, method } = view;
  return (
    <section aria-label="What it comes to">
      <p className="lead">{verdict}</p>
      {findings.length > 0 && <Sentences all={findings} />}
      {plot && <Plot {...plot} />}
      <p className="downloads">
        <Download name={`${name}.json`} text={json} type="application/json">
          JSON
        </Download>
        <Download name={`${name}.csv`} text={csv} type="text/csv">
          CSV
        </Download>
        {plot && (
          <Download name={`${name}.svg`} text={plot.svg} type="image/svg+xml">
            SVG
          </Download>
        )}
      </p>
      {caveats.length > 0 && (
        <>
          <h2>Caveats</h2>
          <Sentences all={caveats} />
        </>
      )}
      <h2>Tables</h2>
      {tables.map((table) => (
        <ViewTableView key={table.title} table={table} />
      ))}
      <p className="quiet">{method}</p>
      <h2>The same on a command line</h2>
      <pre>{command}</pre>
    </section>
  );
}

const Sentences = ({ all }: { readonly all: readonly string[] }) => (
  <ul>
    {all.map((sentence) => (
      <li key={sentence}>{sentence}</li>
    ))}
  </ul>
);
