import "../shell/tokens.js";
import "../study/study.css";
import "./facilitator.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { FacilitatorPage } from "./facilitator-page.js";

const place = document.getElementById("page");
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      <FacilitatorPage />
    </StrictMode>,
  );
}
