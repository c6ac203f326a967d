import { expect, test } from "vitest";
import { html } from "./html.js";
import { page } from "./page.js";

test("the sentence at the top keeps a number and its percent sign together", () => {
  const document = page({
    title: "95 %",
    opening: html`<h1>95 %</h1>
<p class="lead">none (at most 1.0 % at 95 % confidence)</p>
<p>31.2 %</p>`,
    sections: [{ id: "a", title: "A", body: "7 %" }],
    closing: "",
  });
  expect(document).toContain("none (at most 1.0\u00a0% at 95\u00a0% confidence)");
  expect(document).toContain("<p>31.2 %</p>");
  expect(document).toContain("7 %");
});
