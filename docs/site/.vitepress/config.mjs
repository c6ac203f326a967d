import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";

const content = fileURLToPath(new URL("../.content", import.meta.url));
const contents = JSON.parse(readFileSync(new URL("../contents.json", import.meta.url), "utf8"));

const namesIn = (folder) =>
  readdirSync(`${content}/${folder}`, { recursive: true })
    .filter((name) => name.endsWith(".md") && name !== "entries.md")
    .map((name) => name.slice(0, -".md".length))
    .sort();

/** What is generated stands below the page that introduces it. */
const below = {
  "verbs/": () =>
    namesIn("verbs")
      .filter((name) => name !== "index")
      .map((name) => ({ text: name.replace("-", " "), link: `/verbs/${name}` })),
  library: () =>
    namesIn("reference/library").map((name) => ({
      text: name === "index" ? "touchstone-t2i" : name.replace(/^(?!touchstone)/, "/"),
      link: `/reference/library/${name}`,
    })),
  python: () => [{ text: "Functions and classes", link: "/reference/python" }],
};

const page = ([path, text]) => ({
  text,
  link: `/${path}`,
  ...(path in below ? { collapsed: true, items: below[path]() } : {}),
});

/** Anchors as GitHub makes them, since documents link to each other there, too. */
const slugify = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");

export default defineConfig({
  title: "Touchstone",
  description: "Text-to-image evaluation that people can believe",
  lang: "en",
  srcDir: ".content",
  outDir: "dist",
  cleanUrls: false,
  lastUpdated: false,
  head: [["link", { rel: "icon", href: "data:," }]],
  // The theme gives every page but the home a main landmark.
  transformHtml: (html) => html.replace('<div class="VPContent is-home"', '$& role="main"'),
  // Docstrings name servers as examples.
  ignoreDeadLinks: "localhostLinks",
  markdown: {
    anchor: { slugify },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    // Braces in code between words are text, as those in blocks are.
    config(markdown) {
      const { rules } = markdown.renderer;
      const inline = rules.code_inline;
      rules.code_inline = (tokens, at, ...more) => {
        tokens[at].attrSet("v-pre", "");
        return inline(tokens, at, ...more);
      };
    },
  },
  themeConfig: {
    search: {
      provider: "local",
      options: {
        miniSearch: {
          // What people read comes before what programs wrote.
          searchOptions: { boostDocument: (id) => (/\/(reference|verbs)\//.test(id) ? 0.2 : 1) },
        },
      },
    },
    outline: [2, 3],
    nav: [
      { text: "Start", link: "/start" },
      { text: "Verbs", link: "/verbs/" },
      { text: "Statistics", link: "/statistics" },
      { text: "Analyse", link: "/analyse/index.html", target: "_self" },
    ],
    sidebar: contents.map(({ title, pages }) => ({
      text: title,
      items: Object.entries(pages).map(page),
    })),
  },
});
