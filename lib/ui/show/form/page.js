"use strict";
/* Whatever the plan says becomes text nodes: nothing here reads markup. */
(() => {
const plan = JSON.parse(document.getElementById("plan").textContent);
const CHUNK = 100, NODES = 250, SMALL = 60;
const paints = { g: "add", r: "remove", y: "change" };

function make(name, attrs, ...kids) {
	const e = document.createElement(name);
	for (const k in attrs) e.setAttribute(k, attrs[k]);
	e.append(...kids);
	return e;
}

function svg(name, attrs, ...kids) {
	const e = document.createElementNS("http://www.w3.org/2000/svg", name);
	for (const k in attrs) e.setAttribute(k, attrs[k]);
	e.append(...kids);
	return e;
}

/* \u0001 and a letter begin a colour, \u00010 ends it. */
function plain(text) { return text.replace(/\u0001./g, ""); }

function line(text) {
	const row = make("span", { class: "row" });
	const first = /^ *\u0001([gry])[-+~]\u00010(?!\/)/.exec(text);
	if (first) row.classList.add(paints[first[1]]);
	let paint = "";
	text.split("\u0001").forEach((part, i) => {
		if (i) {
			paint = part[0] === "0" ? "" : part[0] === "1" ? "b" : part[0];
			part = part.slice(1);
		}
		if (part) row.append(paint ? make("span", { class: paint }, part) : part);
	});
	row.append("\n");
	return row;
}

function diff(text) { return make("pre", {}, ...text.split("\n").map(line)); }

/* What is within is made when it is opened for the first time. */
function lazy(details, fill) {
	details.addEventListener("toggle", () => {
		if (details.open && fill) { const f = fill; fill = null; f(); }
	});
	return details;
}

/* Adds the items as they come into view, a chunk at a time. */
function pour(into, n, add) {
	let next = 0;
	const end = make("div", {});
	const more = () => {
		const part = document.createDocumentFragment();
		for (const stop = Math.min(n, next + CHUNK); next < stop; next++) add(part, next);
		end.before(part);
		if (next >= n) { seen.disconnect(); end.remove(); }
	};
	const seen = new IntersectionObserver(es => {
		if (es.some(e => e.isIntersecting)) {
			more();
			if (next < n) { seen.unobserve(end); seen.observe(end); }
		}
	}, { rootMargin: "800px" });
	into.append(end);
	more();
	if (next < n) seen.observe(end);
	return () => seen.disconnect();
}

function head(sign, rank, name, said) {
	const text = make("span", {}, name);
	if (said) text.append(make("span", { class: "said" }, said));
	return make("summary", {}, make("span", { class: "sign r" + rank }, sign), text);
}

function entry(m, sign, rank, said) {
	const d = make("details", {}, head(sign, rank, m[0], said));
	return lazy(d, () => d.append(diff(m[1])));
}

function fold(f) {
	if (f.members.length === 1) return entry(f.members[0], f.sign, f.rank, f.said);
	const d = make("details", {}, head(f.sign, f.rank, f.address, f.said));
	return lazy(d, () => {
		const box = make("div", { class: "members" });
		d.append(box);
		pour(box, f.members.length, (to, i) => to.append(entry(f.members[i], f.sign, f.rank)));
	});
}

/* --- the list, searched --- */

const list = make("div", { id: "changes" }), count = make("div", { class: "count", role: "status" });
const search = make("input", { type: "search", placeholder: "Search addresses and values", "aria-label": "Search" });
let ranks = new Set(), stop = () => {};

function haystack(f) {
	if (f.hay === undefined)
		f.hay = [f.address, f.said, ...f.members.flatMap(m => [m[0], plain(m[1])])].join("\n").toLowerCase();
	return f.hay;
}

function matches(f, words) {
	if (ranks.size && !ranks.has(f.rank)) return false;
	return words.every(w => haystack(f).includes(w));
}

function show() {
	const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
	const found = plan.changes.filter(f => matches(f, words));
	const n = found.reduce((sum, f) => sum + f.members.length, 0);
	stop();
	list.replaceChildren();
	count.textContent = words.length || ranks.size ? n + (n === 1 ? " change" : " changes") + " found" : "";
	if (!n) list.append(make("p", { class: "empty" }, plan.changes.length ? "Nothing found." : "No resource changes."));
	stop = pour(list, found.length, (to, i) => {
		const f = found[i], last = found[i - 1];
		if (!last || last.place !== f.place) to.append(make("h3", {}, f.place || "root module"));
		if (!last || last.place !== f.place || last.type !== f.type) to.append(make("h4", { class: "mono" }, f.type));
		to.append(fold(f));
	});
}

/* --- the graph --- */

/* Edges between resources alone: what is between them is gone through. */
function contracted() {
	const out = plan.nodes.map(() => []), kept = [], near = new Map();
	for (let i = 0; i < plan.edges.length; i += 2) out[plan.edges[i]].push(plan.edges[i + 1]);
	plan.nodes.forEach((n, i) => { if (n[1]) kept.push(i); });
	kept.sort((a, b) => (plan.nodes[b][2] >= 0) - (plan.nodes[a][2] >= 0));
	const drawn = new Set(kept.slice(0, NODES));
	for (const from of drawn) {
		const seen = new Set([from]), reach = new Set(), todo = [...out[from]];
		while (todo.length) {
			const i = todo.pop();
			if (seen.has(i)) continue;
			seen.add(i);
			if (drawn.has(i)) reach.add(i); else todo.push(...out[i]);
		}
		near.set(from, reach);
	}
	return { near, left: kept.length - drawn.size };
}

/* Takes away what another way says as well, and finds the longest ways. */
function layered(near) {
	const depth = new Map(), below = new Map(), open = new Set();
	const visit = i => {
		if (depth.has(i) || open.has(i)) return;
		open.add(i);
		let d = 0;
		const all = new Set();
		for (const k of near.get(i)) {
			visit(k);
			d = Math.max(d, (depth.get(k) ?? -1) + 1);
			for (const far of below.get(k) ?? []) all.add(far);
		}
		for (const k of [...near.get(i)]) if (all.has(k)) near.get(i).delete(k);
		for (const k of near.get(i)) all.add(k);
		below.set(i, all);
		depth.set(i, d);
		open.delete(i);
	};
	for (const i of near.keys()) visit(i);
	return depth;
}

/* Columns by depth; within one, what leads to the same lies together. */
function arranged(near, depth) {
	const columns = [], at = new Map();
	for (const [i, d] of depth) (columns[d] ??= []).push(i);
	columns.forEach((c, d) => {
		const middle = i => {
			const ys = [...near.get(i)].map(k => at.get(k) ?? 0);
			return ys.length ? ys.reduce((a, b) => a + b, 0) / ys.length : Infinity;
		};
		c.sort((a, b) => d && middle(a) - middle(b) || (plan.nodes[a][0] < plan.nodes[b][0] ? -1 : 1));
		c.forEach((i, y) => at.set(i, y));
	});
	return columns;
}

function draw(box) {
	const { near, left } = contracted(), depth = layered(near), columns = arranged(near, depth);
	const place = new Map(), high = 26, gap = 10, wide = 60;
	let x = 4, bottom = 0;
	for (const c of columns) {
		const w = Math.max(...c.map(i => plan.nodes[i][0].length)) * 7.25 + 18;
		c.forEach((i, y) => place.set(i, { x, y: 4 + y * (high + gap), w }));
		bottom = Math.max(bottom, c.length * (high + gap));
		x += w + wide;
	}
	const s = svg("svg", { width: x - wide + 4, height: bottom + 4, role: "img", "aria-label": "Graph of resources" });
	for (const [from, tos] of near)
		for (const to of tos) {
			const a = place.get(to), b = place.get(from), ax = a.x + a.w, ay = a.y + high / 2, by = b.y + high / 2;
			s.append(svg("path", { d: `M${ax},${ay} C${ax + wide / 2},${ay} ${b.x - wide / 2},${by} ${b.x},${by}` }));
		}
	for (const [i, p] of place) {
		const [name, , rank] = plan.nodes[i];
		s.append(svg("g", rank < 0 ? {} : { class: "changed r" + rank },
			svg("title", {}, name + (rank < 0 ? ": as it is" : ": " + plan.ranks[rank])),
			svg("rect", { x: p.x, y: p.y, width: p.w, height: high }),
			svg("text", { x: p.x + 9, y: p.y + 17 }, name)));
	}
	box.append(make("div", { class: "graph", tabindex: 0 }, s));
	if (left) box.append(make("p", { class: "count" }, left + " more resources are not drawn; those that change come first."));
}

/* --- the page --- */

function notes() {
	return plan.notes.map(n => make("div", { class: "note" }, n)).concat(plan.diags.map(([error, summary, detail, more, place]) => make("div", { class: error ? "note error" : "note" },
		(error ? "Error: " : "Warning: ") + summary + place + (more ? ` (and ${more} alike)` : ""), make("p", {}, detail))));
}

function bar() {
	const b = make("div", { class: "bar" }, search);
	plan.ranks.forEach((words, r) => {
		const n = plan.changes.reduce((sum, f) => sum + (f.rank === r ? f.members.length : 0), 0);
		if (!n) return;
		const button = make("button", { type: "button", "aria-pressed": "false" },
			make("span", { class: "r" + r }, String(n)), " " + words);
		button.addEventListener("click", () => {
			if (!ranks.delete(r)) ranks.add(r);
			button.setAttribute("aria-pressed", String(ranks.has(r)));
			show();
		});
		b.append(button);
	});
	b.append(count);
	return b;
}

function section(title, ...kids) { document.body.append(make("h2", {}, title), ...kids); }

let timer = 0;
search.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(show, 80); });
document.body.append(make("h1", {}, plan.head), ...notes());
if (plan.changes.length) document.body.append(bar(), list);
show();
if (plan.outputs.length) section("Outputs", diff(plan.outputs.map(o => o[1]).join("\n")));
if (plan.drift.length) section("Changed outside", ...plan.drift.map(fold));
if (plan.found) section("Stored otherwise than the state has it", diff(plan.found));
if (plan.nodes.some(n => n[1])) {
	const d = make("details", { id: "graph" }, make("summary", {}, make("span", {}), "Resources and what they depend on"));
	section("Graph", lazy(d, () => draw(d)));
	d.open = plan.nodes.filter(n => n[1]).length <= SMALL;
} else if (plan.undrawn) {
	section("Graph", make("p", { class: "count" }, `Its ${plan.undrawn} nodes and edges are too many to draw.`));
}
document.documentElement.dataset.ready = "yes";
})();
