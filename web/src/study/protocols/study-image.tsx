import { useContext, useEffect, useLayoutEffect, useRef, useState } from "react";
import { SightContext } from "../sight.js";
import { useItemKeys } from "../use-item-keys.js";
import { useWords } from "../words/words.js";
import type { Images } from "./view.js";

/** x, y, width and height in pixels of the image. */
type Box = readonly number[];

/** An image of the study; a click or Z shows it as large as the window. */
export function StudyImage({
  client,
  name,
  alt,
  box,
  zoomKey = false,
}: {
  readonly client: Images;
  readonly name: string;
  readonly alt: string;
  readonly box?: Box | undefined;
  /** Whether Z enlarges it; for an image that stands alone. */
  readonly zoomKey?: boolean;
}) {
  const words = useWords();
  const [source, setSource] = useState<string>();
  const [size, setSize] = useState<readonly [number, number]>();
  const [isBroken, setBroken] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  const { wait } = useContext(SightContext);
  const shown = useRef(() => {});
  // biome-ignore lint/correctness/useExhaustiveDependencies: another image is waited for anew
  useLayoutEffect(() => {
    const end = wait();
    shown.current = end;
    return end;
  }, [wait, name]);
  useEffect(() => {
    let isCurrent = true;
    client.image(name).then(
      (url) => isCurrent && setSource(url),
      () => isCurrent && setBroken(true),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, name]);
  const zoom = () => dialog.current?.showModal();
  useItemKeys(zoomKey ? { z: zoom } : {});
  const [x = 0, y = 0, width = 0, height = 0] = box ?? [];
  if (isBroken) {
    return (
      <p className="notice" role="alert">
        {words.noImage}
      </p>
    );
  }
  return (
    <span className="image">
      <button type="button" className="zoom" onClick={zoom} aria-label={`${words.zoom}: ${alt}`}>
        {source !== undefined && (
          <img
            src={source}
            alt={alt}
            onLoad={({ currentTarget }) => {
              setSize([currentTarget.naturalWidth, currentTarget.naturalHeight]);
              currentTarget.decode().then(shown.current, () => setBroken(true));
            }}
            onError={() => setBroken(true)}
          />
        )}
        {box !== undefined && size !== undefined && (
          <svg viewBox={`0 0 ${size[0]} ${size[1]}`} aria-hidden="true">
            <rect x={x} y={y} width={width} height={height} vectorEffect="non-scaling-stroke" />
          </svg>
        )}
      </button>
      <dialog ref={dialog} className="large" aria-label={alt}>
        {source !== undefined && <img src={source} alt={alt} />}
        <form method="dialog">
          <button type="submit">{words.close}</button>
        </form>
      </dialog>
    </span>
  );
}
