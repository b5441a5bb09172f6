/* schema.c - the schemas as tables, and made from them */
#include "json/read.h"
#include "schema.h"
#include "value/type.h"

enum flags {
	REQ = 1 << 0,
	OPT = 1 << 1,
	COMP = 1 << 2,
	SENS = 1 << 3,
	WO = 1 << 4,
	OLD = 1 << 5,   /* deprecated */
	BLOCK = 1 << 6, /* nested block, not an attribute */
	SINGLE = 1 << 8,
	GROUP = 2 << 8,
	LIST = 3 << 8,
	SET = 4 << 8,
	MAP = 5 << 8,
	NESTING = 7 << 8,
};

struct row {
	const char *name; /* NULL ends a table */
	const char *type; /* JSON notation; NULL: inner */
	unsigned flags;
	const struct row *inner; /* of nested attributes and blocks */
	uint64_t max;
};

#define STRING "\"string\""
#define STRINGS(kind) "[\"" kind "\",\"string\"]"
#define END { NULL, NULL, 0, NULL, 0 }

static const struct row inner_rows[] = {
	{ "name", STRING, OPT, NULL, 0 },
	{ "comp", STRING, COMP, NULL, 0 },
	END,
};

/* A sensitive attribute hides all of a nested attribute or set of blocks, so
 * most have none. */
#define ITEM \
	{ "name", STRING, OPT, NULL, 0 }, \
	{ "comp", STRING, COMP, NULL, 0 }, \
	{ "oc", STRING, OPT | COMP, NULL, 0 }, \
	{ "num", "\"number\"", OPT, NULL, 0 }

/* Sets may not hold write-only attributes. */
static const struct row plain_item[] = { ITEM, END };

static const struct row nested_item[] = {
	ITEM,
	{ "wo", STRING, OPT | WO, NULL, 0 },
	{ "deep", NULL, OPT | LIST, inner_rows, 0 },
	END,
};

static const struct row secret_item[] = {
	ITEM,
	{ "secret", STRING, OPT | SENS, NULL, 0 },
	END,
};

static const struct row block_item[] = {
	ITEM,
	{ "secret", STRING, OPT | SENS, NULL, 0 },
	{ "wo", STRING, OPT | WO, NULL, 0 },
	{ "inner", NULL, BLOCK | LIST, inner_rows, 0 },
	END,
};

static const struct row set_block_item[] = {
	ITEM,
	{ "inner", NULL, BLOCK | LIST, inner_rows, 0 },
	END,
};

static const struct row dynamic_item[] = {
	{ "name", STRING, OPT, NULL, 0 },
	{ "value", "\"dynamic\"", OPT, NULL, 0 },
	END,
};

#define COMMON \
	{ "id", STRING, COMP, NULL, 0 }, \
	{ "do", STRING, OPT, NULL, 0 }, \
	{ "name", STRING, OPT, NULL, 0 }, \
	{ "comp", STRING, COMP, NULL, 0 }

static const struct row thing[] = {
	COMMON,
	{ "value", STRING, OPT, NULL, 0 },
	{ "oc", STRING, OPT | COMP, NULL, 0 },
	{ "ci", STRING, OPT, NULL, 0 },
	{ "force", STRING, OPT, NULL, 0 },
	{ "list", STRINGS("list"), OPT, NULL, 0 },
	END,
};

/* Nothing but deprecated. */
static const struct row old[] = {
	COMMON,
	{ "old", STRING, OPT | OLD, NULL, 0 },
	END,
};

static const struct row all[] = {
	COMMON,
	{ "oc", STRING, OPT | COMP, NULL, 0 },
	{ "ci", STRING, OPT, NULL, 0 },
	{ "force", STRING, OPT, NULL, 0 },
	{ "secret", STRING, OPT | SENS, NULL, 0 },
	{ "wo", STRING, OPT | WO, NULL, 0 },
	{ "old", STRING, OPT | OLD, NULL, 0 },
	{ "num", "\"number\"", OPT, NULL, 0 },
	{ "flag", "\"bool\"", OPT, NULL, 0 },
	{ "list", STRINGS("list"), OPT, NULL, 0 },
	{ "set", STRINGS("set"), OPT, NULL, 0 },
	{ "map", STRINGS("map"), OPT, NULL, 0 },
	{ "obj", "[\"object\",{\"a\":\"string\",\"b\":\"number\"}]", OPT, NULL,
	  0 },
	{ "tup", "[\"tuple\",[\"string\",\"number\"]]", OPT, NULL, 0 },
	{ "dyn", "\"dynamic\"", OPT, NULL, 0 },
	{ "comp_num", "\"number\"", COMP, NULL, 0 },
	{ "comp_dyn", "\"dynamic\"", COMP, NULL, 0 },
	{ "comp_list", STRINGS("list"), COMP, NULL, 0 },
	{ "comp_obj", "[\"object\",{\"a\":\"string\"}]", COMP, NULL, 0 },
	{ "oc_list", STRINGS("list"), OPT | COMP, NULL, 0 },
	{ "implicit", "[\"list\",[\"object\",{\"name\":\"string\"}]]", COMP,
	  NULL, 0 },
	{ "nested_single", NULL, OPT | SINGLE, nested_item, 0 },
	{ "nested_list", NULL, OPT | LIST, nested_item, 0 },
	{ "nested_set", NULL, OPT | SET, plain_item, 0 },
	{ "nested_map", NULL, OPT | MAP, nested_item, 0 },
	{ "nested_secret", NULL, OPT | SINGLE, secret_item, 0 },
	{ "nested_oc", NULL, OPT | COMP | LIST, plain_item, 0 },
	{ "single", NULL, BLOCK | SINGLE, block_item, 0 },
	{ "group", NULL, BLOCK | GROUP, block_item, 0 },
	{ "block", NULL, BLOCK | LIST, block_item, 0 },
	{ "blockset", NULL, BLOCK | SET, set_block_item, 0 },
	{ "blockmap", NULL, BLOCK | MAP, block_item, 0 },
	{ "limited", NULL, BLOCK | LIST, inner_rows, 2 },
	{ "dynblock", NULL, BLOCK | LIST, dynamic_item, 0 },
	END,
};

