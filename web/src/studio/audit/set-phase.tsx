import { Link } from "@tanstack/react-router";
import type { ShownPhase } from "../../../../src/studio/audits/audit-api.js";
import { fixedText } from "../../../../src/views/number-text.js";
import { countText } from "../../shell/numbers.js";
import { imageAddress } from "../queries.js";

type Flag = ShownPhase["flags"][number];

/** A set of images as the judge saw it: its index, and below each image what it is cited for. */
export function SetPhase({
  run,
  name,
  phase: { prompt, images, index, flags, answered, items, reason },
}: {
  readonly run: string;
  readonly name: string;
  readonly phase: ShownPhase;
}) {
  return (
    <section aria-label={name}>
      <h2>
        {name}: index {index === null ? "–" : fixedText(index, 3)}
      </h2>
      <p className="quiet">
        {reason === null
          ? `${countText(flags.length)} of ${countText(answered)} answered items flagged${answered < items ? `, ${countText(items - answered)} unscored` : ""}`
          : `The judge answered nothing: ${reason}.`}
      </p>
      <p className="made-from">{prompt}</p>
      <ol className="set-images">
        {images.map(({ key, image, width, height }, at) => (
          <li key={key}>
            <Link to="/runs/$run/items/$image" params={{ run, image: key }}>
              <img
                src={imageAddress(run, image, 384)}
                alt={`${at + 1}, made from: ${prompt}`}
                width={width}
                height={height}
              />
            </Link>
            <p className="cited">
              <b>{at + 1}</b>{" "}
              <CitedFor flags={flags.filter((flag) => flag.images.includes(at + 1))} />
            </p>
          </li>
        ))}
      </ol>
      {flags.length > 0 && <h3>What the judge says</h3>}
      <ul className="flags">
        {flags.map(({ item, reason: why, images: cited }) => (
          <li key={item}>
            <b className="bad">✕ {item.replaceAll("-", " ")}</b>{" "}
            <span className="quiet">{citedText(cited, images.length)}</span> {why}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The items for which the judge cites an image. */
const CitedFor = ({ flags }: { readonly flags: readonly Flag[] }) =>
  flags.length === 0 ? (
    <span className="quiet">✓ cited for nothing</span>
  ) : (
    <span className="bad">✕ {flags.map(({ item }) => item.replaceAll("-", " ")).join(", ")}</span>
  );

/** @example citedText([1, 3], 4) // "images 1, 3:" */
function citedText(cited: readonly number[], of: number): string {
  if (cited.length === 0) return "of no image in particular:";
  if (cited.length === of && of > 1) return "all images:";
  return `${cited.length === 1 ? "image" : "images"} ${cited.join(", ")}:`;
}
