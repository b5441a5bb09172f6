/* draw.c - graphs as records, as dot and as Mermaid text; paths as text */
#include "graph/draw.h"
#include "graph/graph.h"
#include "base/didyoumean.h"
#include "json/write.h"
#include "stream/stream.h"

static void write_note(struct jw *w, const struct graph_note *n)
{
	if (n->instances.len == 1) {
		jw_member_str(w, "instance", n->instances.items[0]);
		return;
	}
	jw_key(w, "instances");
	jw_array(w);
	for (size_t i = 0; i < n->instances.len; i++)
		jw_str(w, n->instances.items[i]);
	jw_array_end(w);
}

void graph_records(struct stream_out *o, const struct graph *g,
		   const char *phase)
{
	for (size_t i = 0; i < g->nodes.len; i++) {
		const struct graph_node *n = &g->nodes.items[i];
		struct jw w = stream_record(o, "node", n->address);

		jw_member_str(&w, "phase", str_c(phase));
		jw_member_str(&w, "kind", str_c(node_kind_name(n->kind)));
		if (!n->selected)
			jw_member_bool(&w, "selected", false);
		stream_record_end(o, &w);
	}
	for (size_t i = 0; i < g->nodes.len; i++) {
		const struct graph_node *n = &g->nodes.items[i];

		for (uint32_t e = n->first; e != GRAPH_NONE;
		     e = g->edges.items[e].next) {
			const struct graph_edge *edge = &g->edges.items[e];
			struct jw w = stream_record(o, "edge", STR_NONE);
			const struct graph_note *note = graph_noted(g, e);

			jw_member_str(&w, "from", n->address);
			jw_member_str(&w, "to",
				      g->nodes.items[edge->to].address);
			if (note)
				write_note(&w, note);
			jw_member_str(&w, "phase", str_c(phase));
			stream_record_end(o, &w);
		}
	}
}

static void quoted(struct buf *b, struct str s, const char *quote)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '"')
			buf_puts(b, quote);
		else if (s.p[i] == '\\')
			buf_puts(b, "\\\\");
		else
			buf_putc(b, s.p[i]);
	}
}

static const char *dot_shape(enum node_kind k)
{
	switch (k) {
	case NODE_RESOURCE:
	case NODE_DATA:
	case NODE_EPHEMERAL:
	case NODE_ORPHAN:
	case NODE_DEPOSED:
	case NODE_DESTROY:
		return "box";
	case NODE_PROVIDER:
		return "diamond";
	case NODE_MODULE:
	case NODE_MODULE_CLOSE:
		return "folder";
	case NODE_JOIN:
		return "point";
	default:
		return "note";
	}
}

static void noted(struct buf *b, const struct graph_note *n, const char *quote)
{
	for (size_t i = 0; i < n->instances.len; i++) {
		buf_puts(b, i ? ", " : "");
		quoted(b, n->instances.items[i], quote);
	}
}

static void dot_label(struct buf *b, const struct graph_note *n)
{
	if (!n)
		return;
	buf_puts(b, " [label = \"");
	noted(b, n, "\\\"");
	buf_puts(b, "\"]");
}

void graph_dot(struct buf *b, const struct graph *g)
{
	buf_puts(b, "digraph {\n\tcompound = \"true\"\n"
		    "\tnewrank = \"true\"\n");
	for (size_t i = 0; i < g->nodes.len; i++) {
		const struct graph_node *n = &g->nodes.items[i];

		buf_puts(b, "\t\"");
		quoted(b, n->address, "\\\"");
		buf_addf(b, "\" [shape = \"%s\"%s]\n", dot_shape(n->kind),
			 n->selected ? "" : ", style = \"dashed\"");
	}
	for (size_t i = 0; i < g->nodes.len; i++) {
		const struct graph_node *n = &g->nodes.items[i];

		for (uint32_t e = n->first; e != GRAPH_NONE;
		     e = g->edges.items[e].next) {
			buf_puts(b, "\t\"");
			quoted(b, n->address, "\\\"");
			buf_puts(b, "\" -> \"");
			quoted(b, g->nodes.items[g->edges.items[e].to].address,
			       "\\\"");
			buf_puts(b, "\"");
			dot_label(b, graph_noted(g, e));
			buf_putc(b, '\n');
		}
	}
	buf_puts(b, "}\n");
}

