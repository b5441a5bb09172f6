/* providers_tree.c - see providers.h */
#include "ui/show/providers.h"
#include "addr/provider.h"
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

static void put_call(struct tree *t, const struct cfg_call *call,
		     struct str name, bool last)
{
	size_t before = t->prefix.len;

	put_branch(t, last,
		   arena_printf(t->arena, "module.%.*s", STR_ARG(name)));
	buf_puts(&t->prefix, last ? "    " : "│   ");
	if (call->child)
		put_module(t, call->child);
	buf_set_len(&t->prefix, before);
}

static void put_module(struct tree *t, const struct cfg_module *m)
{
	struct arena *a = t->arena;
	struct requirement_vec reqs = { 0 };

	requirements_of_module(a, m, &reqs);
	for (size_t i = 0; i < reqs.len; i++) {
		const struct requirement *r = reqs.items[i];
		struct str text = requirement_text(a, r);

		put_branch(t, i + 1 == reqs.len && !m->calls.len,
			   arena_printf(
				   a, "provider[%.*s]%s%.*s",
				   STR_ARG(provider_addr_text(a, r->provider)),
				   text.n ? " " : "", STR_ARG(text)));
	}
	for (size_t i = 0; i < m->calls.len; i++)
		put_call(t, m->calls.entries[i].value, m->calls.entries[i].key,
			 i + 1 == m->calls.len);
}

void providers_tree_text(struct arena *a, struct buf *b, const struct config *c,
			 const struct state *s)
{
	struct requirement_vec reqs = { 0 };
	struct tree t = { a, b, BUF_INIT };

	buf_puts(b, "\nProviders required by configuration:\n.\n");
	put_module(&t, c->root);
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
