/**
 * Logic of the labelling sheet without a page, as the text of a script: its answers as CSV, CSV
 * (a single quote before what a spreadsheet would take for a formula, as in tables/csv-text.ts), CSV
 * read back with every problem by its line, and where the next open question is. `answers` maps a
 * set's id to its items' answers: "1", "0", or "" for who can't say.
 */
export const labellingLogic = `
const columns = ["sheet", "set", "item", "expert", "present"];
const guarded = (cell) => /^'*[=+\\-@\\t\\r]/.test(cell) ? "'" + cell : cell;
const plain = (cell) => /^'+[=+\\-@\\t\\r]/.test(cell) ? cell.slice(1) : cell;
const quoted = (text, cell = guarded(text)) => /[",\\r\\n]/.test(cell) ? '"' + cell.replaceAll('"', '""') + '"' : cell;
function csvOf(data, expert, answers) {
  const lines = [columns];
  for (const set of data.sets) for (const { item } of data.rubrics[set.rubric]) {
    const answer = answers[set.id]?.[item];
    if (answer !== undefined) lines.push([data.sheet, set.id, item, expert, answer]);
  }
  return lines.map((cells) => cells.map((cell) => quoted(cell)).join(",") + "\\n").join("");
}
function csvRows(text) {
  const rows = [];
  let row = [], cell = "", inQuotes = false, line = 1, start = 1;
  const end = () => { row.push(cell); cell = ""; };
  const endRow = () => { end(); if (row.length > 1 || row[0].trim() !== "") rows.push({ line: start, cells: row }); row = []; };
  for (let at = text.charCodeAt(0) === 0xfeff ? 1 : 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === "\\n") line += 1;
    if (inQuotes) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') { cell += '"'; at += 1; }
      else inQuotes = false;
    } else if (letter === '"' && cell === "") inQuotes = true;
    else if (letter === ",") end();
    else if (letter === "\\n") { endRow(); start = line; }
    else if (letter !== "\\r") cell += letter;
  }
  if (cell !== "" || row.length > 0) endRow();
  return rows;
}
function answersOf(data, expert, text) {
  const [head, ...rows] = csvRows(text);
  const places = columns.map((column) => head === undefined ? -1 : head.cells.map((cell) => cell.trim()).indexOf(column));
  const problems = [];
  const missing = columns.filter((column, at) => places[at] < 0);
  if (missing.length > 0) return { answers: {}, count: 0, problems: ["line 1: expected the columns " + columns.join(", ") + " but " + missing.join(", ") + " is not there"] };
  const answers = {};
  let count = 0;
  for (const { line, cells } of rows) {
    const [sheet, id, item, by, present] = places.map((place) => plain((cells[place] ?? "").trim()));
    const set = data.sets.find((one) => one.id === id);
    const say = (problem) => problems.push("line " + line + ": " + problem);
    if (sheet !== data.sheet) say('expected answers to the sheet ' + data.sheet + ' but received "' + sheet + '"');
    else if (set === undefined) say('expected a set of this sheet but received "' + id + '"');
    else if (!data.rubrics[set.rubric].some((one) => one.item === item)) say('expected an item of ' + set.rubric + ' but received "' + item + '"');
    else if (by !== expert) say('expected answers of ' + expert + ' but received "' + by + '"');
    else if (!["1", "0", ""].includes(present)) say('expected 1, 0 or nothing for present but received "' + present + '"');
    else if (answers[id]?.[item] !== undefined) say(item + " of " + id + " stands there twice");
    else { (answers[id] ??= {})[item] = present; count += 1; }
  }
  return { answers, count, problems };
}
const itemsOf = (data, at) => data.rubrics[data.sets[at].rubric];
const isDone = (data, answers, at) => itemsOf(data, at).every(({ item }) => answers[data.sets[at].id]?.[item] !== undefined);
function nextOpen(data, answers, from) {
  for (let step = 0; step < data.sets.length; step++) {
    const at = (from + step) % data.sets.length;
    if (!isDone(data, answers, at)) return at;
  }
  return -1;
}
`;

