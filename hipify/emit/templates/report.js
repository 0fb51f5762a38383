// The page's script. Rows are built when they come into view of a person: the lists in steps, a row's inside when it is
// opened, a source's lines around what matters first.
performance.mark("report-start");
const SEVERITY = ["", "note", "warning", "error"];
const EFFORT = ["none", "low", "medium", "high"];
const STEP = 100;
const $ = (id) => document.getElementById(id);

const data = JSON.parse($("data").textContent);
const files = data.files;
const findings = data.findings.map((row, index) => ({
  index, file: row[0], id: row[1], severity: SEVERITY[row[2]], line: row[3], start: row[4], endLine: row[5], end: row[6],
  outputLine: row[7], message: row[8], why: data.texts[row[9]], fix: data.texts[row[10]], clang: row[11] === 1, text: "",
}));
const byFile = files.map(() => []);
for (const finding of findings) byFile[finding.file].push(finding);

const state = { tab: "files", words: [], severities: new Set(SEVERITY.slice(1)), family: "", id: "", effort: "", file: -1, order: "work" };

// Elements: el("p.note", "text", other, ...) makes them; text is never read as HTML.
function el(spec, ...children) {
  const [tag, ...classes] = spec.split(".");
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  node.append(...children.filter((child) => child !== null));
  return node;
}

function button(text, action, classes = "link") {
  const node = el("button", text);
  node.type = "button";
  node.className = classes;
  node.addEventListener("click", action);
  return node;
}

const plural = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
const place = (finding) => `${files[finding.file].path}:${finding.line}`;
const familyOf = (id) => id.slice(3, 4);

function grouped(list, key) {
  const groups = new Map();
  for (const item of list) {
    const name = key(item);
    if (groups.has(name)) groups.get(name).push(item);
    else groups.set(name, [item]);
  }
  return groups;
}

// Filtering.
const onlyFiles = () => !state.family && !state.id && state.severities.size === 3;
const fileFits = (index) => (state.effort === "" || EFFORT[files[index].effort] === state.effort) && (state.file < 0 || state.file === index);

function textOf(finding) {
  if (!finding.text) {
    const title = data.kinds[finding.id]?.title ?? "";
    finding.text = `${place(finding)} ${finding.id} ${finding.severity} ${finding.message} ${title}`.toLowerCase();
  }
  return finding.text;
}

function fits(finding) {
  return state.severities.has(finding.severity)
    && (!state.family || familyOf(finding.id) === state.family)
    && (!state.id || finding.id === state.id)
    && fileFits(finding.file)
    && state.words.every((word) => textOf(finding).includes(word));
}

function select() {
  const chosen = findings.filter(fits);
  const touched = new Set(chosen.map((finding) => finding.file));
  const shown = files.map((_, index) => index).filter((index) => touched.has(index)
    || (onlyFiles() && fileFits(index) && state.words.every((word) => files[index].path.toLowerCase().includes(word))));
  if (state.order === "work") shown.sort((a, b) => files[b].effort - files[a].effort || files[b].points - files[a].points || a - b);
  else shown.sort((a, b) => (files[a].path < files[b].path ? -1 : files[a].path > files[b].path ? 1 : 0));
  const kinds = grouped(chosen, (finding) => finding.id);
  if (state.order === "work") {
    const rank = new Map(shown.map((file, at) => [file, at]));
    chosen.sort((a, b) => rank.get(a.file) - rank.get(b.file) || a.index - b.index);
  }
  return { files: shown, findings: chosen, kinds: [...kinds.entries()].sort((a, b) => b[1].length - a[1].length) };
}

// Rows: a <details> whose inside is built when it is opened first.
function row(kind, summary, build) {
  const node = el(`details.row.${kind}`, el("summary", ...summary));
  node.fill = () => {
    node.fill = null;
    node.append(el("div.inside", ...build()));
  };
  node.addEventListener("toggle", () => { if (node.open && node.fill) node.fill(); });
  return node;
}

const badge = (severity, text = severity) => el(`span.badge.${severity}`, text);

function tally(list) {
  const counts = { error: 0, warning: 0, note: 0 };
  for (const finding of list) counts[finding.severity] += 1;
  return Object.entries(counts).filter(([, number]) => number).map(([severity, number]) => badge(severity, `${number} ${severity}${number === 1 ? "" : "s"}`));
}

function fileRow(index) {
  const file = files[index];
  const effort = EFFORT[file.effort];
  const share = file.references ? `${Math.floor((100 * file.converted) / file.references)} %` : "";
  const summary = [
    el("span.path", file.path), ...tally(byFile[index]),
    file.error ? badge("error", "failed") : null,
    share ? el("span.share", share) : null,
    el(`span.badge.effort.${effort}`, effort === "none" ? "no effort" : `${effort} effort`),
  ];
  return row("file", summary, () => fileInside(index));
}

