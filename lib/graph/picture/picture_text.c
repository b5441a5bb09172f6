/* picture_text.c - pictures in the languages of Graphviz and Mermaid */
#include "graph/picture/picture_int.h"

static const struct {
	const char *line, *fill;
} colours[PICTURE_ACTIONS] = {
	[PICTURE_UNCHANGED] = { "#8b949e", "#f6f7f9" },
	[PICTURE_READ] = { "#22708c", "#e6f3f7" },
	[PICTURE_CREATE] = { "#1a7f37", "#e9f6ec" },
	[PICTURE_UPDATE] = { "#8f6200", "#fdf6e3" },
	[PICTURE_FORGET] = { "#6e5494", "#f2eef8" },
	[PICTURE_REPLACE] = { "#b3470c", "#fdefe6" },
	[PICTURE_DELETE] = { "#c4322b", "#fdeeed" },
};

/* Calls for the boxes of each cluster, with what begins and ends it: those
 * within lie in it. */
struct form {
	const struct picture *p;
	struct buf *b;
	void (*opens)(const struct form *f, uint32_t module, int depth);
	void (*box)(const struct form *f, uint32_t box, int depth);
	void (*closes)(const struct form *f, int depth);
	/* by module: the boxes and modules in it, in order */
	struct contents {
		VEC(uint32_t) boxes, modules;
	} * in;
};

static void indent(const struct form *f, int depth)
{
	for (int i = 0; i <= depth; i++)
		buf_puts(f->b, "  ");
}

static void put_module(const struct form *f, uint32_t module, int depth)
{
	const struct contents *c = &f->in[module];

	for (size_t i = 0; i < c->boxes.len; i++)
		f->box(f, c->boxes.items[i], depth);
	for (size_t i = 0; i < c->modules.len; i++) {
		f->opens(f, c->modules.items[i], depth);
		put_module(f, c->modules.items[i], depth + 1);
		f->closes(f, depth);
	}
}

static void put_boxes(struct form *f)
{
	const struct picture *p = f->p;

	f->in = ARENA_ARRAY(p->arena, struct contents, p->modules.len);
	for (uint32_t i = 1; i < p->modules.len; i++)
		if (p->modules.items[i].drawn)
			vec_push(p->arena,
				 &f->in[p->modules.items[i].parent].modules, i);
	for (uint32_t i = 0; i < p->boxes.len; i++)
		vec_push(p->arena, &f->in[p->boxes.items[i].module].boxes, i);
	put_module(f, 0, 0);
}

static void put_legend(const struct picture *p, struct buf *b)
{
	const char *between = "";

	for (int i = PICTURE_ACTIONS - 1; i >= 0 && p->planned; i--) {
		if (!p->all.n[i])
			continue;
		buf_addf(b, "%s%u %s", between, p->all.n[i],
			 picture_action_words((enum picture_action)i));
		between = ", ";
	}
	if (p->folds)
		buf_addf(b, "%s%.*s", *between ? ". " : "",
			 STR_ARG(picture_folded_words(p)));
}

static void put_label(const struct picture_box *o, struct buf *b,
		      void (*text)(struct buf *b, struct str s),
		      const char *line)
{
	const char *sign = picture_action_sign(o->action);

	text(b, str_c(sign));
	buf_puts(b, *sign ? " " : "");
	text(b, o->label);
	if (o->more.n) {
		buf_puts(b, line);
		text(b, o->more);
	}
}

/* --- Graphviz --- */

static void dot_text(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '"' || s.p[i] == '\\')
			buf_putc(b, '\\');
		buf_putc(b, s.p[i]);
	}
}

static void dot_opens(const struct form *f, uint32_t module, int depth)
{
	indent(f, depth);
	buf_addf(f->b, "subgraph cluster_%u {\n", module);
	indent(f, depth + 1);
	buf_puts(f->b, "label=\"");
	dot_text(f->b, f->p->modules.items[module].label);
	buf_puts(f->b, "\"\n");
}

static void dot_box(const struct form *f, uint32_t box, int depth)
{
	const struct picture_box *o = &f->p->boxes.items[box];

	indent(f, depth);
	buf_addf(f->b, "n%u [label=\"", box);
	put_label(o, f->b, dot_text, "\\n");
	buf_puts(f->b, "\", tooltip=\"");
	dot_text(f->b, o->title);
	buf_puts(f->b, "\"");
	if (f->p->planned)
		buf_addf(f->b, ", color=\"%s\", fillcolor=\"%s\"",
			 colours[o->action].line, colours[o->action].fill);
	if (!o->managed || !o->selected)
		buf_addf(f->b, ", style=\"%s\"",
			 o->selected ? "rounded,filled"
				     : "rounded,filled,dashed");
	if (o->resources > 1)
		buf_puts(f->b, ", peripheries=2");
	buf_puts(f->b, "]\n");
}

