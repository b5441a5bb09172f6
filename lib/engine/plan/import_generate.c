/*
 * import_generate.c - import blocks without a resource block
 *
 * With -generate-config-out a resource without a body is added to the
 * configuration; when the object has been read its body is written, and
 * planning goes on with that.
 */
#include <fcntl.h>
#include <unistd.h>

#include "engine/plan/plan_int.h"
#include "config/module.h"
#include "base/diag.h"
#include "base/product.h"
#include "engine/run/run.h"
#include "graph/plan_graph.h"
#include "lang/syntax/parse.h"

static struct cfg_resource *invent(struct arena *a, struct cfg_module *m,
				   const struct cfg_import *im,
				   const struct resource_addr *r)
{
	struct cfg_resource *c = cfg_resource_new(a);
	struct diags quiet = DIAGS_INIT(a);

	c->module = m;
	c->addr = *r;
	c->provider = im->provider;
	c->provider_ref = im->provider_ref;
	c->at = im->at;
	c->type_at = expression_range(im->to);
	c->body = parse_native(a, source_new(a, im->at.file, STR("")), &quiet);
	return c;
}

void imports_invent(struct arena *a, struct config *c, struct map *invented)
{
	struct cfg_module *m = c->root;

	for (size_t i = 0; i < m->imports.len; i++) {
		const struct cfg_import *im = &m->imports.items[i];
		struct expr_vec keys = { 0 };
		struct cfg_resource *made;
		struct instance_addr to;
		struct str name;

		/* In other modules there is one, says imports_validate. */
		if (import_static_address(a, im, &to, &keys) || to.module.len ||
		    config_resource(m, &to.resource))
			continue;
		made = invent(a, m, im, &to.resource);
		name = str_printf(a, "%.*s.%.*s", STR_ARG(to.resource.type),
				  STR_ARG(to.resource.name));
		map_put(a, &m->managed, name, made);
		map_put(a, invented, name, made);
	}
}

bool import_is_invented(const struct plan *p, const struct cfg_resource *c)
{
	for (size_t i = 0; i < p->invented.len; i++)
		if (p->invented.entries[i].value == c)
			return true;
	return false;
}

/* provider = TYPE.ALIAS, unless the type of the resource implies it. */
static const char *provider_argument(struct job *j)
{
	const struct provider_config_addr *p = &j->w.provider->addr;
	struct str type = p->provider.type;

	if (p->alias.n)
		return arena_printf(j->w.a, "%.*s.%.*s", STR_ARG(type),
				    STR_ARG(p->alias));
	return str_eq(type, addr_implied_provider(j->w.addr.resource.type))
		       ? NULL
		       : arena_printf(j->w.a, "%.*s", STR_ARG(type));
}

static struct str base_name(struct str path)
{
	size_t i = path.n;

	while (i && path.p[i - 1] != '/')
		i--;
	return str_sub(path, i, path.n);
}

/* The body without the arguments that are not for the provider. */
static struct body *arguments_of(struct arena *a, const struct body *b)
{
	static const struct str meta[] = {
		STR_INIT("count"),       STR_INIT("depends_on"),
		STR_INIT("for_each"),    STR_INIT("provider"),
		STR_INIT("lifecycle"),   STR_INIT("connection"),
		STR_INIT("provisioner"), STR_INIT("_"),
	};

	return body_hide(a, b, meta, sizeof(meta) / sizeof(*meta));
}

enum worked job_generate(struct worker *w)
{
	struct job *j = job_of(w);
	struct plan *p = j->p;
	const size_t errors = j->w.ds.errors;
	struct cfg_resource *c;
	struct source *src;
	struct body *b;
	struct str text;

	if (!import_is_invented(p, j->work->config))
		return WORK_NEXT;
	if (!j->now.value) {
		diag_error(&w->ds, &w->block->at,
			   "Configuration for import target does not exist",
			   "%.*s has no configuration, and none can be "
			   "generated: the object that the state has is gone.",
			   STR_ARG(w->text));
		return WORK_FAIL;
	}
	text = generate_body(p->arena, j->w.schema->block, provider_argument(j),
			     j->now.value, &j->w.ds);
	j->generated =
		generate_block(p->arena, &j->w.addr.resource, text, &j->w.ds);
	src = source_new(p->arena, base_name(p->opts.generate_config_path),
			 text);
	sources_put(p->arena, &p->run->config->sources, src);
	b = parse_native(p->arena, src, &j->w.ds);
	if (j->w.ds.errors != errors)
		return WORK_FAIL;
	c = config_resource(p->run->root->config, &j->w.addr.resource);
	c->body = arguments_of(p->arena, b);
	return WORK_NEXT;
}

/* The configuration can be corrected only if it is shown. */
void job_keep_generated(struct job *j)
{
	struct change *c;

	if (!j->generated.n || run_change(j->p->run, &j->w.addr))
		return;
	c = job_change(j, ACTION_NOOP, REASON_NONE, j->now.value, j->now.value);
	c->generated_config = j->generated;
}

/* --- the file --- */

static void put_change(struct buf *b, const struct change *c)
{
	if (!b->len)
		buf_addf(
			b,
			"# __generated__ by %s\n"
			"# Please review these resources and move them into your main configuration files.\n",
			product_peer());
	buf_addf(b, "\n# __generated__ by %s", product_peer());
	if (c->import_id.n) {
		buf_puts(b, " from ");
		addr_print_quoted(b, c->import_id);
	}
	buf_putc(b, '\n');
	buf_str(b, c->generated_config);
	buf_putc(b, '\n');
}

static int write_file(const char *name, const struct buf *b)
{
	int fd = io_open(name, O_WRONLY | O_CREAT | O_EXCL, 0666);
	int rc = -1;

	if (fd >= 0) {
		rc = io_write_all(fd, b->p, b->len);
		if (close(fd))
			rc = -1;
	}
	return rc;
}

int plan_write_generated(struct plan *p, struct diags *ds)
{
	struct str path = p->opts.generate_config_path;
	const struct change_vec *all = &p->run->changes;
	struct buf b = BUF_INIT;
	int rc = 0;

	for (size_t i = 0; i < all->len; i++)
		if (all->items[i]->generated_config.n)
			put_change(&b, all->items[i]);
	if (b.len && write_file(arena_strndup(p->arena, path.p, path.n), &b))
		rc = diag_error(ds, NULL,
				"Failed to create target generated file",
				"Cannot write \"%.*s\": %s.", STR_ARG(path),
				io_why());
	else if (b.len)
		diag_coded(
			ds, SEV_WARNING, DIAG_CONFIG_GENERATED, NULL,
			"How generated configuration looks may change in later versions.");
	buf_release(&b);
	return rc;
}
