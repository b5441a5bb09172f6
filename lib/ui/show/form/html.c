/*
 * html.c - a plan as one page, with nothing to fetch
 *
 * What the plan says is a JSON text in the page, in which no < is left, and
 * page.js makes text nodes of it: nothing in it is ever read as markup.  The
 * policy of the page admits page.js and page.css by their digests and nothing
 * else.
 */
#include "base/visible.h"
#include "crypto/crypto.h"
#include "json/read.h"
#include "json/tree.h"
#include "ui/show/form/form_int.h"

enum { EDGES = 50000 }; /* of a graph that is drawn */

static const char *const style[] = {
#include "ui/show/form/page.css.inc"
};
static const char *const script[] = {
#include "ui/show/form/page.js.inc"
};

static struct str joined(struct arena *a, const char *const *lines, size_t n)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < n; i++)
		buf_addf(&b, "%s\n", lines[i]);
	return buf_take(a, &b);
}

struct page {
	struct view v;
	struct arena a;
	struct entries all;
	struct jw w;
};

/* A text of the plan with its colours: \u0001 and a letter each. */
static void put_painted(struct page *p, struct str text)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < text.n; i++)
		buf_putc(&b, text.p[i] == PAINT_MARK ? '\1' : text.p[i]);
	jw_str(&p->w, buf_view(&b));
	buf_release(&b);
}

static struct str without_newlines(struct str text)
{
	while (text.n && text.p[0] == '\n')
		text = str_sub(text, 1, text.n);
	while (text.n && text.p[text.n - 1] == '\n')
		text.n--;
	return text;
}

static void put_entry(struct page *p, const struct form_entry *e)
{
	struct buf text = BUF_INIT;

	form_entry_text(&text, &p->v, p->all.shown, e);
	jw_array(&p->w);
	jw_str(&p->w, form_entry_name(&p->a, e));
	put_painted(p, without_newlines(buf_view(&text)));
	jw_array_end(&p->w);
	buf_release(&text);
}

static void put_fold(struct page *p, const struct fold *f)
{
	const struct shown_change *c = &f->members[0]->change;
	struct buf sign = BUF_INIT;

	diff_symbol(&sign, c->action, false);
	jw_object(&p->w);
	jw_member_str(&p->w, "address", f->address);
	jw_member_str(&p->w, "place", f->place);
	jw_member_str(&p->w, "type",
		      STR_CAT(&p->a, STR(""),
			      str_is(c->mode, "data") ? STR("data ") : STR(""),
			      visible_word(&p->a, c->type)));
	jw_member_str(&p->w, "sign", str_trim(buf_view(&sign)));
	jw_member_int(&p->w, "rank", form_entry_rank(f->members[0]));
	jw_member_str(&p->w, "said", f->said);
	jw_key(&p->w, "members");
	jw_array(&p->w);
	for (size_t i = 0; i < f->n; i++)
		put_entry(p, f->members[i]);
	jw_array_end(&p->w);
	jw_object_end(&p->w);
	buf_release(&sign);
}

static void put_folds(struct page *p, const char *name,
		      const struct form_entry_vec *entries)
{
	struct fold_vec folds = { 0 };

	folds_of(&p->a, p->all.shown, entries, false, &folds);
	jw_key(&p->w, name);
	jw_array(&p->w);
	for (size_t i = 0; i < folds.len; i++)
		put_fold(p, &folds.items[i]);
	jw_array_end(&p->w);
}

static void put_outputs(struct page *p)
{
	jw_key(&p->w, "outputs");
	jw_array(&p->w);
	for (size_t i = 0; i < p->all.outputs.len; i++)
		put_entry(p, &p->all.outputs.items[i]);
	jw_array_end(&p->w);
}

static void put_found(struct page *p)
{
	struct buf found = BUF_INIT, text = BUF_INIT;

	plan_found_text(&found, p->all.shown, &p->all.drifted);
	form_visible(&text, buf_view(&found));
	jw_member_str(&p->w, "found", buf_view(&text));
	buf_release(&found);
	buf_release(&text);
}

static struct str place_of(struct arena *a, const struct range *at)
{
	if (!range_present(at))
		return STR("");
	return str_printf(a, " on %.*s line %u",
			  STR_ARG(visible_word(a, at->file)), at->start.line);
}

static void put_diags(struct page *p)
{
	jw_key(&p->w, "diags");
	jw_array(&p->w);
	for (size_t i = 0; i < p->all.diags.len; i++) {
		const struct shown_diag *d = &p->all.diags.items[i];

		jw_array(&p->w);
		jw_bool(&p->w, d->diag.severity == SEV_ERROR);
		jw_str(&p->w, visible_word(&p->a, d->diag.summary));
		jw_str(&p->w, visible_text(&p->a, d->diag.detail));
		jw_int(&p->w, (int64_t)d->more);
		jw_str(&p->w, place_of(&p->a, &d->diag.subject));
		jw_array_end(&p->w);
	}
	jw_array_end(&p->w);
}

/* --- the graph --- */

/* What is done to each resource: that of its changes which comes first. */
static void ranks_by_resource(struct page *p, struct map *ranks)
{
	for (size_t i = 0; i < p->all.changes.len; i++) {
		const struct form_entry *e = &p->all.changes.items[i];
		struct map_entry *at =
			map_slot(&p->a, ranks, form_entry_resource(&p->a, e));
		const uintptr_t rank = form_entry_rank(e) + 1;

		if (!at->value || (uintptr_t)at->value > rank)
			at->value = (void *)rank;
	}
}

static struct str member(struct page *p, struct str line, const char *name)
{
	return json_slice_str(&p->a, json_slice_get(line, name));
}

