/*
 * plan_valid.c - may a provider plan this?
 *
 * The rules: what the configuration says must be planned as said, or kept as
 * it was before (the provider's way to say that the two mean the same); what
 * it leaves out the provider may fill in where the schema says computed.
 * Blocks are the configuration's alone.
 */
#include "engine/object/objchange.h"
#include "engine/object/object_int.h"
#include "value/value.h"
#include "value/number.h"
#include "value/refine.h"

struct check {
	struct arena *a;
	const struct path_vec *sensitive; /* of values, beside the schema's */
	struct verror_vec *out;
	bool secret; /* within a sensitive attribute */
};

static void check_block(struct check *c, const struct schema_block *b,
			const struct value *prior, const struct value *config,
			const struct value *planned, const struct at *at);

#define FAIL(at, ...) at_error(c->a, c->out, at, __VA_ARGS__)

static const char unknown_element[] =
	"a nested block must not be unknown itself; only attributes in it may be";

/* --- values in messages --- */

/* Is the value at this path, a part of it, or one that contains it
 * sensitive? */
static bool is_secret(const struct check *c, const struct at *at)
{
	struct path here;

	if (c->secret || !c->sensitive->len)
		return c->secret;
	here = at_path(c->a, at);
	for (size_t i = 0; i < c->sensitive->len; i++)
		if (path_has_prefix(here, c->sensitive->items[i]) ||
		    path_has_prefix(c->sensitive->items[i], here))
			return true;
	return false;
}

static const char *shown(const struct check *c, const struct at *at,
			 const struct value *v)
{
	return is_secret(c, at) ? "(sensitive)" : objchange_brief(c->a, v);
}

/* --- attributes --- */

static void check_attr(struct check *c, const struct schema_attr *attr,
		       const struct value *prior, const struct value *config,
		       const struct value *planned, const struct at *at);

static void check_attrs(struct check *c, const struct schema_block *o,
			const struct value *prior, const struct value *config,
			const struct value *planned, const struct at *at)
{
	struct members m = { .a = c->a,
			     .block = o,
			     .of = { prior, config, planned },
			     .at.up = at };

	while (members_next(&m))
		check_attr(c, m.attr, m.v[0], m.v[1], m.v[2], &m.at);
}

static const struct value *null_dynamic_unless(const struct value *v)
{
	return v ? v : &value_null_dynamic;
}

static void check_list(struct check *c, const struct schema_block *o,
		       const struct value *prior, const struct value *config,
		       const struct value *planned, const struct at *at)
{
	for (uint32_t i = 0; i < planned->len; i++) {
		const struct at here = at_element(at, planned, i);
		const struct value *e = objchange_element_at(c->a, config, i);

		if (e)
			check_attrs(c, o,
				    null_dynamic_unless(objchange_element_at(
					    c->a, prior, i)),
				    e, planned->elems[i], &here);
	}
}

static void check_map(struct check *c, const struct schema_block *o,
		      const struct value *prior, const struct value *config,
		      const struct value *planned, const struct at *at)
{
	for (size_t i = 0; i < planned->len; i++) {
		struct str key = objchange_element_key(planned, i);
		const struct at here = { .up = at, .attr = key };
		const struct value *e = objchange_element_of(c->a, config, key);

		if (!e)
			FAIL(at,
			     "map key \"%.*s\" of the plan is not in the configuration",
			     STR_ARG(key));
		else
			check_attrs(c, o,
				    null_dynamic_unless(objchange_element_of(
					    c->a, prior, key)),
				    e, planned->elems[i], &here);
	}
	for (size_t i = 0; i < config->len; i++) {
		struct str key = objchange_element_key(config, i);

		if (!objchange_element_of(c->a, planned, key))
			FAIL(at,
			     "map key \"%.*s\" of the configuration is not in the plan",
			     STR_ARG(key));
	}
}

/* -1: not known exactly. */
static int64_t known_length(struct arena *a, const struct value *v)
{
	const struct value *n;
	int64_t len;

	if (v->state == VALUE_UNKNOWN)
		return -1;
	if (!type_is_collection(v->type))
		return v->len;
	n = value_length(a, v);
	return value_usable(n) && value_get_int(n, &len) ? len : -1;
}

/* How many of a set there can be is only bounded while elements are unknown.
 */
static bool set_counts_agree(struct arena *a, const struct value *planned,
			     const struct value *config)
{
	int64_t p = known_length(a, planned), n = known_length(a, config);

	if (n < 0 || p == n)
		return true;
	if (p >= 0)
		return false;
	return objchange_includes(a, value_length(a, planned), value_int(a, n));
}