static void dot_closes(const struct form *f, int depth)
{
	indent(f, depth);
	buf_puts(f->b, "}\n");
}

void picture_dot(const struct picture *p, struct buf *b)
{
	struct form f = { .p = p,
			  .b = b,
			  .opens = dot_opens,
			  .box = dot_box,
			  .closes = dot_closes };

	buf_puts(b, "digraph {\n"
		    "  rankdir=LR\n"
		    "  fontname=\"monospace\" fontsize=11\n"
		    "  color=\"#c9ced6\" fontcolor=\"#5d6672\" style=rounded\n"
		    "  node [shape=box style=filled fontname=\"monospace\" "
		    "fontsize=11 color=\"#8b949e\" fillcolor=\"#f6f7f9\"]\n"
		    "  edge [color=\"#8b949e\" arrowsize=0.7]\n");
	if (p->planned || p->folds) {
		buf_puts(b, "  labelloc=t label=\"");
		put_legend(p, b);
		buf_puts(b, "\"\n");
	}
	put_boxes(&f);
	for (size_t i = 0; i < p->edges.len; i++) {
		const struct picture_edge *e = &p->edges.items[i];

		buf_addf(b, "  n%u -> n%u%s\n", e->from, e->to,
			 e->back ? " [style=dashed constraint=false]" : "");
	}
	buf_puts(b, "}\n");
}

/* --- Mermaid --- */

/* All that is a letter to nobody but Mermaid, or to HTML. */
static void mermaid_text(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] && strchr("\"#&;<>`\\*~", s.p[i]))
			buf_addf(b, "#%d;", s.p[i]);
		else
			buf_putc(b, s.p[i]);
	}
}

static void mermaid_opens(const struct form *f, uint32_t module, int depth)
{
	indent(f, depth);
	buf_addf(f->b, "subgraph m%u[\"", module);
	mermaid_text(f->b, f->p->modules.items[module].label);
	buf_puts(f->b, "\"]\n");
}

static void mermaid_box(const struct form *f, uint32_t box, int depth)
{
	const struct picture_box *o = &f->p->boxes.items[box];
	/* Two lines beside each other for what is folded, round for what is
	 * only read. */
	const char *open = o->resources > 1 ? "[[\""
			   : o->managed     ? "[\""
					    : "(\"";
	const char *close = o->resources > 1 ? "\"]]"
			    : o->managed     ? "\"]"
					     : "\")";

	indent(f, depth);
	buf_addf(f->b, "n%u%s", box, open);
	put_label(o, f->b, mermaid_text, "<br>");
	buf_puts(f->b, close);
	if (!o->selected)
		buf_puts(f->b, ":::out");
	else if (f->p->planned)
		buf_addf(f->b, ":::%s", picture_action_class(o->action));
	buf_putc(f->b, '\n');
}

static void mermaid_closes(const struct form *f, int depth)
{
	indent(f, depth);
	buf_puts(f->b, "end\n");
}

void picture_mermaid(const struct picture *p, struct buf *b)
{
	struct form f = { .p = p,
			  .b = b,
			  .opens = mermaid_opens,
			  .box = mermaid_box,
			  .closes = mermaid_closes };

	if (p->planned || p->folds) {
		buf_puts(b, "---\ntitle: \"");
		put_legend(p, b);
		buf_puts(b, "\"\n---\n");
	}
	buf_puts(b, "flowchart LR\n");
	put_boxes(&f);
	for (size_t i = 0; i < p->edges.len; i++) {
		const struct picture_edge *e = &p->edges.items[i];

		buf_addf(b, "  n%u %s n%u\n", e->from, e->back ? "-.->" : "-->",
			 e->to);
	}
	buf_puts(b, "  classDef out stroke-dasharray:4 3\n");
	for (int i = 0; i < PICTURE_ACTIONS && p->planned; i++)
		if (p->all.n[i])
			buf_addf(b,
				 "  classDef %s stroke:%s,stroke-width:2px\n",
				 picture_action_class((enum picture_action)i),
				 colours[i].line);
}