/* As providers from before protocol 6 have it: such a list may be written as
 * blocks, too. */
#define RULES \
	"[\"list\",[\"object\",{\"name\":\"string\",\"value\":\"string\"," \
	"\"parts\":[\"list\",[\"object\",{\"name\":\"string\"}]]}]]"

static const struct row ruled[] = {
	COMMON,
	{ "rules", RULES, OPT, NULL, 0 },
	END,
};

/* What is sensitive in objects of every nesting. */
static const struct row hidden[] = {
	COMMON,
	{ "force", STRING, OPT, NULL, 0 },
	{ "nested_list", NULL, OPT | LIST, secret_item, 0 },
	{ "nested_set", NULL, OPT | SET, secret_item, 0 },
	{ "nested_map", NULL, OPT | MAP, secret_item, 0 },
	{ "block", NULL, BLOCK | LIST, secret_item, 0 },
	{ "blockset", NULL, BLOCK | SET, secret_item, 0 },
	{ "blockmap", NULL, BLOCK | MAP, secret_item, 0 },
	END,
};

static const struct row versioned[] = { COMMON, END };

static const struct row identified[] = {
	COMMON,
	{ "region", STRING, OPT, NULL, 0 },
	END,
};

static const struct row identity[] = {
	{ "id", STRING, REQ, NULL, 0 },
	{ "region", STRING, OPT, NULL, 0 },
	END,
};

static const struct row token[] = {
	{ "do", STRING, OPT, NULL, 0 },
	{ "name", STRING, OPT, NULL, 0 },
	{ "token", STRING, COMP | SENS, NULL, 0 },
	END,
};

static const struct row auth[] = {
	{ "user", STRING, OPT, NULL, 0 },
	{ "password", STRING, OPT | SENS, NULL, 0 },
	END,
};

static const struct row config[] = {
	{ "do", STRING, OPT, NULL, 0 },
	{ "name", STRING, OPT, NULL, 0 },
	{ "prefix", STRING, OPT, NULL, 0 },
	{ "auth", NULL, BLOCK | LIST, auth, 1 },
	END,
};

static const struct row meta[] = {
	{ "module_name", STRING, OPT, NULL, 0 },
	END,
};

static const struct {
	const char *name;
	enum resource_mode mode;
	uint64_t version;
	const struct row *rows, *identity;
	bool deprecated; /* as a whole */
} types[] = {
	{ "test_thing", MODE_MANAGED, 0, thing, NULL, false },
	{ "test_all", MODE_MANAGED, 0, all, NULL, false },
	{ "test_old", MODE_MANAGED, 0, old, NULL, false },
	{ "test_versioned", MODE_MANAGED, 2, versioned, NULL, false },
	{ "test_identified", MODE_MANAGED, 0, identified, identity, false },
	{ "test_renamed", MODE_MANAGED, 0, thing, NULL, false },
	{ "test_ruled", MODE_MANAGED, 0, ruled, NULL, false },
	{ "test_hidden", MODE_MANAGED, 0, hidden, NULL, false },
	{ "test_hidden", MODE_DATA, 0, hidden, NULL, false },
	{ "test_retired", MODE_MANAGED, 0, thing, NULL, true },
	{ "test_retired", MODE_DATA, 0, all, NULL, true },
	{ "test_thing", MODE_DATA, 0, thing, NULL, false },
	{ "test_versioned", MODE_DATA, 2, versioned, NULL, false },
	{ "test_all", MODE_DATA, 0, all, NULL, false },
	{ "test_token", MODE_EPHEMERAL, 0, token, NULL, false },
};

