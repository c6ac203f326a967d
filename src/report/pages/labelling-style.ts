/** How the labelling sheet looks: pictures beside questions, light and dark as the reader's system. */
export const labellingStyle = `
:root{color-scheme:light dark;--paper:#fff;--ink:#1c2024;--muted:#5b626a;--line:#d5d9dd;--here:#eef5fb;--accent:#00558a;--yes:#a63f00;--no:#00664b;--notice:#fff6e0}
@media (prefers-color-scheme:dark){:root{--paper:#15181b;--ink:#e4e7ea;--muted:#a3abb3;--line:#3a4148;--here:#1c2a36;--accent:#7cc0f2;--yes:#ff9e6b;--no:#5bd0a8;--notice:#2c2614}}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif}
header,form,footer{padding:.7rem 1.25rem}
header{display:flex;flex-wrap:wrap;gap:.4rem 1.2rem;align-items:center;border-bottom:1px solid var(--line);position:sticky;top:0;background:var(--paper);z-index:1}
header b{font-weight:600}
progress{width:11rem;accent-color:var(--accent)}
#place{font-weight:600}
#said{color:var(--muted);flex:1 1 16rem;min-height:1.4em}
button,input{font:inherit;color:inherit;background:transparent;border:1px solid var(--line);border-radius:4px;padding:.15rem .55rem}
button{cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.sheet{display:grid;grid-template-columns:minmax(18rem,5fr) minmax(22rem,6fr);gap:1.5rem;padding:1rem 1.25rem}
@media (max-width:52rem){.sheet{grid-template-columns:1fr}}
h1{font-size:1.15rem;margin:0 0 .7rem}
#pictures{display:grid;grid-template-columns:1fr 1fr;gap:.6rem;position:sticky;top:4rem}
#pictures.large{grid-template-columns:1fr}
figure{margin:0;position:relative}
img{display:block;width:100%;aspect-ratio:1;object-fit:contain;background:#fff;border:1px solid var(--line);border-radius:3px}
figcaption{position:absolute;left:.3rem;top:.3rem;background:#000a;color:#fff;border-radius:3px;padding:0 .4rem;font-size:.8rem}
ol{list-style:none;margin:0;padding:0}
#items>li{border-bottom:1px solid var(--line);padding:.45rem .6rem;border-left:4px solid transparent;scroll-margin:5rem}
#items>li.here{background:var(--here);border-left-color:var(--accent);outline:none}
#items>li.done .asks{color:var(--muted)}
.ask{display:flex;gap:.8rem;justify-content:space-between;align-items:baseline}
.here .asks{font-weight:600}
.choose{display:flex;gap:.3rem;white-space:nowrap}
.choose button{font-size:.8rem;color:var(--muted)}
.choose button[aria-pressed=true]{color:var(--paper);background:var(--muted);border-color:var(--muted);font-weight:600}
.choose button[aria-pressed=true]:nth-child(1){background:var(--yes);border-color:var(--yes)}
.choose button[aria-pressed=true]:nth-child(2){background:var(--no);border-color:var(--no)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem .8rem;margin:.5rem 0 .2rem;font-size:.88rem}
dt{color:var(--muted)}
dd{margin:0}
#next{margin:.8rem .6rem;font-weight:600;color:var(--accent)}
#start{max-width:44rem;margin:3rem auto}
#start input{font-size:1.1rem;padding:.35rem .6rem}
.notice{background:var(--notice);padding:.6rem .9rem;border-radius:4px}
#problems{color:var(--yes);padding:0 1.25rem}
#problems:empty{display:none}
kbd{border:1px solid var(--line);border-radius:3px;padding:0 .35rem;font:.85em ui-monospace,Menlo,Consolas,monospace}
dialog{color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:6px}
footer{color:var(--muted);font-size:.85rem;border-top:1px solid var(--line)}
`;
