/** How often the painter does each thing wrong, as probabilities per picture. */
export interface DefectRates {
  /** Leaves out one of the extras. */
  readonly dropExtra: number;
  /** Paints one more or one fewer than it was told. */
  readonly miscount: number;
  /** Paints a prototypical member of the hypernym in place of the one it was told. */
  readonly driftToPrototype: number;
  /** Puts the colour or pattern of one garment on another as well. */
  readonly leakAttribute: number;
  /** Gives two garments each other's colour and pattern. */
  readonly swapAttributes: number;
  /** Paints a garment in another colour or pattern than it was told. */
  readonly loseAttribute: number;
  /** Puts the colour of one thing on another as well. */
  readonly leakColour: number;
  /** Gives two things each other's colour. */
  readonly swapColours: number;
  /** Paints a thing in another colour than it was told. */
  readonly loseColour: number;
}

export const noDefects: DefectRates = {
  dropExtra: 0,
  miscount: 0,
  driftToPrototype: 0,
  leakAttribute: 0,
  swapAttributes: 0,
  loseAttribute: 0,
  leakColour: 0,
  swapColours: 0,
  loseColour: 0,
};

export type Defect = keyof DefectRates;
