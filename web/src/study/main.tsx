import "../shell/tokens.js";
import "./study.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { pageInFile } from "./offline-page.js";
import { StudyClient } from "./study-client.js";
import { StudyPage } from "./study-page.js";

const place = document.getElementById("page");
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      <StudyPage client={new StudyClient(pageInFile())} />
    </StrictMode>,
  );
}