static bool counts_agree(struct check *c, enum nesting nesting,
			 const struct value *config,
			 const struct value *planned, const struct at *at,
			 bool *go_on)
{
	int64_t p = known_length(c->a, planned);
	int64_t n = known_length(c->a, config);
	bool agree;

	if (nesting == NESTING_SET)
		agree = set_counts_agree(c->a, planned, config);
	else
		agree = p == n;
	*go_on = agree && p >= 0 && nesting != NESTING_SET;
	if (!agree)
		FAIL(at, "the plan has %s elements, the configuration %s",
		     p < 0 ? "an unknown number of"
			   : arena_printf(c->a, "%lld", (long long)p),
		     n < 0 ? "an unknown number"
			   : arena_printf(c->a, "%lld", (long long)n));
	return agree;
}

/* A nested attribute whose plan differs from its configuration. */
static void check_object(struct check *c, const struct schema_nested *n,
			 const struct value *prior, const struct value *config,
			 const struct value *planned, const struct at *at)
{
	bool go_on;

	if (value_is_null(planned) && !value_is_null(config)) {
		FAIL(at, "planned for absence but configured");
		return;
	}
	if (value_is_null(config) && !value_is_null(planned)) {
		FAIL(at, "planned for existence but not configured");
		return;
	}
	if (!value_is_null(config) && !value_is_known(planned)) {
		FAIL(at, "planned as unknown but configured");
		return;
	}
	if (value_is_null(planned))
		return;
	if (nesting_single(n->nesting)) {
		check_attrs(c, n->block, prior, config, planned, at);
		return;
	}
	if (!counts_agree(c, n->nesting, config, planned, at, &go_on) || !go_on)
		return;
	if (n->nesting == NESTING_LIST)
		check_list(c, n->block, prior, config, planned, at);
	else
		check_map(c, n->block, prior, config, planned, at);
}

static void attr_mismatch(struct check *c, const struct value *prior,
			  const struct value *config,
			  const struct value *planned, const struct at *at)
{
	const char *nor = value_is_null(prior) ? "" : " nor the prior value";

	if (is_secret(c, at))
		FAIL(at,
		     "the planned value (sensitive) is not the configured one%s",
		     nor);
	else if (value_is_null(prior))
		FAIL(at, "planned value %s is not the configured value %s",
		     objchange_brief(c->a, planned),
		     objchange_brief(c->a, config));
	else
		FAIL(at,
		     "planned value %s is neither the configured value %s "
		     "nor the prior value %s",
		     objchange_brief(c->a, planned),
		     objchange_brief(c->a, config),
		     objchange_brief(c->a, prior));
}

static void check_differing(struct check *c, const struct schema_attr *attr,
			    const struct value *prior,
			    const struct value *config,
			    const struct value *planned, const struct at *at)
{
	const bool secret = c->secret;
	const bool whole = value_is_null(config) && !value_is_null(planned);

	c->secret |= whole ? schema_attr_any(attr, schema_attr_is_sensitive)
			   : attr->sensitive;
	if (whole)
		FAIL(at,
		     "planned value %s for an attribute that is not computed",
		     shown(c, at, planned));
	else if (attr->nested)
		check_object(c, attr->nested, prior, config, planned, at);
	else
		attr_mismatch(c, prior, config, planned, at);
	c->secret = secret;
}

static void check_attr(struct check *c, const struct schema_attr *attr,
		       const struct value *prior, const struct value *config,
		       const struct value *planned, const struct at *at)
{
	if (objchange_same(planned, config))
		return;
	if (!value_is_null(prior) && !value_is_null(config) &&
	    objchange_same(planned, prior))
		return;
	if (attr->computed && (!attr->optional || value_is_null(config)))
		return;
	if (attr->write_only && !value_is_null(config) &&
	    value_is_null(planned))
		return;
	check_differing(c, attr, prior, config, planned, at);
}

/* --- blocks --- */

