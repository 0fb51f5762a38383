// The source view of the report's page; report.js, which comes behind in the same script, has the elements and the data.
const CONTEXT = 3;
const REVEAL = 200;
const HUNKS = 80;

// Sources: CUDA left, HIP right, findings below their line.
const sources = new Map();

function source(index) {
  let found = sources.get(index);
  if (!found) {
    const raw = JSON.parse($(`source-${index}`).textContent);
    const starts = new Map();
    let shift = 0;
    const hunks = raw.hunks.map(([line, count, output]) => {
      const hunk = { line, count, output, outputLine: line + shift };
      shift += output.length - count;
      starts.set(line, hunk);
      return hunk;
    });
    const notes = grouped(byFile[index], (finding) => Math.min(Math.max(finding.line, 1), Math.max(raw.lines, 1)));
    found = { lines: raw.lines, pieces: raw.pieces, hunks, starts, notes };
    sources.set(index, found);
  }
  return found;
}

function lineOf(text, number) {
  for (const [first, lines] of text.pieces) if (number >= first && number < first + lines.length) return lines[number - first];
  return null;
}

function spans(text, only) {
  const wanted = only ? [[only.line, only.endLine + 1]] : [...text.hunks.map((h) => [h.line, h.line + h.count]), ...[...text.notes.keys()].map((l) => [l, l + 1])];
  wanted.sort((a, b) => a[0] - b[0]);
  const out = [];
  for (const [first, stop] of wanted) {
    const span = widened(text, [Math.max(1, first - CONTEXT), Math.min(text.lines + 1, stop + CONTEXT)]);
    const last = out[out.length - 1];
    if (last && span[0] <= last[1]) last[1] = Math.max(last[1], span[1]);
    else out.push(span);
  }
  return out.length ? out : [[1, Math.min(text.lines + 1, 20)]];
}

// The first hunk that ends behind a line.
function firstBehind(hunks, line) {
  let low = 0;
  let high = hunks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (hunks[middle].line + hunks[middle].count > line) high = middle;
    else low = middle + 1;
  }
  return low;
}

// No span may end inside a hunk, whose lines stand against others.
function widened(text, [first, stop]) {
  for (let at = firstBehind(text.hunks, first); at < text.hunks.length && text.hunks[at].line < stop; at += 1) {
    const hunk = text.hunks[at];
    if (hunk.line < first && hunk.line + hunk.count > first) first = hunk.line;
    if (hunk.line + hunk.count > stop) stop = hunk.line + hunk.count;
  }
  return [first, stop];
}

function shiftAt(text, line) {
  let shift = 0;
  for (const hunk of text.hunks) {
    if (hunk.line + hunk.count > line && !(hunk.count === 0 && hunk.line < line)) break;
    shift += hunk.output.length - hunk.count;
  }
  return shift;
}

function sourceView(index, only = null) {
  const text = source(index);
  const body = el("tbody");
  const head = el("thead", el("tr", el("th"), el("th", "CUDA"), el("th"), el("th", "HIP")));
  const table = el("table.source", head, body);
  const list = spans(text, only);
  let next = 1;
  const more = (limit) => {
    for (const [first, stop] of list.splice(0, limit)) {
      if (!only && first > next) body.append(gap(text, next, first, only));
      body.append(...lineRows(text, first, stop, only));
      next = stop;
    }
    if (list.length) body.append(wide(button(`${plural(list.length, "more place")} in this file`, (event) => { event.target.closest("tr").remove(); more(HUNKS); })));
    else if (!only && next <= text.lines) body.append(gap(text, next, text.lines + 1, only));
  };
  more(HUNKS);
  return table;
}

function wide(...children) {
  const cell = el("td", ...children);
  cell.colSpan = 4;
  return el("tr.wide", cell);
}

// Lines that are left out, until somebody asks for them.
function gap(text, first, stop, only) {
  const known = text.pieces.some(([start, lines]) => first >= start && stop <= start + lines.length);
  if (!known) return wide(`${plural(stop - first, "line")} not kept in this report`);
  return wide(button(`${plural(stop - first, "line")} without changes`, (event) => {
    const node = event.target.closest("tr");
    const middle = Math.min(stop, first + REVEAL);
    node.before(...lineRows(text, first, middle, only));
    if (middle < stop) node.before(gap(text, middle, stop, only));
    node.remove();
  }));
}

function lineRows(text, first, stop, only) {
  const rows = [];
  let shift = shiftAt(text, first);
  for (let line = first; line < stop;) {
    const hunk = text.starts.get(line);
    if (!hunk) {
      rows.push(pair(text, line, line + shift, lineOf(text, line), null), ...noteRows(text, line, only));
      line += 1;
      continue;
    }
    for (let step = 0; step < Math.max(hunk.count, hunk.output.length); step += 1) {
      const has = step < hunk.count;
      rows.push(pair(text, has ? line + step : 0, step < hunk.output.length ? hunk.outputLine + step : 0, has ? lineOf(text, line + step) : "", hunk.output[step] ?? ""));
      if (has) rows.push(...noteRows(text, line + step, only));
    }
    shift += hunk.output.length - hunk.count;
    if (hunk.count === 0) {
      rows.push(pair(text, line, line + shift, lineOf(text, line), null), ...noteRows(text, line, only));
      line += 1;
    }
    line += hunk.count;
  }
  return rows;
}

function pair(text, line, outputLine, input, output) {
  const changed = output !== null;
  const cell = marked(input ?? "", line ? text.notes.get(line) ?? [] : []);
  const node = el(changed ? "tr.changed" : "tr.same", el("th", line ? String(line) : ""), el("td.cuda", cell), el("th", outputLine ? String(outputLine) : ""), el("td.hip", changed ? output : input ?? ""));
  if (changed && !outputLine) node.classList.add("gone");
  if (changed && !line) node.classList.add("added");
  return node;
}

// The line's text with the spots of its findings marked.
function marked(text, notes) {
  const fragment = document.createDocumentFragment();
  let at = 0;
  for (const note of [...notes].sort((a, b) => a.start - b.start)) {
    const start = Math.max(at, Math.min(note.start, text.length));
    const end = Math.min(text.length, note.endLine === note.line ? Math.max(note.end, note.start + 1) : text.length);
    if (end <= start) continue;
    fragment.append(text.slice(at, start), el(`mark.${note.severity}`, text.slice(start, end)));
    at = end;
  }
  fragment.append(text.slice(at));
  return fragment;
}

function noteRows(text, line, only) {
  if (only) return [];
  return (text.notes.get(line) ?? []).filter((note) => fits(note)).map((note) => {
    const node = el("details", el("summary", badge(note.severity), el("code.id", note.id), el("span.message", note.message)), ...advice(note));
    const tr = wide(node);
    tr.classList.add("note", note.severity);
    return tr;
  });
}
