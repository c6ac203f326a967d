/** 71.2 %, 0,712, 1,234.0, [0.712], (0.712,), tensor(0.712), ="0.712", '0.712, 0.712 ± 0.01 and −0.712. */
const dressed =
  /^(?:(?:tensor|array|np\.float\d*)\(|\[|\(|=?"|'|[$€£])*\s*[-+\u2212]?(?:\d{1,3}(?:[,' \u00a0\u2009\u202f]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)(?:e[-+]?\d+)?\s*%?(?:\s*(?:±|\+\/-)\s*\d*[.,]?\d+)?\s*(?:[)\]"',]+|, *(?:device|dtype|grad_fn)[^,]*)*$/i;

/** 0.712 pts, score: 0.712, {"score": 0.712} and 4/5, which may be something else. */
const worded = [
  /^[-+]?\d*\.\d+ ?[\p{L}°]+\.?$/u,
  /^[\p{L}_ -]+[:=] ?[-+]?\d*\.?\d+$/u,
  /^\{"\w+": ?[-+]?\d*\.?\d+\}$/,
  /^\d+(?:\.\d+)? ?\/ ?\d+$/,
];

/** How a text that is no number holds one: as somebody prints it, or among words; undefined where it holds none. */
export function dressOf(text: string): "dressed" | "worded" | undefined {
  const trimmed = text.trim();
  if (dressed.test(trimmed)) return "dressed";
  return worded.some((each) => each.test(trimmed)) ? "worded" : undefined;
}
