import { palette } from "../../views/figures/palette.js";
import { type Content, type Html, html } from "./html.js";
import { htmlFile } from "./html-file.js";
import { tokens } from "./page-colours.js";

export interface PageSection {
  /** Its address within the page. */
  readonly id: string;
  readonly title: string;
  readonly body: Content;
  /** Closed until its reader opens it; a link to it or to what it holds opens it, too. */
  readonly isFolded?: boolean;
}

/** Content above the fold: the verdict, one figure, one example. */
export interface FirstScreen {
  /** One sentence. */
  readonly verdict: string;
  /** What models see and metrics read, where it was checked. */
  readonly sanity?: Content;
  /** A notice of what its pictures are not. */
  readonly notice?: Content;
  readonly figure?: Content;
  readonly example?: Content;
}

/**
 * A report as an HTML file without script (`htmlFile`). The first screen comes first, then the open
 * sections, then the folded ones.
 */
export function page({
  title,
  first: { verdict, sanity, notice, figure, example },
  sections,
  closing,
}: {
  readonly title: string;
  readonly first: FirstScreen;
  readonly sections: readonly PageSection[];
  readonly closing: Content;
}): string {
  const open = sections.filter(({ isFolded }) => isFolded !== true);
  const folded = sections.filter(({ isFolded }) => isFolded === true);
  const body = html`<a class="skip" href="#content">Skip to the details</a>
<div class="frame">
<header class="first">
<h1>${title}</h1>
<p class="lead">${unbrokenPercents(verdict)}</p>
${sanity && html`<p class="small">${sanity}</p>\n`}${notice}${(figure || example) && html`<div class="look">${figure}${example}</div>\n`}</header>
${
  sections.length > 1 &&
  html`<nav aria-label="Contents">
<p>Contents</p>
<ol>
${[...open, ...folded].map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ol>
</nav>
`
}<main id="content">
${open.map(
  ({ id, title, body }) => html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${body}
</section>
`,
)}${folded.length > 0 && foldedSections(folded)}<footer class="small">
${closing}
</footer>
</main>
</div>
`;
  return htmlFile({
    title,
    meta: ["referrer", "no-referrer"],
    images: "data:",
    style: styleSheet,
    body,
  });
}

/** The id lies inside of the fold: a browser opens the folds around what a link leads to. */
const foldedSections = (sections: readonly PageSection[]): Html => html`<div class="folds">
<p class="unfold small"><label><input type="checkbox" id="unfold" autocomplete="off"> Show everything below, also in print</label></p>
${sections.map(
  ({ id, title, body }) => html`<details class="fold">
<summary><h2>${title}</h2></summary>
<div id="${id}">
${body}
</div>
</details>
`,
)}</div>
`;

/** In the large sentence at the top a line must not end between a number and its percent sign. */
const unbrokenPercents = (text: string): string => text.replace(/(\d) %/g, "$1\u00a0%");

/** The plots' colours, which the page may replace: an SVG's own attributes give way to a rule. */
const plotRules = Object.entries(palette).map(
  ([name, colour]) =>
    `.plot [fill="${colour}"]{fill:var(--${name})}.plot [stroke="${colour}"]{stroke:var(--${name})}`,
);

/**
 * How a report looks. Light and dark follow the reader's system; print is always light, keeps
 * cards and figures whole and shows of the folds what its reader opened. System fonts only: the page asks nothing of a network.
 */
const styleSheet = `
${tokens}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif}
.frame{display:grid;grid-template-columns:minmax(0,1fr);max-width:54rem;margin:0 auto;padding:1rem 1.25rem 3rem}
.first{min-width:0;margin-bottom:1.5rem}
.look{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem 2rem;align-items:start;margin-top:.75rem}
.look figure{margin:0}
nav{display:none;font-size:.875rem}
nav p{margin:0 0 .35rem;color:var(--muted)}
nav ol{margin:0;padding:0;list-style:none}
a{color:var(--link);text-underline-offset:.15em}
nav a{text-decoration:none}
nav a:hover{text-decoration:underline}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-100vw}
.skip:focus{left:1rem;top:1rem;background:var(--paper);padding:.5rem}
@media screen and (min-width:60rem){
.frame{max-width:76rem}
.look:has(>:nth-child(2)){grid-template-columns:minmax(0,16fr) minmax(0,10fr)}
.look .plot,.look .scoreboard .scroll{max-height:36.25rem;overflow:auto}
.look .plot.fitted svg{max-height:36rem}
.notice+.look .plot.tall{max-height:31rem}
main{max-width:54rem}
}
@media screen and (min-width:74rem){
.frame:has(nav){grid-template-columns:11.5rem minmax(0,54rem);gap:0 3.5rem}
.first{grid-column:1/-1}
nav{display:block;grid-column:1;position:sticky;top:1.5rem;align-self:start}
nav li{margin:.4rem 0}
.frame:has(nav) main{grid-column:2}
}
h1,h2,h3,h4{line-height:1.25;text-wrap:balance;font-weight:650}
h1{font-size:1rem;font-weight:500;color:var(--muted);margin:0 0 .4rem}
h2{font-size:1.3rem;margin:0 0 .6rem;padding-top:.8rem;border-top:1px solid var(--line)}
section{margin-bottom:1.5rem}
h3{font-size:1.08rem;margin:2.25rem 0 .5rem}
p,ul,ol,dl{margin:.6rem 0}
p,li,dd{overflow-wrap:break-word}
.prose{max-width:42rem}
.lead{font-size:1.5rem;line-height:1.38;font-weight:600;letter-spacing:-.006em;margin:0 0 .6rem;text-wrap:pretty}
.also{color:var(--ink);padding-left:1.15rem;max-width:44rem}
.also li{margin:.35rem 0}
.small,figcaption,.caption,.facts{font-size:.875rem;color:var(--muted)}
.notice{border-left:4px solid var(--notice-line);background:var(--notice);padding:.7rem 1rem;margin:1.5rem 0;max-width:44rem}
.first .notice{margin:.5rem 0;padding:.35rem .8rem;max-width:none;font-size:.875rem}
.notice p{margin:0}
.notice p+p{margin-top:.4rem}
code,kbd{font:.875em/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;overflow-wrap:anywhere}
pre{margin:.5rem 0;padding:.7rem .9rem;background:var(--raised);border:1px solid var(--line);border-radius:4px;overflow-x:auto;white-space:pre-wrap}
figure{margin:1.75rem 0}
figcaption{margin-top:.5rem;max-width:44rem}
figcaption b,.caption b{color:var(--ink);font-weight:600}
.table{margin:1.5rem 0}
figure .scroll,details .table{margin:.75rem 0}
.scroll{overflow-x:auto;background:linear-gradient(to right,var(--paper) 1rem,transparent) 0 0/2.5rem 100% no-repeat local,linear-gradient(to left,var(--paper) 1rem,transparent) 100% 0/2.5rem 100% no-repeat local,linear-gradient(to right,var(--shade),transparent) 0 0/.8rem 100% no-repeat scroll,linear-gradient(to left,var(--shade),transparent) 100% 0/.8rem 100% no-repeat scroll}
.plot svg{display:block;width:100%;min-width:38rem;max-width:46rem;height:auto}
.plot.small svg{min-width:0;max-width:22rem}
.plot text{font-family:inherit}
figure:has(>.plot){container-type:inline-size}
.plot.wide svg{min-width:0}
.plot.narrow{display:none}
.plot.narrow svg{min-width:0;max-width:26rem}
@container (max-width:32rem){.plot.wide{display:none}.plot.narrow{display:block}}
.plot.spark svg{width:8.25rem;min-width:8.25rem;margin-top:.2rem}
.scoreboard th,.scoreboard td{padding-top:.2rem;padding-bottom:.2rem}
.many th,.many td{padding-right:.4rem;min-width:0;font-size:.82rem}
.many .plot.spark svg{width:5.5rem;min-width:5.5rem}
.whose{display:none}
@media screen and (max-width:40rem){
.scoreboard thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden;white-space:nowrap}
.scoreboard tr{display:block;padding:.3rem 0}
.scoreboard th,.scoreboard td{display:block;padding:.1rem 0;min-width:0}
.scoreboard tbody th{font-weight:600}
.scoreboard .rule>*{border-top:0}
.scoreboard .rule{border-top:1px solid var(--line)}
.whose{display:inline}
}
.says{display:flex;flex-wrap:wrap;gap:0 .6rem;align-items:center}
.says>:first-child{min-width:6.2rem}
.told{display:block;min-width:min(15rem,38vw)}
${plotRules.join("\n")}
table{border-collapse:collapse;border-bottom:1px solid var(--muted);font-size:.875rem;font-variant-numeric:tabular-nums;line-height:1.35}
.caption{margin:0 0 .5rem;max-width:44rem}
th,td{padding:.32rem .9rem .32rem 0;text-align:left;vertical-align:baseline}
thead th{font-weight:600;border-bottom:1px solid var(--muted);vertical-align:bottom}
thead tr:first-child th{border-top:1px solid var(--muted)}
thead th.group{border-bottom:1px solid var(--line)}
tbody th{font-weight:400}
tbody tr.rule>*{border-top:1px solid var(--line)}
.number{text-align:right;white-space:nowrap}
.short{white-space:nowrap}
thead .number{white-space:normal;min-width:3.5rem}
td small,th small,p small{color:var(--muted);font-size:.8125rem;font-weight:400}
.model{display:block;color:var(--muted);font-size:.8125rem}
details{margin:.75rem 0}
summary{cursor:pointer;color:var(--link)}
.fold{margin:0;border-top:1px solid var(--line)}
.fold>summary{padding:.45rem 0}
.fold>summary h2{display:inline;font-size:1.05rem;font-weight:600;border:0;margin:0;padding:0}
.fold>div{scroll-margin-top:3.5rem;padding-bottom:1.5rem}
.unfold{margin:0 0 .5rem}
.unfold input{width:1.1rem;height:1.1rem;margin:0 .3rem 0 0;vertical-align:-.2rem;accent-color:var(--link)}
details:has(:target)::details-content,body:has(#unfold:checked) details::details-content{content-visibility:visible}
dl.facts{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.25rem 1rem}
dl.facts dt{color:var(--muted)}
dl.facts dd{margin:0;color:var(--ink)}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,24rem),1fr));gap:1.25rem;margin:1rem 0 2rem}
.card{border:1px solid var(--line);border-radius:6px;padding:.9rem;min-width:0;break-inside:avoid}
.card .tags{display:flex;flex-wrap:wrap;gap:.15rem .9rem;margin:0;font-size:.8125rem;color:var(--muted)}
.card .said{font-size:1rem;font-weight:600;margin:.3rem 0 .7rem;text-wrap:pretty}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:.75rem}
.pair figure{margin:0;min-width:0}
.pair img{display:block;width:100%;height:auto;aspect-ratio:1;object-fit:contain;background:#fff;border:1px solid var(--line);border-radius:3px}
.pair figcaption{margin:.3rem 0 0;line-height:1.35;font-size:.8125rem}
.pair figcaption b{display:block}
.pair:has(>:nth-child(3)){grid-template-columns:repeat(3,1fr)}
.thumbnails{display:grid;grid-template-columns:repeat(auto-fill,minmax(8rem,1fr));gap:.9rem}
.thumbnails figure{margin:0;min-width:0}
.thumbnails img{display:block;width:100%;height:auto;aspect-ratio:1;object-fit:contain;background:#fff;border:1px solid var(--line);border-radius:3px}
.thumbnails figcaption{font-size:.8125rem;line-height:1.35}
.thumbnails figcaption b{display:block}
.file{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.strip{margin:1rem 0 1.25rem}
.strip .pair{grid-template-columns:repeat(auto-fill,minmax(8.5rem,1fr))}
.card table{width:100%;margin-top:.7rem;font-size:.8125rem}
.card th,.card td{padding:.25rem .5rem .25rem 0}
.card th:last-child,.card td:last-child{padding-right:0}
.card details{margin:.6rem 0 0;font-size:.8125rem}
.right{color:var(--good);font-weight:650;white-space:nowrap}
.wrong{color:var(--bad);font-weight:650;white-space:nowrap}
.open{color:var(--muted);white-space:nowrap}
footer{margin-top:1.5rem;padding-top:1rem;border-top:1px solid var(--line)}
@media (max-width:30rem){.lead{font-size:1.25rem}.frame{padding:1rem .9rem 2rem}.card{padding:.7rem}dl.facts{grid-template-columns:minmax(0,1fr);gap:0}dl.facts dd{margin-bottom:.5rem}}
@media print{
@page{margin:16mm 14mm}
html{font-size:9pt}
body{background:#fff}
.frame{display:block;max-width:none;padding:0}
nav,.skip,.unfold{display:none}
.look{grid-template-columns:minmax(0,1fr)}
.look .card{max-width:12cm}
h2,h3,.caption,.small{break-after:avoid}
figure,.card,.table,tr,.notice,.lead,pre{break-inside:avoid}
.scroll{overflow:visible;background:none}
.plot svg{min-width:0;max-width:17cm;max-height:22cm;margin:0 auto}
table{font-size:8pt}
td small,th small,.model,.card table{font-size:7.5pt}
th,td{padding-right:.6rem}
.cards{grid-template-columns:1fr 1fr;gap:.7rem}
.card,.pair img{-webkit-print-color-adjust:exact;print-color-adjust:exact}
a{color:inherit;text-decoration:none}
}
`;
