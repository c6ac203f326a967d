import { useCallback, useEffect, useState } from "react";
import type { StudyStatus } from "../../../src/studies/study-status.js";
import { Frame } from "../shell/frame.js";
import { Scroll } from "../shell/scroll.js";
import { close, erase, invite, readStatus } from "./admin-client.js";

/** How often the page looks how far the study is, in milliseconds. */
const every = 5_000;

/** Where a study stands, for those who run it: progress, agreement, quality, invitations. */
export function AdminPage() {
  const [status, setStatus] = useState<StudyStatus>();
  const [problem, setProblem] = useState<string>();
  const [links, setLinks] = useState<readonly string[]>([]);
  const [count, setCount] = useState(5);
  const refresh = useCallback(
    () =>
      readStatus().then(
        (found) => {
          setStatus(found);
          setProblem(undefined);
        },
        (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
      ),
    [],
  );
  useEffect(() => {
    void refresh();
    const timer = setInterval(() => void refresh(), every);
    return () => clearInterval(timer);
  }, [refresh]);
  const act = (work: Promise<unknown>) =>
    void work.then(refresh, (error: unknown) => setProblem(String(error)));
  return (
    <Frame title={status?.title ?? "Study"}>
      {problem !== undefined && (
        <p className="notice" role="alert">
          {problem}
        </p>
      )}
      {status !== undefined && (
        <>
          <p className="lead" role="status">
            {verdict(status)}
          </p>
          <p className="quiet">{others(status)}</p>
          <Blocks blocks={status.blocks} />
          <Quality
            quality={status.quality}
            remove={(id) => {
              if (confirm(`Erase all there is of ${id}? It can't be undone.`)) act(erase(id));
            }}
          />
          <h2>Invitations</h2>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              act(invite(count).then(setLinks));
            }}
          >
            <label>
              How many{" "}
              <input
                type="number"
                min={1}
                max={1000}
                value={count}
                onChange={({ target }) => setCount(Number(target.value))}
              />
            </label>{" "}
            <button type="submit">Make links</button>
          </form>
          {links.length > 0 && <pre>{links.join("\n")}</pre>}
          <h2>End</h2>
          {status.closedAt === null ? (
            <button
              type="button"
              onClick={() => {
                if (confirm("Close the study? Nobody can join after that.")) act(close());
              }}
            >
              Close the study
            </button>
          ) : (
            <p>Closed on {new Date(status.closedAt).toLocaleString()}.</p>
          )}
        </>
      )}
    </Frame>
  );
}

function verdict({ blocks, participants }: StudyStatus): string {
  const answers = blocks.reduce((sum, block) => sum + block.answers, 0);
  const wanted = blocks.reduce((sum, block) => sum + block.wanted, 0);
  const people = `${participants.consented} ${participants.consented === 1 ? "person" : "people"}`;
  return `${answers} of ${wanted} answers by ${people}.`;
}

const others = ({ participants }: StudyStatus): string =>
  [
    `${participants.finished} finished`,
    `${participants.withdrawn} left`,
    `${participants.declined} declined`,
    `${participants["screened-out"]} screened out`,
    `${participants["quota-full"]} turned away`,
    `${participants.erased} erased`,
  ].join(", ");

const figure = (value: number | null): string =>
  value === null ? "–" : value.toLocaleString("en", { maximumSignificantDigits: 3 });

const Blocks = ({ blocks }: Pick<StudyStatus, "blocks">) => (
  <>
    <h2>Blocks</h2>
    <Scroll label="Blocks">
      <table>
        <thead>
          <tr>
            <th>Block</th>
            <th className="number">Answers</th>
            <th className="number">Items done</th>
            <th className="number">Skipped</th>
            <th className="number">Majority share</th>
            <th className="number">Fleiss' kappa</th>
            <th className="number">Krippendorff's alpha</th>
          </tr>
        </thead>
        <tbody>
          {blocks.map((block) => (
            <tr key={block.name}>
              <th scope="row">{block.name}</th>
              <td className="number">
                {block.answers} of {block.wanted}
              </td>
              <td className="number">
                {block.complete} of {block.items}
              </td>
              <td className="number">{block.skipped}</td>
              <td className="number">{figure(block.agreement?.majorityShare ?? null)}</td>
              <td className="number">{figure(block.agreement?.fleissKappa ?? null)}</td>
              <td className="number">{figure(block.agreement?.krippendorffAlpha ?? null)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  </>
);

const Quality = ({
  quality,
  remove,
}: Pick<StudyStatus, "quality"> & { readonly remove: (participant: string) => void }) => (
  <>
    <h2>Participants</h2>
    {quality.length === 0 ? (
      <p className="quiet">Nobody has answered yet.</p>
    ) : (
      <Scroll label="Participants">
        <table>
          <thead>
            <tr>
              <th>Participant</th>
              <th className="number">Answers</th>
              <th className="number">Gold right</th>
              <th className="number">Repeats alike</th>
              <th className="number">Median seconds</th>
              <th className="number">Same answer</th>
              <th>Excluded by</th>
              <th>
                <span className="visually-hidden">Erase</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {quality.map((one) => (
              <tr key={one.participant}>
                <th scope="row">{one.participant}</th>
                <td className="number">{one.answers}</td>
                <td className="number">{figure(one.goldAccuracy)}</td>
                <td className="number">{figure(one.repeatAgreement)}</td>
                <td className="number">{figure(one.medianSeconds)}</td>
                <td className="number">{figure(one.sameAnswerShare)}</td>
                <td>{one.excludedBy.join(", ")}</td>
                <td>
                  <button type="button" onClick={() => remove(one.participant)}>
                    Erase
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    )}
  </>
);
