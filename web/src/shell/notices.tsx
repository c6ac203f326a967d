import type { ReactNode } from "react";
import { ApiError } from "./api.js";

/** Says why something can't be shown, and what to do. */
export function Failure({ error, retry }: { readonly error: Error; readonly retry?: () => void }) {
  const isGone = !(error instanceof ApiError);
  return (
    <div className="notice" role="alert">
      <p>
        <b>{isGone ? "The studio does not answer." : error.message}</b>
      </p>
      <p>
        {isGone ? "It runs while its command does. Start it again: touchstone studio" : error.hint}
      </p>
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Where there is nothing yet: what would be here, and how it comes to be. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Loading({ what }: { readonly what: string }) {
  return (
    <p className="quiet" role="status">
      Reading {what} …
    </p>
  );
}

/** What stands in place of an answer that is waited for, or was not had. */
export function Awaited({
  of: { data, error, refetch },
  what,
}: {
  readonly of: {
    readonly data: unknown;
    readonly error: Error | null;
    readonly refetch?: () => unknown;
  };
  readonly what: string;
}) {
  if (error !== null) {
    return <Failure error={error} {...(refetch && { retry: () => void refetch() })} />;
  }
  return data === undefined ? <Loading what={what} /> : null;
}

/** Where filters leave nothing. */
export const NoneFits = ({
  title,
  onSearch,
}: {
  readonly title: string;
  readonly onSearch: (search: object) => void;
}) => (
  <Empty title={title}>
    <button type="button" onClick={() => onSearch({})}>
      Take all filters away
    </button>
  </Empty>
);