static void mermaid_edge(struct buf *b, size_t from, uint32_t to,
			 const struct graph_note *n)
{
	buf_addf(b, "  n%zu -->", from);
	if (n) {
		buf_puts(b, "|\"");
		noted(b, n, "#quot;");
		buf_puts(b, "\"|");
	}
	buf_addf(b, " n%u\n", to);
}

void graph_mermaid(struct buf *b, const struct graph *g)
{
	buf_puts(b, "flowchart LR\n");
	for (size_t i = 0; i < g->nodes.len; i++) {
		const struct graph_node *n = &g->nodes.items[i];

		buf_addf(b, "  n%zu[\"", i);
		quoted(b, n->address, "#quot;");
		buf_puts(b, "\"]\n");
	}
	for (size_t i = 0; i < g->nodes.len; i++)
		for (uint32_t e = g->nodes.items[i].first; e != GRAPH_NONE;
		     e = g->edges.items[e].next)
			mermaid_edge(b, i, g->edges.items[e].to,
				     graph_noted(g, e));
}

/* Keys of instances may hold commas, but in quotes. */
static ptrdiff_t comma_between(struct str pair)
{
	bool quotes = false;

	for (size_t i = 0; i < pair.n; i++) {
		if (pair.p[i] == ',' && !quotes)
			return (ptrdiff_t)i;
		if (pair.p[i] == '"')
			quotes = !quotes;
		else if (pair.p[i] == '\\' && quotes)
			i++;
	}
	return -1;
}

/* module.a["x"].t.b[0] is an instance of module.a.t.b. */
static struct str without_keys(struct arena *a, struct str address)
{
	struct buf b = BUF_INIT;
	bool quotes = false, key = false;

	for (size_t i = 0; i < address.n; i++) {
		char c = address.p[i];

		if (c == '"')
			quotes = !quotes;
		else if (c == '\\' && quotes)
			i++;
		else if (c == '[' && !quotes)
			key = true;
		if (!key)
			buf_putc(&b, c);
		if (c == ']' && !quotes)
			key = false;
	}
	return buf_take(a, &b);
}

/* Configuration objects are nodes, instances only in the graph of an apply: an
 * instance means its object where it is no node. */
static uint32_t named(struct arena *a, const struct graph *g,
		      struct str address, struct diags *ds)
{
	struct str object = without_keys(a, address), near;
	uint32_t n = graph_find(g, address);
	struct str *names;

	if (n == GRAPH_NONE)
		n = graph_find(g, object);
	if (n != GRAPH_NONE)
		return n;
	names = ARENA_ARRAY(a, struct str, g->nodes.len + 1);
	for (size_t i = 0; i < g->nodes.len; i++)
		names[i] = g->nodes.items[i].address;
	near = didyoumean_word(object, names, g->nodes.len);
	diag_error(ds, NULL, "No such object", "The graph has no %.*s.%s%.*s%s",
		   STR_ARG(address), near.n ? " Did you mean " : "",
		   STR_ARG(near), near.n ? "?" : "");
	return GRAPH_NONE;
}

int graph_why_text(struct arena *a, const struct graph *g, struct str pair,
		   struct buf *b, struct diags *ds)
{
	ptrdiff_t comma = comma_between(pair);
	struct graph_path p;
	uint32_t from, to;

	if (comma < 0)
		return diag_error(
			ds, NULL, "Invalid -why option",
			"-why takes two addresses, with a comma between them.");
	from = named(a, g, str_sub(pair, 0, (size_t)comma), ds);
	to = named(a, g, str_sub(pair, (size_t)comma + 1, pair.n), ds);
	if (from == GRAPH_NONE || to == GRAPH_NONE)
		return -1;
	if (graph_why(a, g, from, to, &p)) {
		buf_addf(b, "%.*s does not depend on %.*s\n",
			 STR_ARG(g->nodes.items[from].address),
			 STR_ARG(g->nodes.items[to].address));
		return 1;
	}
	for (size_t i = 0; i < p.len; i++) {
		const struct graph_edge *e = i + 1 < p.len ? p.edges[i] : NULL;

		buf_str(b, g->nodes.items[p.nodes[i]].address);
		if (e && e->why) {
			struct range at =
				source_range(e->why->src, e->why->span);

			buf_addf(b, "  (%.*s:%u,%u)", STR_ARG(at.file),
				 at.start.line, at.start.column);
		} else if (e && e->implied) {
			buf_addf(b, "  (%s)", e->implied);
		}
		buf_putc(b, '\n');
	}
	return 0;
}