function fileInside(index) {
  const file = files[index];
  const parts = [];
  if (file.error) parts.push(el("p.error", file.error));
  const facts = [plural(file.lines, "line"), file.references ? `${file.converted} of ${plural(file.references, "reference")} ported` : "no CUDA references"];
  if (file.output && file.output !== file.path) facts.push(`written to ${file.output}`);
  parts.push(el("p.facts", facts.join(" · ")));
  parts.push(el("p.facts", `Effort ${EFFORT[file.effort]}${file.reasons.length ? ": " : ": no error and no warning is left"}${file.reasons.join("; ")}`));
  if ($(`source-${index}`)) parts.push(sourceView(index));
  return parts;
}

function findingRow(finding) {
  const summary = [badge(finding.severity), el("code.id", finding.id), el("span.message", finding.message), el("span.path", place(finding))];
  return row("finding", summary, () => {
    const parts = [...advice(finding)];
    if ($(`source-${finding.file}`)) parts.push(sourceView(finding.file, finding));
    parts.push(el("p", button("Show the file", () => choose("file", finding.file, "files"))));
    return parts;
  });
}

function advice(finding) {
  const parts = [];
  for (const [label, text] of [["Why", finding.why], ["What to do", finding.fix]]) if (text) parts.push(el("p", el("b", `${label}: `), text));
  parts.push(el("p.facts", `Input line ${finding.line}, output line ${finding.outputLine || finding.line}; seen by ${finding.clang ? "clang" : "the tokens alone"}`));
  return parts;
}

function kindRow([id, list]) {
  const kind = data.kinds[id];
  return row("kind", [el("code.id", id), el("span.message", kind.title), ...tally(list)], () => {
    const parts = [el("p.facts", kind.family)];
    for (const [label, text] of [["Why", kind.why], ["What to do", kind.fix]]) if (text) parts.push(el("p", el("b", `${label}: `), text));
    for (const [label, code] of [["CUDA that gives it", kind.before], ["HIP instead", kind.after]]) if (code) parts.push(el("p", el("b", label)), el("pre", code.trim()));
    const counts = grouped(list, (finding) => finding.file);
    const entries = [...counts.entries()].sort((a, b) => b[1].length - a[1].length).slice(0, 50);
    parts.push(el("ul.places", ...entries.map(([file, { length: number }]) => el("li", button(files[file].path, () => { state.id = id; choose("file", file, "files"); }), ` ${number}`))));
    if (counts.size > 50) parts.push(el("p.facts", `and ${plural(counts.size - 50, "more file")}`));
    return parts;
  });
}

// The lists.
let current = select();
const LISTS = {
  files: { items: () => current.files, make: fileRow, noun: "file" },
  findings: { items: () => current.findings, make: findingRow, noun: "finding" },
  kinds: { items: () => current.kinds, make: kindRow, noun: "kind" },
};

function show() {
  const panel = $("panel");
  const { items, make, noun } = LISTS[state.tab];
  panel.replaceChildren();
  panel.setAttribute("aria-labelledby", `tab-${state.tab}`);
  for (const name of Object.keys(LISTS)) {
    const tab = $(`tab-${name}`);
    tab.setAttribute("aria-selected", String(name === state.tab));
    tab.tabIndex = name === state.tab ? 0 : -1;
    tab.querySelector("b").textContent = LISTS[name].items().length.toLocaleString("en");
  }
  const list = items();
  $("status").textContent = `${plural(current.files.length, "file")}, ${plural(current.findings.length, "finding")}`;
  if (!list.length) panel.append(el("p.empty", `No ${noun} fits. `, findings.length + files.length ? button("Clear the filters", clear) : ""));
  if (state.file >= 0) panel.append(el("p.facts", `Only ${files[state.file].path} `, button("Show all files", () => { state.file = -1; refresh(); })));
  extend(panel, list, make, noun, 0, STEP);
  if (state.file >= 0 && state.tab === "files") panel.querySelector("details.file")?.setAttribute("open", "");
}

function extend(panel, list, make, noun, from, limit) {
  const stop = Math.min(list.length, from + limit);
  panel.append(...list.slice(from, stop).map(make));
  if (stop === list.length) return;
  const more = button(`Show more (${plural(list.length - stop, noun)} left)`, () => {
    const before = panel.querySelectorAll(":scope > details").length;
    more.remove();
    extend(panel, list, make, noun, stop, 2 * limit);
    panel.querySelectorAll(":scope > details > summary")[before]?.focus();
  }, "more");
  panel.append(more);
}

