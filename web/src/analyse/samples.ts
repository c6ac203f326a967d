import agreement from "../../../data/examples/agreement.csv?raw";
import calibration from "../../../data/examples/calibration.csv?raw";
import contrastive from "../../../data/examples/contrastive.csv?raw";
import correlation from "../../../data/examples/correlation.csv?raw";
import preferences from "../../../data/examples/preferences.csv?raw";

/** The tables that `touchstone example VERB` prints, for a first look. */
export const samples: Readonly<Record<string, string>> = {
  contrastive,
  correlation,
  agreement,
  calibration,
  preferences,
};
