import { useEffect, useState } from "react";

/** A text of this page as a file to keep, or to show as a picture; it goes when it is shown no more. */
export function useTextAddress(text: string | undefined, type: string): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (text === undefined) return setAddress(undefined);
    const made = URL.createObjectURL(new Blob([text], { type }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [text, type]);
  return address;
}

export function Download({
  name,
  text,
  type,
  children,
}: {
  readonly name: string;
  readonly text: string;
  readonly type: string;
  readonly children: string;
}) {
  const address = useTextAddress(text, type);
  return (
    <a className="button" href={address} download={name}>
      {children}
    </a>
  );
}
