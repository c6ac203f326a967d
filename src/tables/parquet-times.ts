import { DEFAULT_PARSERS } from "hyparquet/src/convert.js";

/**
 * How values of Parquet are read. Days are their date as text. Times are a Date, or, where that would cut them,
 * ISO text with all digits: they may be names, and two that differ are two.
 */
export const parsers = {
  ...DEFAULT_PARSERS,
  dateFromDays: (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10),
  timestampFromMicroseconds: (micros: bigint) => timeOf(micros, 1000n),
  timestampFromNanoseconds: (nanos: bigint) => timeOf(nanos, 1_000_000n),
};

/** @param perMillisecond how many units a millisecond has. */
function timeOf(units: bigint, perMillisecond: bigint): Date | string {
  const rest = ((units % perMillisecond) + perMillisecond) % perMillisecond;
  const time = new Date(Number((units - rest) / perMillisecond));
  if (rest === 0n || Number.isNaN(time.getTime())) return time;
  const digits = String(rest).padStart(String(perMillisecond).length - 1, "0");
  return time.toISOString().replace("Z", `${digits}Z`);
}
