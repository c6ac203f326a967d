/**
 * A time span as a person would say it, to two units.
 *
 * @example duration(125) // "2 min 5 s"
 */
export function duration(seconds: number): string {
  if (seconds < 1) return "under 1 s";
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const [large, small, size] = whole < 3600 ? ["min", "s", 60] : ["h", "min", 3600];
  const rest = Math.floor((whole % size) / (size / 60));
  return `${Math.floor(whole / size)} ${large}${rest === 0 ? "" : ` ${rest} ${small}`}`;
}
