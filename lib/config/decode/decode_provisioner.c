/* decode_provisioner.c - provisioner blocks of resources and removed blocks */
#include "config/decode/decode_int.h"
#include "lang/eval/eval.h"
#include "lang/syntax/body.h"
#include "lang/syntax/walk.h"

static const struct attr_schema attrs[] = {
	{ "when", false },
	{ "on_failure", false },
	{ NULL, false },
};
static const struct block_schema blocks[] = {
	{ "_", { NULL } },
	{ "connection", { NULL } },
	{ "lifecycle", { NULL } }, /* reserved */
	{ NULL, { NULL } },
};
static const struct body_schema schema = { attrs, blocks };

static bool only_attr(const struct traversal *t, const char *name)
{
	return t->nsteps == 1 && t->steps[0].kind == STEP_ATTR &&
	       str_is(t->steps[0].name, name);
}

static bool known_at_destroy(const struct traversal *t)
{
	if (str_is(t->root, "count"))
		return only_attr(t, "index");
	if (str_is(t->root, "each"))
		return only_attr(t, "key");
	return str_is(t->root, "self") || str_is(t->root, "path") ||
	       str_is(t->root, "terraform") || str_is(t->root, "tofu");
}

void check_only_self(struct decoder *d, const struct body *b)
{
	struct diags ignored = DIAGS_INIT(d->a);
	struct attribute_vec list = { 0 };

	body_attributes(d->a, b, &list, &ignored);
	for (size_t i = 0; i < list.len; i++) {
		struct expression e = list.items[i].expr;
		struct traversal_vec vars = { 0 };
		struct range at = expression_range(e);

		expression_variables(d->a, e, &vars);
		for (size_t k = 0; k < vars.len; k++)
			if (!known_at_destroy(&vars.items[k].traversal))
				diag_error(
					d->ds, &at,
					"Invalid reference from destroy provisioner",
					"When an object is destroyed, its "
					"provisioners and their connections "
					"can only use self, count.index and "
					"each.key: other objects may be "
					"gone.");
	}
}

static const char *const removed_types[] = { "chef", "habitat", "puppet",
					     "salt-masterless" };

static bool is_gone(struct decoder *d, const struct block *b)
{
	struct range at = label_range(b, 0);
	struct str type = b->labels[0].text;

	for (size_t i = 0; i < 4; i++) {
		if (!str_is(type, removed_types[i]))
			continue;
		diag_error(d->ds, &at,
			   arena_printf(
				   d->a,
				   "The \"%.*s\" provisioner has been removed",
				   STR_ARG(type)),
			   "The provisioner \"%.*s\" no longer exists.",
			   STR_ARG(type));
		return true;
	}
	return false;
}

/* One of two keywords: returns 0, 1, or -1 with a diagnostic. */
static int read_keyword(struct decoder *d, struct expression e,
			const char *argument, const char *zero, const char *one)
{
	struct expression given = e;
	struct str word;
	struct range at;

	decode_unquoted(d->a, &e, true, d->ds);
	word = expression_keyword(e);
	if (str_is(word, zero))
		return 0;
	if (str_is(word, one))
		return 1;
	at = expression_range(given);
	diag_error(d->ds, &at,
		   arena_printf(d->a, "Invalid \"%s\" keyword", argument),
		   "\"%s\" must be %s or %s.", argument, zero, one);
	return -1;
}

static void take_blocks(struct decoder *d, const struct body_content *c,
			struct cfg_provisioner *p)
{
	const struct block *connection = NULL, *escape = NULL;

	for (size_t i = 0; i < c->blocks.len; i++) {
		const struct block *b = &c->blocks.items[i];
		struct range at = source_range(b->src, b->type_span);

		if (str_is(b->type, "_")) {
			if (!decode_is_duplicate(
				    d, b, &escape, "Duplicate escaping block",
				    "The escaping block of this block"))
				p->body = body_merge(d->a, BODY_UNION, p->body,
						     b->body);
		} else if (str_is(b->type, "connection")) {
			if (decode_is_duplicate(
				    d, b, &connection,
				    "Duplicate connection block",
				    "This provisioner's connection block"))
				continue;
			if (p->when_destroy)
				check_only_self(d, b->body);
			p->connection = b->body;
		} else {
			diag_error(
				d->ds, &at,
				"Reserved block type name in provisioner block",
				"The block type \"%.*s\" is reserved for a future version.",
				STR_ARG(b->type));
		}
	}
}

struct cfg_provisioner *decode_provisioner(struct decoder *d,
					   const struct block *b)
{
	struct cfg_provisioner *p = ARENA_NEW(d->a, struct cfg_provisioner);
	const struct attribute *at;
	struct body_content c;

	p->type = b->labels[0].text;
	p->at = block_range(b);
	body_partial(d->a, b->body, &schema, &c, &p->body, d->ds);
	if (is_gone(d, b))
		return NULL;
	if ((at = content_attr(&c, "when")))
		p->when_destroy = read_keyword(d, at->expr, "when", "create",
					       "destroy") == 1;
	if (p->when_destroy)
		check_only_self(d, p->body);
	if ((at = content_attr(&c, "on_failure")))
		p->on_failure_continue = read_keyword(d, at->expr, "on_failure",
						      "fail", "continue") == 1;
	take_blocks(d, &c, p);
	return p;
}
