import "../shell/tokens.js";
import { createRoot } from "react-dom/client";
import { AnalysePage } from "../analyse/analyse-page.js";
import { Keys } from "../shell/keys.js";

const place = document.getElementById("page");
if (place !== null) {
  createRoot(place).render(
    <Keys>
      <AnalysePage />
    </Keys>,
  );
}
