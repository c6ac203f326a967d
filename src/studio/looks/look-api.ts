/** Looks of a localised metric, entity by entity. */
export interface ScoreLooks {
  /** How the image was narrowed down to an entity, such as "blurring+cropping". */
  readonly strategy: string;
  readonly entities: readonly EntityLook[];
}

export interface EntityLook {
  readonly entity: string;
  /** `none`: not found, so the whole image was shown; `not kept`: its mask is not in the run's trace. */
  readonly mask: "found" | "none" | "not asked" | "not kept";
  /** Run lengths of the mask over its pixels row by row, first those outside; null without one. */
  readonly shape: {
    readonly width: number;
    readonly height: number;
    readonly runs: readonly number[];
  } | null;
  readonly questions: readonly EntityQuestion[];
}

export interface EntityQuestion {
  /** `reflection`: of its own attribute, to be seen; `leakage`: of another's, not to be seen. */
  readonly kind: "reflection" | "leakage";
  readonly attribute: string;
  readonly question: string;
  readonly probability: number;
  readonly saysYes: boolean;
}
