/** A name of an argument as a label. @example labelOf("max-cost") // "Max cost" */
export const labelOf = (name: string): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll("-", " ")}`;