/* --- from tables to schemas --- */

static enum nesting nesting_of(unsigned flags)
{
	switch (flags & NESTING) {
	case GROUP:
		return NESTING_GROUP;
	case LIST:
		return NESTING_LIST;
	case SET:
		return NESTING_SET;
	case MAP:
		return NESTING_MAP;
	default:
		return NESTING_SINGLE;
	}
}

static size_t count(const struct row *r, unsigned block)
{
	size_t n = 0;

	for (; r->name; r++)
		n += (r->flags & BLOCK) == block;
	return n;
}

static void make_attr(struct arena *a, const struct row *r,
		      struct schema_attr *out);

static const struct schema_nested *make_object(struct arena *a,
					       const struct row *r)
{
	struct schema_nested *n = ARENA_NEW(a, struct schema_nested);
	struct schema_block *o = ARENA_NEW(a, struct schema_block);
	struct schema_attr *attrs = ARENA_ARRAY(a, struct schema_attr,
						count(r->inner, 0));

	n->nesting = nesting_of(r->flags);
	for (const struct row *i = r->inner; i->name; i++)
		make_attr(a, i, &attrs[o->nattrs++]);
	o->attrs = attrs;
	n->block = o;
	return n;
}

static void make_attr(struct arena *a, const struct row *r,
		      struct schema_attr *out)
{
	struct json_error err;

	out->name = str_c(r->name);
	if (r->inner)
		out->nested = make_object(a, r);
	else
		out->type = type_from_json(
			a, json_parse(a, str_c(r->type), &err));
	out->required = r->flags & REQ;
	out->optional = r->flags & OPT;
	out->computed = r->flags & COMP;
	out->sensitive = r->flags & SENS;
	out->write_only = r->flags & WO;
	out->deprecated = r->flags & OLD;
	if (out->deprecated)
		out->deprecation_message = STR("use name");
	out->description = str_printf(a, "The %s of it.", r->name);
}

static struct schema_block *make_block(struct arena *a, const struct row *r,
				       unsigned protocol)
{
	struct schema_block *b = ARENA_NEW(a, struct schema_block);
	struct schema_attr *attrs =
		ARENA_ARRAY(a, struct schema_attr, count(r, 0));
	struct schema_nested *blocks =
		ARENA_ARRAY(a, struct schema_nested, count(r, BLOCK));

	for (; r->name; r++) {
		if (!(r->flags & BLOCK)) {
			if (!r->inner || protocol >= 6)
				make_attr(a, r, &attrs[b->nattrs++]);
			continue;
		}
		blocks[b->nblocks++] = (struct schema_nested){
			.type_name = str_c(r->name),
			.nesting = nesting_of(r->flags),
			.block = make_block(a, r->inner, protocol),
			.max_items = r->max,
		};
	}
	b->attrs = attrs;
	b->blocks = blocks;
	b->description = STR("For tests.");
	return b;
}

static const struct schema_block *block(struct arena *a, const struct row *r,
					unsigned protocol, bool deprecated)
{
	struct schema_block *b;

	if (!r)
		return NULL;
	b = make_block(a, r, protocol);
	b->deprecated = deprecated;
	schema_block_finish(a, b);
	return b;
}

static const struct schema_block *huge_block(struct arena *a)
{
	enum { WIDTH = 100 };
	struct row *rows = ARENA_ARRAY(a, struct row, WIDTH + 1);

	for (size_t i = 0; i < WIDTH; i++) {
		rows[i].name = arena_printf(a, "attribute_%zu", i);
		rows[i].type = STRINGS("map");
		rows[i].flags = OPT | COMP;
	}
	return block(a, rows, 6, false);
}

void catalogue_make(struct arena *a, unsigned protocol, unsigned huge,
		    struct catalogue *out)
{
	const size_t n = sizeof(types) / sizeof(*types);
	const struct schema_block *wide = huge ? huge_block(a) : NULL;

	out->types = ARENA_ARRAY(a, struct resource_type, n + huge);
	for (size_t i = 0; i < n; i++)
		out->types[out->ntypes++] = (struct resource_type){
			types[i].name, types[i].mode, types[i].version,
			block(a, types[i].rows, protocol,
			      types[i].deprecated),
			block(a, types[i].identity, protocol, false),
		};
	for (size_t i = 0; i < huge; i++)
		out->types[out->ntypes++] = (struct resource_type){
			arena_printf(a, "test_huge_%zu", i), MODE_MANAGED, 0,
			wide, NULL,
		};
	out->config = block(a, config, protocol, false);
	out->meta = block(a, meta, protocol, false);
}

const struct resource_type *catalogue_find(const struct catalogue *c,
					   enum resource_mode mode,
					   struct str name)
{
	for (size_t i = 0; i < c->ntypes; i++)
		if (c->types[i].mode == mode &&
		    str_is(name, c->types[i].name))
			return &c->types[i];
	return NULL;
}