static void check_block_list(struct check *c, const struct schema_block *b,
			     const struct value *prior,
			     const struct value *config,
			     const struct value *planned, const struct at *at)
{
	if (value_is_null(planned)) {
		FAIL(at,
		     "no blocks must be planned as an empty list, not as null");
		return;
	}
	/* null: a legacy provider's, by way of ignore_changes */
	if (planned->len != (value_is_null(config) ? 0 : config->len)) {
		FAIL(at, "the plan has %u blocks, the configuration %u",
		     planned->len, value_is_null(config) ? 0 : config->len);
		return;
	}
	for (uint32_t i = 0; i < planned->len; i++) {
		const struct at here = at_element(at, planned, i);
		const struct value *p = objchange_element_at(c->a, prior, i);

		if (!value_is_known(planned->elems[i]))
			FAIL(&here, "%s", unknown_element);
		else
			check_block(c, b, p ? p : value_null(c->a, b->implied),
				    config->elems[i], planned->elems[i], &here);
	}
}

static void check_block_map(struct check *c, const struct schema_block *b,
			    const struct value *prior,
			    const struct value *config,
			    const struct value *planned, const struct at *at)
{
	if (value_is_null(planned)) {
		FAIL(at,
		     "no blocks must be planned as an empty map, not as null");
		return;
	}
	for (uint32_t i = 0; i < planned->len; i++) {
		struct str key = objchange_element_key(planned, i);
		const struct at here = at_element(at, planned, i);
		const struct value *e = objchange_element_of(c->a, config, key);
		const struct value *p = objchange_element_of(c->a, prior, key);

		if (!e)
			FAIL(at,
			     "block key \"%.*s\" of the plan is not in the configuration",
			     STR_ARG(key));
		else if (!value_is_known(planned->elems[i]))
			FAIL(&here, "%s", unknown_element);
		else
			check_block(c, b, p ? p : value_null(c->a, b->implied),
				    e, planned->elems[i], &here);
	}
	for (size_t i = 0; config->state == VALUE_KNOWN && i < config->len;
	     i++) {
		struct str key = objchange_element_key(config, i);

		if (!objchange_element_of(c->a, planned, key))
			FAIL(at,
			     "block key \"%.*s\" of the configuration is not in the plan",
			     STR_ARG(key));
	}
}

/* Elements of a set have no identity by which to compare them: trusted. */
static void check_block_set(struct check *c, const struct value *planned,
			    const struct at *at)
{
	if (value_is_null(planned)) {
		FAIL(at,
		     "no blocks must be planned as an empty set, not as null");
		return;
	}
	for (uint32_t i = 0; i < planned->len; i++) {
		const struct at here = at_element(at, planned, i);

		if (!value_is_known(planned->elems[i]))
			FAIL(&here, "%s", unknown_element);
	}
}

static void check_nested(struct check *c, const struct schema_nested *n,
			 const struct value *prior, const struct value *config,
			 const struct value *planned, const struct at *at)
{
	if (value_identical(planned, config))
		return;
	if (!value_is_known(config)) {
		FAIL(at, "planned value %s for dynamic blocks that are unknown",
		     shown(c, at, planned));
		return;
	}
	if (!value_is_known(planned)) {
		FAIL(at, "nested blocks must not be unknown themselves; only "
			 "attributes in them may be");
		return;
	}
	switch (n->nesting) {
	case NESTING_SINGLE:
	case NESTING_GROUP:
		check_block(c, n->block, prior, config, planned, at);
		break;
	case NESTING_LIST:
		check_block_list(c, n->block, prior, config, planned, at);
		break;
	case NESTING_MAP:
		check_block_map(c, n->block, prior, config, planned, at);
		break;
	case NESTING_SET:
		check_block_set(c, planned, at);
		break;
	}
}

static void check_block(struct check *c, const struct schema_block *b,
			const struct value *prior, const struct value *config,
			const struct value *planned, const struct at *at)
{
	struct members m = { .a = c->a,
			     .block = b,
			     .of = { prior, config, planned },
			     .at.up = at };

	if (value_is_null(planned) != value_is_null(config)) {
		FAIL(at, value_is_null(planned)
				 ? "planned for absence but configured"
				 : "planned for existence but not configured");
		return;
	}
	if (value_is_null(planned))
		return;
	while (members_next(&m)) {
		if (m.attr)
			check_attr(c, m.attr, m.v[0], m.v[1], m.v[2], &m.at);
		else
			check_nested(c, m.nested, m.v[0], m.v[1], m.v[2],
				     &m.at);
	}
}

void plan_valid(struct arena *a, const struct schema_block *b,
		const struct value *prior, const struct value *config,
		const struct value *planned, const struct path_vec *sensitive,
		struct verror_vec *out)
{
	struct check c = { a, sensitive, out, false };

	check_block(&c, b, prior, config, planned, NULL);
}
