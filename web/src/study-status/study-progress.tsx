import type { StudyStatus } from "../../../src/studies/study-status.js";
import "./study-status.css";
import { Scroll } from "../shell/scroll.js";

type Remove = ((participant: string) => void) | undefined;

/**
 * Where a study stands: answers, agreement so far, and how carefully each participant answers.
 *
 * @param options.remove erases a participant; without it nobody can be
 */
export const StudyProgress = ({
  status,
  remove,
}: {
  readonly status: StudyStatus;
  readonly remove?: Remove;
}) => (
  <>
    <p className="lead" role="status">
      {verdict(status)}
    </p>
    <p className="quiet">{others(status)}</p>
    <Blocks blocks={status.blocks} />
    <Quality quality={status.quality} remove={remove} />
  </>
);

function verdict({ blocks, participants }: StudyStatus): string {
  const answers = blocks.reduce((sum, block) => sum + block.answers, 0);
  const wanted = blocks.reduce((sum, block) => sum + block.wanted, 0);
  const people = `${participants.consented} ${participants.consented === 1 ? "person" : "people"}`;
  return `${answers} of ${wanted} answers by ${people}.`;
}

const others = ({ participants, elsewhere }: StudyStatus): string =>
  [
    `${participants.finished} finished`,
    `${participants.withdrawn} left`,
    `${participants.declined} declined`,
    `${participants["screened-out"]} screened out`,
    `${participants["quota-full"]} turned away`,
    `${participants.erased} erased`,
    ...(elsewhere.participants === 0
      ? []
      : [`${elsewhere.participants} elsewhere with ${elsewhere.answers} answers`]),
  ].join(", ");

const none = "–";

const figure = (value: number | null): string =>
  value === null ? none : value.toLocaleString("en", { maximumSignificantDigits: 3 });

/** A column: its title, and what a row has in it. */
type Column<Row> = readonly [title: string, cell: (row: Row) => string];

const blockColumns: readonly Column<StudyStatus["blocks"][number]>[] = [
  ["Answers", ({ answers, wanted }) => `${answers} of ${wanted}`],
  ["Items done", ({ complete, items }) => `${complete} of ${items}`],
  ["Skipped", ({ skipped }) => String(skipped)],
  ["Majority share", ({ agreement }) => figure(agreement?.majorityShare ?? null)],
  ["Fleiss' kappa", ({ agreement }) => figure(agreement?.fleissKappa ?? null)],
  ["Krippendorff's alpha", ({ agreement }) => figure(agreement?.krippendorffAlpha ?? null)],
];

const personColumns: readonly Column<StudyStatus["quality"][number]>[] = [
  ["Answers", ({ answers }) => String(answers)],
  ["Gold right", ({ goldAccuracy }) => figure(goldAccuracy)],
  ["Repeats alike", ({ repeatAgreement }) => figure(repeatAgreement)],
  ["Median seconds", ({ medianSeconds }) => figure(medianSeconds)],
  ["Same answer", ({ sameAnswerShare }) => figure(sameAnswerShare)],
];

const Blocks = ({ blocks }: Pick<StudyStatus, "blocks">) => (
  <>
    <h2>Blocks</h2>
    <Scroll label="Blocks">
      <table className="stacked">
        <thead>
          <tr>
            <th>Block</th>
            <Titles columns={blockColumns} />
          </tr>
        </thead>
        <tbody>
          {blocks.map((block) => (
            <tr key={block.name}>
              <th scope="row">{block.name}</th>
              <Cells columns={blockColumns} row={block} />
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  </>
);

function Titles<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  return columns.map(([title]) => (
    <th key={title} className="number">
      {title}
    </th>
  ));
}

/** On a telephone a row is a list, in which each cell that has a value names its column. */
function Cells<Row>({
  columns,
  row,
}: {
  readonly columns: readonly Column<Row>[];
  readonly row: Row;
}) {
  return columns.map(([title, cell]) => {
    const value = cell(row);
    return (
      <td key={title} className="number" data-title={value === none ? undefined : title}>
        {value}
      </td>
    );
  });
}

const Quality = ({
  quality,
  remove,
}: Pick<StudyStatus, "quality"> & { readonly remove: Remove }) => (
  <>
    <h2>Participants</h2>
    {quality.length === 0 ? (
      <p className="quiet">Nobody has answered yet.</p>
    ) : (
      <Scroll label="Participants">
        <table className="stacked">
          <thead>
            <tr>
              <th>Participant</th>
              <Titles columns={personColumns} />
              <th>Excluded by</th>
              {remove !== undefined && (
                <th>
                  <span className="visually-hidden">Erase</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {quality.map((one) => (
              <tr key={one.participant}>
                <th scope="row" className="short">
                  {one.participant}
                </th>
                <Cells columns={personColumns} row={one} />
                <td className="short" data-title="Excluded by">
                  {one.excludedBy.join(", ")}
                </td>
                {remove !== undefined && (
                  <td>
                    <button type="button" onClick={() => remove(one.participant)}>
                      Erase
                    </button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    )}
  </>
);
