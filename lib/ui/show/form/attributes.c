/* attributes.c - the attributes that change, each a line; see form_int.h */
#include "addr/addr.h"
#include "json/write.h"
#include "ui/show/form/form_int.h"

struct walk {
	struct arena *a;
	struct leaf_vec *out;
	bool show_sensitive;
	bool to_unknown; /* what is gone is in something that becomes unknown */
	struct buf path;
};

static const char UNKNOWN[] = "unknown", SENSITIVE[] = "sensitive",
		  ABSENT[] = "absent", WRITE_ONLY[] = "write-only";

static struct str word(struct walk *w, const struct json *j)
{
	struct buf b = BUF_INIT;
	struct jw jw = JW_INIT(&b);

	if (!j)
		return STR("null");
	if (j->kind == JSON_STRING)
		json_quote(&b, j->text);
	else
		jw_json(&jw, j);
	return buf_take(w->a, &b);
}

static void put(struct walk *w, struct str was, struct str is)
{
	struct leaf l = { buf_dup(w->a, &w->path), was, is, false };

	if (w->to_unknown && str_is(is, ABSENT))
		l.is = str_c(UNKNOWN);
	l.unknown = str_is(l.is, UNKNOWN);
	vec_push(w->a, w->out, l);
}

static void walk(struct walk *w, const struct diff *d);

/* What was there, or will be, of a value of which no more is said. */
static void put_hidden(struct walk *w, enum diff_action act, const char *said)
{
	put(w, str_c(act == DIFF_CREATE ? ABSENT : said),
	    str_c(act == DIFF_DELETE ? ABSENT : said));
}

static void walk_primitive(struct walk *w, const struct diff *d)
{
	put(w, d->action == DIFF_CREATE ? str_c(ABSENT) : word(w, d->before),
	    d->action == DIFF_DELETE ? str_c(ABSENT) : word(w, d->after));
}

/* Does the path have a value that changes only in that it is hidden? */
static void walk_sensitive(struct walk *w, const struct diff *d)
{
	if (w->show_sensitive && d->inner->action != DIFF_NOOP)
		walk(w, d->inner);
	else
		put_hidden(w, d->action, SENSITIVE);
}

/* Each part of what was there becomes unknown. */
static void walk_unknown(struct walk *w, const struct diff *d)
{
	const bool around = w->to_unknown;
	const size_t before = w->out->len;

	w->to_unknown = true;
	if (d->inner)
		walk(w, d->inner);
	w->to_unknown = around;
	if (w->out->len == before)
		put(w, str_c(d->action == DIFF_CREATE ? ABSENT : "null"),
		    str_c(UNKNOWN));
}

static void walk_type_change(struct walk *w, const struct diff *d)
{
	if (d->inner->kind == DIFF_PRIMITIVE &&
	    d->inner_after->kind == DIFF_PRIMITIVE) {
		put(w, word(w, d->inner->before),
		    word(w, d->inner_after->after));
		return;
	}
	walk(w, d->inner);
	walk(w, d->inner_after);
}

static void walk_named(struct walk *w, const struct diff *d)
{
	const size_t at = w->path.len;

	for (size_t i = 0; i < d->nchildren; i++) {
		addr_attr_name(&w->path, d->children[i].key);
		walk(w, d->children[i].diff);
		buf_set_len(&w->path, at);
	}
}

/* One value instead of another is one line. */
static bool takes_place(const struct diff *gone, const struct diff *made)
{
	return gone->kind == DIFF_PRIMITIVE && gone->action == DIFF_DELETE &&
	       made->kind == DIFF_PRIMITIVE && made->action == DIFF_CREATE;
}

/* Elements are numbered as they are after the change; those that go, as they
 * were. */
static void walk_items(struct walk *w, const struct diff_child *items, size_t n,
		       bool set)
{
	const size_t at = w->path.len;
	size_t was = 0, is = 0;

	for (size_t i = 0; i < n; i++) {
		const struct diff *d = items[i].diff;

		if (!set && was == is && i + 1 < n &&
		    takes_place(d, items[i + 1].diff)) {
			const struct diff *next = items[++i].diff;

			addr_attr_index(&w->path, is);
			put(w, word(w, d->before), word(w, next->after));
			buf_set_len(&w->path, at);
			was++;
			is++;
			continue;
		}
		if (set)
			buf_puts(&w->path, "[]");
		else
			addr_attr_index(&w->path,
					d->action == DIFF_DELETE ? was : is);
		walk(w, d);
		buf_set_len(&w->path, at);
		was += d->action != DIFF_CREATE;
		is += d->action != DIFF_DELETE;
	}
}

static bool items_change(const struct diff_blocks *g)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->items[i].diff->action != DIFF_NOOP)
			return true;
	return false;
}

static void walk_blocks(struct walk *w, const struct diff_blocks *g)
{
	const bool secret = g->before_sensitive || g->after_sensitive;

	if (!items_change(g) && g->before_sensitive == g->after_sensitive)
		return;
	if (secret && !(w->show_sensitive && items_change(g))) {
		put_hidden(w, DIFF_UPDATE, SENSITIVE);
		return;
	}
	if (g->nesting == NESTING_LIST || g->nesting == NESTING_SET) {
		walk_items(w, g->items, g->n, g->nesting == NESTING_SET);
		return;
	}
	for (size_t i = 0; i < g->n; i++) {
		const size_t at = w->path.len;

		if (g->nesting == NESTING_MAP)
			addr_attr_name(&w->path, g->items[i].key);
		walk(w, g->items[i].diff);
		buf_set_len(&w->path, at);
	}
}

static void walk_block(struct walk *w, const struct diff *d)
{
	const size_t at = w->path.len;

	walk_named(w, d);
	for (size_t i = 0; i < d->nblocks; i++) {
		addr_attr_name(&w->path, d->blocks[i].type);
		walk_blocks(w, &d->blocks[i]);
		buf_set_len(&w->path, at);
	}
}

static void walk(struct walk *w, const struct diff *d)
{
	const size_t before = w->out->len;
	const bool list = d->kind == DIFF_LIST || d->kind == DIFF_SET;

	if (d->action == DIFF_NOOP)
		return;
	switch (d->kind) {
	case DIFF_PRIMITIVE:
		walk_primitive(w, d);
		break;
	case DIFF_OBJECT:
	case DIFF_MAP:
		walk_named(w, d);
		break;
	case DIFF_LIST:
	case DIFF_SET:
		walk_items(w, d->children, d->nchildren, d->kind == DIFF_SET);
		break;
	case DIFF_BLOCK:
		walk_block(w, d);
		break;
	case DIFF_UNKNOWN:
		walk_unknown(w, d);
		break;
	case DIFF_SENSITIVE:
	case DIFF_SENSITIVE_BLOCK:
		walk_sensitive(w, d);
		break;
	case DIFF_TYPE_CHANGE:
		walk_type_change(w, d);
		break;
	case DIFF_WRITE_ONLY:
		put_hidden(w, d->action, WRITE_ONLY);
		break;
	}
	/* What changes has a line, also where nothing is in it. */
	if (w->out->len == before)
		put_hidden(w, d->action, list ? "[]" : "{}");
}

void leaf_list(struct arena *a, const struct diff *d, bool show_sensitive,
	       struct leaf_vec *out)
{
	struct walk w = { .a = a,
			  .out = out,
			  .show_sensitive = show_sensitive };

	if (d)
		walk(&w, d);
	buf_release(&w.path);
}
