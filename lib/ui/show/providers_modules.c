/* providers_modules.c - see providers.h */
#include "ui/show/providers.h"
#include "addr/provider.h"
#include "config/load/test.h"
#include "install/providers/requirements.h"

struct tree {
	struct arena *arena;
	struct buf *out;
	const struct config *config;
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

/* Begins a branch that others may hang on; returns what ends it. */
static size_t begin_branch(struct tree *t, bool last, const char *text)
{
	size_t before = t->prefix.len;

	put_branch(t, last, text);
	buf_puts(&t->prefix, last ? "    " : "│   ");
	return before;
}

static size_t begin_named(struct tree *t, bool last, const char *kind,
			  struct str name)
{
	return begin_branch(t, last,
			    arena_printf(t->arena, "%s.%.*s", kind,
					 STR_ARG(name)));
}

static void put_call(struct tree *t, const struct cfg_call *call,
		     struct str name, bool last)
{
	size_t before = begin_named(t, last, "module", name);

	if (call->child)
		put_module(t, call->child);
	buf_set_len(&t->prefix, before);
}

static void put_test(struct tree *t, const struct cfg_test_file *f, bool last)
{
	size_t before = begin_named(t, last, "test", test_name(t->arena, f));
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
		outer = begin_named(t, i + 1 == runs, "run", r->name);
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
	struct tree t = { a, b, c, BUF_INIT };

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

/* The normal form, but without the host that is meant where none is written. */
static struct str call_source(const struct config *c,
			      const struct cfg_call *call)
{
	struct str s = call->source, host = c->default_host;

	if (call->source_kind == SOURCE_REGISTRY && s.n > host.n &&
	    str_eq(str_sub(s, 0, host.n), host) && s.p[host.n] == '/')
		return str_sub(s, host.n + 1, s.n);
	return s;
}

/* The call's version, and what was asked for where that is something else. */
static const char *call_text(struct tree *t, const struct cfg_call *call)
{
	struct str source = call_source(t->config, call);
	struct str version = call->child->version;
	bool asked =
		version.n && call->version.n && !str_eq(version, call->version);

	return arena_printf(t->arena, "\"%.*s\"[%.*s]%s%.*s%s%.*s%s",
			    STR_ARG(call->name), STR_ARG(source),
			    version.n ? " " : "", STR_ARG(version),
			    asked ? " (" : "",
			    STR_ARG(asked ? call->version : STR_NONE),
			    asked ? ")" : "");
}

static void put_modules(struct tree *t, const struct cfg_module *m)
{
	const struct map_entry *calls = map_sorted(t->arena, &m->calls);

	for (size_t i = 0; i < m->calls.len; i++) {
		const struct cfg_call *call = calls[i].value;
		size_t before = begin_branch(t, i + 1 == m->calls.len,
					     call_text(t, call));

		put_modules(t, call->child);
		buf_set_len(&t->prefix, before);
	}
}

void modules_text(struct arena *a, struct buf *b, const struct config *c)
{
	struct tree t = { a, b, c, BUF_INIT };

	if (!c->root->calls.len) {
		buf_puts(b, "No modules found in configuration.\n");
		return;
	}
	buf_puts(b, "\nModules declared by configuration:\n.\n");
	put_modules(&t, c->root);
	buf_putc(b, '\n');
	buf_release(&t.prefix);
}

static void write_modules(struct arena *a, struct jw *w, const struct config *c,
			  const struct cfg_module *m)
{
	const struct map_entry *calls = map_sorted(a, &m->calls);

	for (size_t i = 0; i < m->calls.len; i++) {
		const struct cfg_call *call = calls[i].value;

		jw_object(w);
		jw_member_str(w, "key", call->name);
		jw_member_str(w, "source", call_source(c, call));
		jw_member_str(w, "version", call->child->version);
		jw_object_end(w);
		write_modules(a, w, c, call->child);
	}
}

void modules_json(struct arena *a, struct buf *b, const struct config *c)
{
	struct jw w = JW_INIT(b);

	jw_object(&w);
	jw_member_str(&w, "format_version", STR("1.0"));
	jw_key(&w, "modules");
	jw_array(&w);
	write_modules(a, &w, c, c->root);
	jw_array_end(&w);
	jw_object_end(&w);
	buf_putc(b, '\n');
}
