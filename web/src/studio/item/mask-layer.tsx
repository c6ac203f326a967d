import { useEffect, useRef } from "react";
import { maskOfRuns } from "../../../../src/images/mask-runs.js";
import type { EntityLook } from "../../../../src/studio/looks/look-api.js";

/** Darkens what lies outside a mask, with a line around what is inside. It lies over the image. */
export function MaskLayer({ look: { entity, shape } }: { readonly look: EntityLook }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    const mask = shape === null ? undefined : maskOfRuns(shape.runs, shape);
    if (context === null || context === undefined || mask === undefined) return;
    const { width, height, data } = mask;
    const pixels = context.createImageData(width, height);
    const isInside = (x: number, y: number) =>
      x >= 0 && y >= 0 && x < width && y < height && data[y * width + x] === 1;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const at = 4 * (y * width + x);
        if (!isInside(x, y)) pixels.data[at + 3] = 190;
        else if (
          !isInside(x - 1, y) ||
          !isInside(x + 1, y) ||
          !isInside(x, y - 1) ||
          !isInside(x, y + 1)
        )
          pixels.data.set([255, 0, 160, 255], at);
      }
    }
    context.putImageData(pixels, 0, 0);
  }, [shape]);
  if (shape === null) return null;
  return (
    <canvas
      ref={canvas}
      width={shape.width}
      height={shape.height}
      role="img"
      aria-label={`Mask of ${entity}`}
    />
  );
}
