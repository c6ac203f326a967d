import type { StepProgress } from "../../../../src/studio/api.js";
import { countText, scoreText } from "../../shell/numbers.js";

/** The step that a live run is at: how much of it is there, and how long the rest will take. */
export function WorkInHand({ step }: { readonly step: StepProgress | undefined }) {
  if (step === undefined || step.planned === null) return null;
  const there = step.done + Object.values(step.unscored).reduce((sum, count) => sum + count, 0);
  const left = Math.max(0, step.planned - there);
  return (
    <p>
      <label>
        {step.step}: {countText(there)} of {countText(step.planned)}{" "}
        <progress value={there} max={Math.max(1, step.planned)} />
      </label>
      {step.rate !== null && step.rate > 0 && (
        <span className="quiet">
          {" "}
          {scoreText(step.rate)} a second, {timeText(left / step.rate)} left in this step
        </span>
      )}
    </p>
  );
}

function timeText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
