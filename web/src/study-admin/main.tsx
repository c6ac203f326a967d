import "../shell/tokens.js";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { AdminPage } from "./admin-page.js";

const place = document.getElementById("page");
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      <AdminPage />
    </StrictMode>,
  );
}