static void put_node(struct page *p, struct str line, struct str address,
		     const struct map *ranks)
{
	const uintptr_t rank = (uintptr_t)map_get(ranks, address);

	jw_array(&p->w);
	jw_str(&p->w, visible_word(&p->a, address));
	jw_bool(&p->w, str_is(member(p, line, "kind"), "resource"));
	jw_int(&p->w, (int64_t)rank - 1);
	jw_array_end(&p->w);
}

static void put_edge(struct page *p, struct str line, const struct map *nodes)
{
	const uintptr_t from =
		(uintptr_t)map_get(nodes, member(p, line, "from"));
	const uintptr_t to = (uintptr_t)map_get(nodes, member(p, line, "to"));

	if (!from || !to)
		return;
	jw_int(&p->w, (int64_t)from - 1);
	jw_int(&p->w, (int64_t)to - 1);
}

static bool is_node(struct str line)
{
	return str_is(json_peek_record(line), "node");
}

/* Nodes are [address, is a resource, rank or -1], edges pairs in a row: from,
 * to. */
static void put_graph(struct page *p)
{
	const struct line_vec *all = &p->all.shown->graph;
	struct map ranks = { 0 }, nodes = { 0 };

	ranks_by_resource(p, &ranks);
	jw_key(&p->w, "nodes");
	jw_array(&p->w);
	for (size_t i = 0; i < all->len && all->len <= EDGES; i++) {
		struct str address;

		if (!is_node(all->items[i]))
			continue;
		address = member(p, all->items[i], "address");
		if (map_has(&nodes, address))
			continue;
		put_node(p, all->items[i], address, &ranks);
		map_put(&p->a, &nodes, address, (void *)(nodes.len + 1));
	}
	jw_array_end(&p->w);
	jw_key(&p->w, "edges");
	jw_array(&p->w);
	for (size_t i = 0; i < all->len && nodes.len; i++)
		if (!is_node(all->items[i]))
			put_edge(p, all->items[i], &nodes);
	jw_array_end(&p->w);
	jw_member_int(&p->w, "undrawn",
		      all->len > EDGES ? (int64_t)all->len : 0);
}

/* --- the page --- */

static void put_data(struct page *p, struct buf *b)
{
	struct buf head = BUF_INIT;
	const struct shown *s = p->all.shown;

	p->w = (struct jw)JW_INIT(b);
	p->w.html = true;
	entries_headline(&head, &p->all);
	jw_object(&p->w);
	jw_member_str(&p->w, "head", buf_view(&head));
	jw_member_bool(&p->w, "failed", s->errored || s->info.failed);
	jw_key(&p->w, "ranks");
	jw_array(&p->w);
	for (unsigned r = 0; r < RANKS; r++)
		jw_cstr(&p->w, fold_rank_words(r));
	jw_array_end(&p->w);
	put_folds(p, "changes", &p->all.changes);
	put_folds(p, "drift", &p->all.drift);
	put_outputs(p);
	put_found(p);
	jw_key(&p->w, "notes");
	jw_array(&p->w);
	for (size_t i = 0; i < p->all.notes.len; i++)
		jw_str(&p->w, visible_word(&p->a, p->all.notes.items[i]));
	jw_array_end(&p->w);
	put_diags(p);
	put_graph(p);
	jw_object_end(&p->w);
	buf_release(&head);
}

static int put_source(struct page *p, struct buf *b, struct str text)
{
	const struct str sum = digest_base64(&p->a, "sha256", text);

	buf_addf(b, "'sha256-%.*s'", STR_ARG(sum));
	return sum.n ? 0 : -1;
}

static int put_page(struct page *p, struct buf *b, struct diags *ds)
{
	const struct str css =
		joined(&p->a, style, sizeof(style) / sizeof(*style));
	const struct str js =
		joined(&p->a, script, sizeof(script) / sizeof(*script));

	buf_puts(b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		    "<meta charset=\"utf-8\">\n"
		    "<meta http-equiv=\"Content-Security-Policy\" content=\""
		    "default-src 'none'; base-uri 'none'; form-action 'none'; "
		    "script-src ");
	if (put_source(p, b, js))
		return diag_error(ds, NULL, "Cannot make the page",
				  "SHA-256 is not available.");
	buf_puts(b, "; style-src ");
	put_source(p, b, css);
	buf_puts(b, "\">\n<meta name=\"viewport\" "
		    "content=\"width=device-width, initial-scale=1\">\n"
		    "<meta name=\"color-scheme\" content=\"light dark\">\n"
		    "<meta name=\"referrer\" content=\"no-referrer\">\n"
		    "<title>Plan</title>\n<style>");
	buf_str(b, css);
	buf_puts(b, "</style>\n</head>\n<body>\n"
		    "<noscript>This page needs JavaScript, which it has in "
		    "itself.</noscript>\n"
		    "<script type=\"application/json\" id=\"plan\">");
	put_data(p, b);
	buf_puts(b, "</script>\n<script>");
	buf_str(b, js);
	buf_puts(b, "</script>\n</body>\n</html>\n");
	return 0;
}

static int html_put(struct view *v, struct shown *s, size_t max_size,
		    struct diags *ds)
{
	struct page p = { .v = form_for_others(v), .a = ARENA_INIT };
	struct buf b = BUF_INIT;
	int rc;

	(void)max_size;
	entries_read(&p.a, s, &v->display, &p.all);
	rc = put_page(&p, &b, ds);
	if (!rc)
		out_str(v->out, buf_view(&b));
	buf_release(&b);
	arena_release(&p.a);
	return rc;
}

const struct plan_form form_html = { .name = "html",
				     .for_others = true,
				     .graph = true,
				     .alone = true,
				     .put = html_put };