function refresh() {
  current = select();
  for (const [key, value] of [["family", state.family], ["id", state.id], ["effort", state.effort], ["order", state.order]]) $(key).value = value;
  for (const box of $("severities").querySelectorAll("input")) box.checked = state.severities.has(box.value);
  show();
}

function clear() {
  Object.assign(state, { words: [], severities: new Set(SEVERITY.slice(1)), family: "", id: "", effort: "", file: -1 });
  $("search").value = "";
  refresh();
}

function choose(key, value, tab = state.tab) {
  if (key === "severity") state.severities = new Set([value]);
  else state[key] = key === "file" ? Number(value) : value;
  state.tab = tab;
  refresh();
  $("panel").scrollIntoView({ block: "start" });
  $("panel").querySelector("summary")?.focus({ preventScroll: true });
}

// What people do.
function readSearch() {
  state.words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  refresh();
}

let waiting = 0;
$("search").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(readSearch, 80); });
$("filters").addEventListener("submit", (event) => { event.preventDefault(); readSearch(); });
$("filters").addEventListener("reset", (event) => { event.preventDefault(); clear(); });
for (const key of ["family", "id", "effort", "order"]) $(key).addEventListener("change", (event) => { state[key] = event.target.value; refresh(); });
$("severities").addEventListener("change", () => {
  state.severities = new Set([...$("severities").querySelectorAll("input:checked")].map((box) => box.value));
  refresh();
});
document.addEventListener("click", (event) => {
  const node = event.target.closest("[data-filter]");
  if (!node) return;
  const key = node.dataset.filter;
  choose(key, node.dataset.value, key === "file" || key === "effort" ? "files" : "findings");
});
for (const name of Object.keys(LISTS)) $(`tab-${name}`).addEventListener("click", () => { state.tab = name; show(); });

function move(step) {
  const rows = [...$("panel").querySelectorAll(":scope > details > summary, :scope > .more")];
  const inside = document.activeElement.closest("#panel > details")?.querySelector("summary");
  const at = rows.indexOf(inside ?? document.activeElement);
  rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))]?.focus();
}

function jump(step) {
  const notes = [...$("panel").querySelectorAll("tr.note summary")].filter((node) => node.checkVisibility?.() ?? true);
  const at = notes.indexOf(document.activeElement);
  const next = notes[at < 0 ? 0 : (at + step + notes.length) % notes.length];
  next?.focus();
  next?.scrollIntoView({ block: "center" });
}

const KEYS = {
  "/": () => $("search").focus(), "?": () => $("help").showModal(),
  1: () => $("tab-files").click(), 2: () => $("tab-findings").click(), 3: () => $("tab-kinds").click(),
  j: () => move(1), k: () => move(-1), n: () => jump(1), p: () => jump(-1), Escape: clear,
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
  const target = event.target;
  if (target.matches("input[type=search]") && event.key === "Escape") { event.preventDefault(); target.blur(); return; }
  if (target.matches("input[type=search], select, textarea")) return;
  const order = Object.keys(LISTS);
  if (target.matches("[role=tab]") && ["ArrowLeft", "ArrowRight"].includes(event.key)) {
    const at = order.indexOf(state.tab) + (event.key === "ArrowRight" ? 1 : order.length - 1);
    state.tab = order[at % order.length];
    show();
    $(`tab-${state.tab}`).focus();
  } else if (KEYS[event.key]) {
    event.preventDefault();
    KEYS[event.key]();
  }
});
$("help-open").addEventListener("click", () => $("help").showModal());

// Colours: what the system says, or what was chosen here.
const THEMES = ["auto", "light", "dark"];
function setTheme(name) {
  document.documentElement.dataset.theme = name;
  $("theme").textContent = `Theme: ${name}`;
  try { localStorage.setItem("hipify-theme", name); } catch { /* a page from a file may have no storage */ }
}
let saved = null;
try { saved = localStorage.getItem("hipify-theme"); } catch { /* as above */ }
setTheme(THEMES.includes(saved) ? saved : "auto");
$("theme").addEventListener("click", () => setTheme(THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % 3]));

// Paper shows the whole list of the chosen view.
window.addEventListener("beforeprint", () => {
  for (let more; (more = $("panel").querySelector(":scope > .more"));) more.click();
});

for (const [id, kind] of Object.entries(data.kinds)) $("id").append(new Option(`${id} ${kind.title}`, id));
const families = new Map(Object.entries(data.kinds).map(([id, kind]) => [familyOf(id), kind.family]));
for (const [digit, name] of families) $("family").append(new Option(name, digit));
show();
performance.mark("report-ready");
performance.measure("report", "report-start", "report-ready");
