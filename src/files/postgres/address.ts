import { InputError } from "../../core/errors.js";
import { addressText, blobAddress } from "../blobs/blob-address.js";

/** A place in a PostgreSQL database, taken apart. */
export interface PostgresPlace {
  /** The address that the driver connects by; it may hold a password. */
  readonly connection: string;
  /** The same with where images lie, where the place says so. */
  readonly store: string;
  /** Where images lie, as `addressText` writes it, where the place says so. */
  readonly blobs: string | undefined;
  /** Names the study in the database, with "/" between parts; "" for the database itself. */
  readonly name: string;
  /** The place without its password, for people and for commands that go on. */
  readonly shown: string;
}

const secretParameters = ["password", "sslpassword"];

/** The parameter of a place that says where images lie: no driver is told of it. */
const blobsParameter = "blobs";

/** Whether a place is an address of PostgreSQL. */
export const isPostgres = (place: string): boolean => /^postgres(ql)?:\/\//i.test(place);

/**
 * Takes apart `postgres://user@host:5432/database/first?sslmode=verify-full`: the first part of the
 * path is the database, the rest names the study.
 *
 * @throws InputError without any part of the address in it where it is none: it may hold a password.
 */
export function postgresPlace(place: string): PostgresPlace {
  const url = parsed(place);
  if (!isPostgres(place)) throw noStore(`What came is an address of ${url.protocol}//.`);
  const [database = "", ...parts] = url.pathname.split("/").slice(1);
  const name = parts.map(decodeURIComponent).join("/").replace(/\/+$/, "");
  url.pathname = `/${database}`;
  const given = url.searchParams.get(blobsParameter) ?? undefined;
  const blobs = given === undefined ? undefined : addressText(blobAddress(given));
  url.searchParams.delete(blobsParameter);
  const connection = url.href;
  const store = blobs === undefined ? connection : withBlobs(connection, blobs);
  return { connection, store, blobs, name, shown: placeWithin(withoutPassword(connection), name) };
}

/** The place with where images lie in it. */
export function withBlobs(place: string, blobs: string): string {
  const url = parsed(place);
  url.searchParams.set(blobsParameter, blobs);
  return url.href;
}

/** The place of something within another place: a study in a database. */
export function placeWithin(place: string, name: string): string {
  const url = parsed(place);
  const parts = name.split("/").filter((part) => part !== "");
  url.pathname = [url.pathname.replace(/\/+$/, ""), ...parts.map(encodeURIComponent)].join("/");
  return url.href;
}

/** An address of any service without the password in it. */
export function withoutPassword(address: string): string {
  const url = parsed(address);
  url.password = "";
  for (const name of secretParameters) url.searchParams.delete(name);
  return url.href;
}

/** The passwords in an address, as they are written there and as they are meant. */
export function passwordsIn(address: string): readonly string[] {
  if (!URL.canParse(address)) return [];
  const url = new URL(address);
  const written = [url.password, ...secretParameters.map((name) => url.searchParams.get(name))];
  const found = written.flatMap((one) => (one ? [one] : []));
  return [...new Set([...found, ...found.map(decoded)])];
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

function parsed(place: string): URL {
  if (URL.canParse(place)) return new URL(place);
  throw noStore("What came is no address.");
}

const noStore = (why: string) =>
  new InputError("Expected postgres://user@host:port/database for a store of studies", {
    hint: `${why} A password in it is percent-encoded, or stands in PGPASSWORD.`,
  });

/** A place as it may be shown: an address without its password. */
export const shownPlace = (place: string): string => {
  if (isPostgres(place)) return postgresPlace(place).shown;
  return schemeOf(place) === undefined ? place : withoutPassword(place);
};

/** Where the images of new studies of a store lie, as its address says; undefined: in the database. */
export const blobsOf = (place: string): string | undefined =>
  isPostgres(place) ? postgresPlace(place).blobs : undefined;

/** The scheme of an address; undefined for a path. */
export const schemeOf = (place: string): string | undefined =>
  /^([a-z][a-z0-9+.-]*):\/\//i.exec(place)?.[1];
