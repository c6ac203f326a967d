import type { StudyStatus } from "../../../src/studies/study-status.js";
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
}: Pick<StudyStatus, "quality"> & { readonly remove: Remove }) => (
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
                <td className="number">{one.answers}</td>
                <td className="number">{figure(one.goldAccuracy)}</td>
                <td className="number">{figure(one.repeatAgreement)}</td>
                <td className="number">{figure(one.medianSeconds)}</td>
                <td className="number">{figure(one.sameAnswerShare)}</td>
                <td className="short">{one.excludedBy.join(", ")}</td>
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
