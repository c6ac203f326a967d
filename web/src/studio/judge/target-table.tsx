import { answersNeeded } from "../../../../src/ensembles/binomial-bound.js";
import {
  certify,
  labelsThatWouldDo,
  ofTry,
} from "../../../../src/ensembles/selective-certificate.js";
import type { JudgeDetail } from "../../../../src/studio/judges/judge-detail.js";
import { percentOf, thresholdText } from "../../../../src/views/certificate-text.js";
import { countText } from "../../shell/numbers.js";
import { Scroll } from "../../shell/scroll.js";

const usual = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3];

/** For each target error: whether it is certified, what is then accepted, and how many labels it takes. */
export function TargetTable({
  judge: { certification },
  target: chosen,
  onTarget,
}: {
  readonly judge: JudgeDetail;
  readonly target: number;
  readonly onTarget: (target: number) => void;
}) {
  const { counts, n, confidence, tries, target: own } = certification;
  const targets = [...new Set([...usual, own, chosen])].sort((a, b) => a - b);
  return (
    <Scroll label="What a target error costs">
      <table>
        <thead>
          <tr>
            <th>at most wrong</th>
            <th>certified from</th>
            <th className="number">accepted</th>
            <th>labels that decide</th>
          </tr>
        </thead>
        <tbody>
          {targets.map((target) => {
            const wanted = { target, confidence, tries };
            const certificate = certify(counts, n, wanted);
            const isCertified = certificate.threshold !== null;
            return (
              <tr key={target}>
                <th scope="row">
                  <button
                    type="button"
                    aria-pressed={target === chosen}
                    onClick={() => onTarget(target)}
                  >
                    {percentOf(target)}
                  </button>
                </th>
                <td>
                  {isCertified ? `✓ ${thresholdText(certificate.threshold)}` : "– not certified"}
                </td>
                <td className="number">
                  {isCertified ? percentOf(certificate.accepted / n) : "–"}
                </td>
                <td>
                  {isCertified
                    ? `${countText(n)} did`
                    : neededText(labelsThatWouldDo(counts, n, wanted), {
                        n,
                        least: answersNeeded(0, ofTry(wanted)),
                      })}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scroll>
  );
}

/** About how many labels would do, were further ones like these. */
function neededText(
  would: number | undefined,
  { n, least }: { readonly n: number; readonly least: number },
): string {
  if (n < least) return `${countText(least)} or more; there are ${countText(n)}`;
  return would === undefined ? "more alone will not help" : `about ${countText(would)}`;
}
