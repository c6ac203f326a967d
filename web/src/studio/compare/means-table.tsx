import { Link } from "@tanstack/react-router";
import type { ComparedMetric, RunComparison } from "../../../../src/studio/compare/compare-runs.js";
import { estimateText, percentText } from "../../../../src/views/number-text.js";
import { countText } from "../../shell/numbers.js";
import { NumberTable } from "./number-table.js";

/** Every model's mean score by every metric, each in the metric's own unit, and how well it follows people. */
export function MeansTable({
  comparison: { models, metrics },
}: {
  readonly comparison: RunComparison;
}) {
  const hasPeople = metrics.some(({ people }) => people !== null);
  return (
    <>
      <p className="quiet">
        Mean score of each model, with its 95 % interval, and n images, which it leads to.
        {hasPeople &&
          " Beside it how well the metric follows people on the images that they rated: Kendall's tau-b, and the share of pairs of images in people's order."}
      </p>
      <NumberTable
        label="Models by metrics"
        corner="metric"
        headings={[...models, ...(hasPeople ? ["tau-b with people", "pairs as people, %"] : [])]}
        rows={metrics.map((metric) => ({
          name: metric.name,
          cells: [
            ...models.map((model) => <Mean key={model} metric={metric} model={model} />),
            ...(hasPeople ? withPeople(metric) : []),
          ],
        }))}
      />
    </>
  );
}

function Mean({ metric, model }: { readonly metric: ComparedMetric; readonly model: string }) {
  const mean = metric.means[model];
  const images = metric.images[model];
  if (mean === undefined) return "–";
  const n = `n ${countText(mean.n)}`;
  // The interval stands smaller below its value, so that more models fit beside each other.
  const text = estimateText(mean);
  const [, value = text, interval = ""] = /^(\S+) ([[(].*)$/.exec(text) ?? [];
  return (
    <>
      {value}
      <br />
      <small>{interval}</small>{" "}
      {images === undefined ? (
        n
      ) : (
        <Link
          to="/runs/$run/gallery"
          params={{ run: images.run }}
          search={{ metric: images.column, generator: images.generator, sort: "score" }}
          aria-label={`${n}: images of ${model} by ${metric.name}`}
        >
          {n}
        </Link>
      )}
    </>
  );
}

const withPeople = ({ people }: ComparedMetric): readonly string[] =>
  people === null
    ? ["–", "–"]
    : [`${estimateText(people.kendallTauB)}, n ${people.n}`, percentText(people.pairwiseAccuracy)];
