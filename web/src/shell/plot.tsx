import { useTextAddress } from "./downloads.js";

/** A plot with its caption; a narrow page shows its narrow drawing, or scrolls the other. */
export function Plot({
  svg,
  narrow,
  description,
  caption,
}: {
  readonly svg: string;
  readonly narrow: string | undefined;
  readonly description: string;
  readonly caption: string;
}) {
  const wide = useTextAddress(svg, "image/svg+xml");
  const small = useTextAddress(narrow, "image/svg+xml");
  return (
    <figure className="plot">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keyboard */}
      <section className="scroll" tabIndex={0} aria-label={`Chart: ${description}`}>
        {wide !== undefined && (
          <picture>
            {small !== undefined && <source media="(max-width: 45rem)" srcSet={small} />}
            <img src={wide} alt={description} />
          </picture>
        )}
      </section>
      <figcaption className="quiet">{caption}</figcaption>
    </figure>
  );
}
