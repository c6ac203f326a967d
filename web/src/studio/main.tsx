import "../shell/tokens.js";
import { createRoot } from "react-dom/client";
import { Studio } from "./studio.js";

const place = document.getElementById("page");
if (place !== null) createRoot(place).render(<Studio />);
