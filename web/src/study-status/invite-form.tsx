import { type ReactNode, useState } from "react";

/** Asks for how many people invitations are to be made. */
export function InviteForm({
  onInvite,
  children,
}: {
  readonly onInvite: (count: number) => void;
  /** Further fields. */
  readonly children?: ReactNode;
}) {
  const [count, setCount] = useState(5);
  return (
    <form
      className="invite"
      onSubmit={(event) => {
        event.preventDefault();
        onInvite(count);
      }}
    >
      <label>
        How many{" "}
        <input
          type="number"
          min={1}
          max={1000}
          required
          value={count}
          onChange={({ target }) => setCount(Number(target.value))}
        />
      </label>{" "}
      {children}
      <button type="submit">Make links</button>
    </form>
  );
}
