/* providers_tree.c - see providers.h */
#include "ui/show/providers.h"
#include "addr/provider.h"
#include "config/load/test.h"
#include "install/providers/requirements.h"

struct tree {
	struct arena *arena;
	struct buf *out;
	struct buf prefix; /* the lines of the branches that go on */
};

static void put_module(struct tree *t, const struct cfg_module *m);

static void put_branch(struct tree *t, bool last, const char *text)
{
	buf_addf(t->out, "%.*s%s %s\n", STR_ARG(buf_view(&t->prefix)),
		 last ? "└──" : "├──", text);
}

/* more: branches follow. */
static void put_providers(struct tree *t, const struct cfg_module *m, bool more)
{
	struct arena *a = t->arena;
	struct requirement_vec reqs = { 0 };

	requirements_of_module(a, m, &reqs);
	for (size_t i = 0; i < reqs.len; i++) {
		const struct requirement *r = reqs.items[i];
		struct str text = requirement_text(a, r);

		put_branch(t, i + 1 == reqs.len && !more,
			   arena_printf(
				   a, "provider[%.*s]%s%.*s",
				   STR_ARG(provider_addr_text(a, r->provider)),
				   text.n ? " " : "", STR_ARG(text)));
	}
}

/* Begins a branch; returns what ends it. */
static size_t begin_branch(struct tree *t, bool last, const char *kind,
			   struct str name)
{
	size_t before = t->prefix.len;

	put_branch(t, last,
		   arena_printf(t->arena, "%s.%.*s", kind, STR_ARG(name)));
	buf_puts(&t->prefix, last ? "    " : "│   ");
	return before;
}

static void put_call(struct tree *t, const struct cfg_call *call,
		     struct str name, bool last)
{
	size_t before = begin_branch(t, last, "module", name);

	if (call->child)
		put_module(t, call->child);
	buf_set_len(&t->prefix, before);
}

static void put_test(struct tree *t, const struct cfg_test_file *f, bool last)
{
	size_t before = begin_branch(t, last, "test", test_name(t->arena, f));
	size_t runs = f->runs.len;

	while (runs && !f->runs.items[runs - 1].child)
		runs--;
	if (f->own)
		put_providers(t, f->own, runs > 0);
	for (size_t i = 0; i < runs; i++) {
		const struct cfg_run *r = &f->runs.items[i];
		size_t outer;

		if (!r->child)
			continue;
		outer = begin_branch(t, i + 1 == runs, "run", r->name);
		put_module(t, r->child);
		buf_set_len(&t->prefix, outer);
	}
	buf_set_len(&t->prefix, before);
}

static void put_calls(struct tree *t, const struct cfg_module *m)
{
	for (size_t i = 0; i < m->calls.len; i++)
		put_call(t, m->calls.entries[i].value, m->calls.entries[i].key,
			 i + 1 == m->calls.len);
}

static void put_module(struct tree *t, const struct cfg_module *m)
{
	put_providers(t, m, m->calls.len > 0);
	put_calls(t, m);
}

void providers_tree_text(struct arena *a, struct buf *b, const struct config *c,
			 const struct cfg_test_file_vec *tests,
			 const struct state *s)
{
	struct requirement_vec reqs = { 0 };
	struct tree t = { a, b, BUF_INIT };

	buf_puts(b, "\nProviders required by configuration:\n.\n");
	put_providers(&t, c->root, tests->len || c->root->calls.len);
	for (size_t i = 0; i < tests->len; i++)
		put_test(&t, &tests->items[i],
			 i + 1 == tests->len && !c->root->calls.len);
	put_calls(&t, c->root);
	buf_putc(b, '\n');
	buf_release(&t.prefix);
	requirements_of_state(a, s, &reqs);
	if (reqs.len)
		buf_puts(b, "Providers required by state:\n\n");
	for (size_t i = 0; i < reqs.len; i++)
		buf_addf(b, "    provider[%.*s]\n\n",
			 STR_ARG(provider_addr_text(a,
						    reqs.items[i]->provider)));
}