/** The page's part: draws, listens to the keyboard and keeps answers in the browser. */
export const labellingView = `
const data = JSON.parse(document.getElementById("data").textContent);
const by = (id) => document.getElementById(id);
const made = (name, members = {}, ...children) => {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(members)) key in node ? (node[key] = value) : node.setAttribute(key, value);
  node.append(...children);
  return node;
};
const words = { 1: "present", 0: "absent", "": "can't say" };
let expert = "", answers = {}, at = 0, item = 0, keeps = true, unsaved = false, large = false;

const keyOf = (name) => "touchstone-sheet:" + data.sheet + ":" + name;
const stored = (key) => { try { return localStorage.getItem(key); } catch { keeps = false; return null; } };
function keep() {
  try {
    localStorage.setItem(keyOf(expert), JSON.stringify({ answers, at }));
    localStorage.setItem("touchstone-sheet:" + data.sheet + ":last", expert);
  } catch { keeps = false; }
  by("kept").hidden = keeps;
}
const say = (text) => { by("said").textContent = text; };
const answered = () => data.sets.reduce((sum, set) => sum + Object.keys(answers[set.id] ?? {}).length, 0);
const total = data.sets.reduce((sum, set) => sum + data.rubrics[set.rubric].length, 0);

function begin(name) {
  expert = name;
  let before = null;
  try { before = JSON.parse(stored(keyOf(name)) ?? "null"); } catch { before = null; }
  answers = before?.answers ?? {};
  at = Math.min(before?.at ?? 0, data.sets.length - 1);
  if (isDone(data, answers, at)) at = Math.max(0, nextOpen(data, answers, at));
  by("start").hidden = true;
  by("work").hidden = false;
  item = firstOpen();
  draw();
  say(answered() > 0 ? "Welcome back, " + name + ": " + answered() + " of " + total + " answers are here." : "Hello " + name + ". Answer with 1, 0 or x.");
}
const firstOpen = () => Math.max(0, itemsOf(data, at).findIndex(({ item }) => answers[data.sets[at].id]?.[item] === undefined));

function draw() {
  const set = data.sets[at];
  const items = itemsOf(data, at);
  by("who").textContent = expert;
  by("count").textContent = answered() + " of " + total + " answers";
  by("bar").value = answered();
  by("bar").max = total;
  by("place").textContent = "Set " + (at + 1) + " of " + data.sets.length;
  by("query").textContent = set.query;
  by("pictures").classList.toggle("large", large);
  by("pictures").replaceChildren(...set.images.map((image, number) => made("figure", {},
    made("img", { src: data.images[image], alt: "Image " + (number + 1) }), made("figcaption", {}, String(number + 1)))));
  by("items").replaceChildren(...items.map((one, number) => {
    const answer = answers[set.id]?.[one.item];
    const choose = ["1", "0", ""].map((value) => {
      const button = made("button", { type: "button", tabIndex: -1 }, ({ 1: "1 present", 0: "0 absent", "": "x can't say" })[value]);
      button.setAttribute("aria-pressed", String(answer === value));
      button.addEventListener("click", () => { item = number; give(value); });
      return button;
    });
    const here = number === item;
    const row = made("li", { tabIndex: -1, className: (here ? "here " : "") + (answer === undefined ? "open" : "done") },
      made("div", { className: "ask" }, made("span", { className: "asks" }, one.asks), made("span", { className: "choose", role: "group" }, ...choose)),
      ...(here ? [made("dl", {}, made("dt", {}, "counts"), made("dd", {}, one.definition), made("dt", {}, "present"), made("dd", {}, one.present), made("dt", {}, "absent"), made("dd", {}, one.absent))] : []));
    if (here) row.setAttribute("aria-current", "true");
    return row;
  }));
  by("items").children[item]?.focus({ preventScroll: true });
  by("items").children[item]?.scrollIntoView({ block: "nearest" });
  const open = items.filter(({ item }) => answers[set.id]?.[item] === undefined).length;
  by("next").textContent = open === 0 ? (nextOpen(data, answers, at) < 0 ? "All sets are answered: press e for the CSV file" : "This set is answered: Enter for the next") : open + (open === 1 ? " question" : " questions") + " of this set open";
}
function give(value) {
  const set = data.sets[at];
  const items = itemsOf(data, at);
  const own = (answers[set.id] ??= {});
  const name = items[item].item;
  if (value === undefined) delete own[name];
  else own[name] = value;
  unsaved = true;
  keep();
  say(items[item].item + ": " + (value === undefined ? "open again" : words[value]));
  if (value !== undefined) {
    const open = items.findIndex((one, number) => number > item && own[one.item] === undefined);
    const any = items.findIndex((one) => own[one.item] === undefined);
    if (open >= 0) item = open;
    else if (any >= 0) item = any;
  }
  draw();
}
function go(to) {
  if (to < 0 || to >= data.sets.length) { say(to < 0 ? "This is the first set." : "This is the last set."); return; }
  at = to;
  item = firstOpen();
  keep();
  draw();
  say("Set " + (at + 1) + ": " + data.sets[at].query);
}
function save() {
  const link = made("a", { href: URL.createObjectURL(new Blob([csvOf(data, expert, answers)], { type: "text/csv" })), download: "labels-" + expert + ".csv" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  unsaved = false;
  say("Saved " + answered() + " of " + total + " answers as labels-" + expert + ".csv");
}
function load(text) {
  const read = answersOf(data, expert, text);
  by("problems").replaceChildren(...read.problems.slice(0, 20).map((problem) => made("li", {}, problem)));
  if (read.problems.length > 0) { say("Nothing was read: " + read.problems.length + (read.problems.length === 1 ? " problem." : " problems.")); return; }
  for (const [set, own] of Object.entries(read.answers)) answers[set] = { ...answers[set], ...own };
  keep();
  item = firstOpen();
  draw();
  say("Read " + read.count + " answers.");
}
const actions = {
  1: () => give("1"), y: () => give("1"), 0: () => give("0"), n: () => give("0"), x: () => give(""), Backspace: () => give(undefined), Delete: () => give(undefined),
  ArrowDown: () => { item = Math.min(item + 1, itemsOf(data, at).length - 1); draw(); }, j: () => actions.ArrowDown(),
  ArrowUp: () => { item = Math.max(item - 1, 0); draw(); }, k: () => actions.ArrowUp(),
  ArrowRight: () => go(at + 1), Enter: () => go(at + 1), ArrowLeft: () => go(at - 1),
  o: () => { const to = nextOpen(data, answers, at); if (to < 0) say("All sets are answered."); else go(to); },
  z: () => { large = !large; draw(); }, e: save, i: () => by("file").click(),
  "?": () => { const help = by("help"); help.open ? help.close() : help.showModal(); },
};
document.addEventListener("keydown", (event) => {
  if (by("work").hidden || event.ctrlKey || event.metaKey || event.altKey) return;
  if (by("help").open && event.key !== "?") return;
  if (event.key === "Enter" && event.target instanceof HTMLButtonElement) return;
  const act = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
  if (act === undefined) return;
  event.preventDefault();
  act();
});
by("file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (file !== undefined) load(await file.text());
  event.target.value = "";
});
for (const [id, key] of Object.entries({ previous: "ArrowLeft", following: "ArrowRight", save: "e", load: "i", keys: "?" })) by(id).addEventListener("click", () => actions[key]());
by("close").addEventListener("click", () => by("help").close());
window.addEventListener("beforeunload", (event) => { if (!keeps && unsaved) event.preventDefault(); });
by("start").addEventListener("submit", (event) => { event.preventDefault(); begin(by("name").value.trim()); });
by("name").value = data.expert ?? stored("touchstone-sheet:" + data.sheet + ":last") ?? "";
by("name").readOnly = data.expert !== undefined;
by("name").focus();
stored("touchstone-sheet");
by("kept").hidden = keeps;
`;
