import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ChangedPair } from "../../../../src/studio/compare/changed-images.js";
import { Failure, Loading } from "../../shell/notices.js";
import { countText, pluralText, scoreText } from "../../shell/numbers.js";
import { changesQuery, imageAddress } from "../queries.js";

/** How the images of two runs for the same texts and seeds changed, the most changed pairs side by side. */
export function ChangedPairs({
  before,
  after,
}: {
  readonly before: string;
  readonly after: string;
}) {
  const { data, error, fetchStatus, refetch } = useQuery(changesQuery([before, after]));
  if (error !== null) return <Failure error={error} retry={() => refetch()} />;
  // An export can't compare.
  if (data === undefined && fetchStatus === "idle") return null;
  return (
    <section aria-label="Changed images">
      <h2>Changed images</h2>
      {data === undefined && <Loading what="the images" />}
      {data?.pairs === 0 && (
        <p className="quiet">The runs have no image for the same text and seed.</p>
      )}
      {data !== undefined && data.pairs > 0 && (
        <>
          <p>
            {countText(data.changed)} of {pluralText(data.compared, "image")} for the same text and
            seed changed visibly
            {data.compared + data.unreadable < data.pairs &&
              ` (drawn from ${countText(data.pairs)})`}
            . {data.unreadable > 0 && `${pluralText(data.unreadable, "pair")} could not be read. `}
            That an image changed does not say that it became worse.
          </p>
          {data.most.map((pair) => (
            <Pair key={pair.before.key} pair={pair} />
          ))}
        </>
      )}
    </section>
  );
}

function Pair({
  pair: { text, before, after, ssim, psnr, scores },
}: {
  readonly pair: ChangedPair;
}) {
  const numbers = [
    ...(ssim === null ? (psnr === null ? ["of two sizes"] : []) : [`SSIM ${scoreText(ssim)}`]),
    ...(psnr === null ? [] : [`PSNR ${psnr.toFixed(1)} dB`]),
    ...scores.map((one) => `${one.metric} ${valueText(one.before)} → ${valueText(one.after)}`),
  ];
  return (
    <figure>
      <ul className="others">
        {[
          { name: "before", shown: before },
          { name: "after", shown: after },
        ].map(({ name, shown: { run, key, image } }) => (
          <li key={name}>
            <Link to="/runs/$run/items/$image" params={{ run, image: key }}>
              <img src={imageAddress(run, image, 256)} alt="" loading="lazy" />
              {name}
            </Link>
          </li>
        ))}
      </ul>
      <figcaption>
        {text} <small>{numbers.join(", ")}</small>
      </figcaption>
    </figure>
  );
}

const valueText = (value: number | null) => (value === null ? "–" : scoreText(value));
