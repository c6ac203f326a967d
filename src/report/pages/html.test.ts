import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeHtml, html, trusted } from "./html.js";

test("text is escaped in elements and in attributes", () => {
  const hostile = `"><script>alert('1')</script>&`;
  const { source } = html`<p title="${hostile}">${hostile}</p>`;
  const escaped = "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;";
  expect(source).toBe(`<p title="${escaped}">${escaped}</p>`);
});

test("no text can leave the place where it stands", () => {
  fc.assert(fc.property(fc.string(), (text) => !/[<>"']/.test(escapeHtml(text))));
});

test("html inside html is kept, lists are joined, nothing is nothing", () => {
  const items = ["a", "<b>"].map((item) => html`<li>${item}</li>`);
  const { source } = html`<ul>${items}</ul>${undefined}${false}${null}${0}${trusted("<hr>")}`;
  expect(source).toBe("<ul><li>a</li><li>&lt;b&gt;</li></ul>0<hr>");
});

test("an object that looks like html from a file is not taken for it", () => {
  const forged = JSON.parse('{"source":"<script>"}');
  expect(() => html`${forged}`).toThrow();
});
