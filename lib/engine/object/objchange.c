/*
 * objchange.c - the proposed new state: configuration over prior state
 *
 * Prior values may be unknown here: proposed_unknown merges with an unknown
 * prior, so that what would come from it becomes unknown.
 */
#include "engine/object/objchange_int.h"

/* What an object is made of: a block or the attributes of a nested attribute.
 */
struct shape {
	const struct schema_block *block;
	const struct schema_object *object;
};

static const struct value *merge_shape(struct arena *a, struct shape s,
				       const struct value *prior,
				       const struct value *config);

/* --- sets: which prior element a configured one continues --- */

static bool continues(struct arena *a, struct shape s,
		      const struct value *prior, const struct value *config);

/* An attribute that the provider computed may differ where the configuration
 * says nothing; anything else must be as configured. */
static bool attr_continues(struct arena *a, const struct schema_attr *attr,
			   const struct value *prior,
			   const struct value *config)
{
	if (same_unrefined(config, prior))
		return true;
	if (config->type->kind == TYPE_SET)
		return false;
	if (attr->nested)
		return continues(a, (struct shape){ NULL, attr->nested }, prior,
				 config);
	return attr->computed && value_is_null(config);
}

static bool member_continues(struct arena *a, struct shape s, struct str name,
			     const struct value *prior,
			     const struct value *config)
{
	const struct schema_attr *attr;
	const struct schema_nested *nested;

	if (s.object) {
		attr = object_attr(s.object, name);
		return attr ? attr_continues(a, attr, prior, config)
			    : continues(a, s, prior, config);
	}
	attr = schema_attr_find(s.block, name);
	if (attr)
		return attr_continues(a, attr, prior, config);
	nested = schema_nested_find(s.block, name);
	if (nested)
		return continues(a, (struct shape){ nested->block, NULL },
				 prior, config);
	return continues(a, s, prior, config); /* a key of blocks in a map */
}

/* Could prior have been derived from config?  Objects are compared member by
 * member, lists and maps element by element. */
static bool continues(struct arena *a, struct shape s,
		      const struct value *prior, const struct value *config)
{
	if (same_unrefined(config, prior))
		return true;
	if (config->type->kind == TYPE_SET)
		return false;
	if (prior->state != VALUE_KNOWN ||
	    (prior->type->kind < TYPE_LIST))
		return true; /* nothing inside to tell */
	for (size_t i = 0; i < prior->len; i++) {
		const struct value *c;
		bool ok;

		if (is_keyed(prior))
			c = element_of(a, config, element_key(prior, i));
		else
			c = element_at(a, config, i);
		if (!c)
			return false;
		if (prior->type->kind == TYPE_OBJECT)
			ok = member_continues(a, s, element_key(prior, i),
					      prior->elems[i], c);
		else
			ok = continues(a, s, prior->elems[i], c);
		if (!ok)
			return false;
	}
	return true;
}

static const struct value *merge_set(struct arena *a, struct shape s,
				     const struct value *prior,
				     const struct value *config)
{
	size_t nprior = prior->state == VALUE_KNOWN ? prior->len : 0;
	bool *used = ARENA_ARRAY(a, bool, nprior);
	const struct value **elems;

	if (value_is_null(config) || config->len == 0)
		return config;
	elems = ARENA_ARRAY(a, const struct value *, config->len);
	for (size_t i = 0; i < config->len; i++) {
		const struct value *c = config->elems[i];
		const struct value *p = value_null(a, config->type->elem);

		for (size_t k = 0; k < nprior; k++) {
			if (used[k] || !continues(a, s, prior->elems[k], c))
				continue;
			p = prior->elems[k];
			used[k] = true;
			break;
		}
		elems[i] = merge_shape(a, s, p, c);
	}
	return value_set(a, config->type->elem, elems, config->len);
}

/* --- lists and maps: correlated by index and key --- */

static const struct value *merge_list(struct arena *a, struct shape s,
				      const struct value *prior,
				      const struct value *config)
{
	const struct value **elems;

	if (value_is_null(config) || config->len == 0)
		return config;
	elems = ARENA_ARRAY(a, const struct value *, config->len);
	for (size_t i = 0; i < config->len; i++) {
		const struct value *p = element_at(a, prior, i);

		elems[i] = p ? merge_shape(a, s, p, config->elems[i])
			     : config->elems[i];
	}
	if (config->type->kind == TYPE_TUPLE)
		return value_tuple(a, elems, config->len);
	return value_list(a, config->type->elem, elems, config->len);
}

static const struct value *merge_map(struct arena *a, struct shape s,
				     const struct value *prior,
				     const struct value *config)
{
	const struct value **elems;

	if (value_is_null(config) || config->len == 0)
		return config;
	elems = ARENA_ARRAY(a, const struct value *, config->len);
	for (size_t i = 0; i < config->len; i++) {
		const struct value *p = NULL;

		if (prior->state == VALUE_KNOWN)
			p = element_of(a, prior, element_key(config, i));
		elems[i] = p ? merge_shape(a, s, p, config->elems[i])
			     : config->elems[i];
	}
	if (config->type->kind == TYPE_OBJECT)
		return value_object_like(a, config->type, elems);
	return value_map(a, config->type->elem, config->keys, elems,
			 config->len);
}

static const struct value *merge_nested(struct arena *a, enum nesting nesting,
					struct shape s,
					const struct value *prior,
					const struct value *config)
{
	/* Unknown as a whole: dynamic blocks over something unknown. */
	if (!value_is_known(config))
		return config;
	switch (nesting) {
	case NESTING_SINGLE:
		if (value_is_null(config))
			return config;
		break;
	case NESTING_GROUP:
		break;
	case NESTING_LIST:
		return merge_list(a, s, prior, config);
	case NESTING_MAP:
		return merge_map(a, s, prior, config);
	case NESTING_SET:
		return merge_set(a, s, prior, config);
	}
	return merge_shape(a, s, prior, config);
}

/* --- attributes --- */

/* Does the object hold something that only a configuration can have put there?
 */
static bool has_configured(const struct schema_object *o, bool elements,
			   const struct value *v)
{
	if (v->state != VALUE_KNOWN)
		return false;
	for (size_t i = 0; i < v->len; i++) {
		const struct value *e = v->elems[i];
		const struct schema_attr *attr;

		if (elements) {
			if (has_configured(o, false, e))
				return true;
			continue;
		}
		attr = v->type->kind == TYPE_OBJECT
			       ? object_attr(o, element_key(v, i))
			       : NULL;
		if (!attr || value_is_null(e))
			continue;
		if (!attr->computed ||
		    (attr->nested &&
		     has_configured(attr->nested,
				    attr->nested->nesting != NESTING_SINGLE,
				    e)))
			return true;
	}
	return false;
}

static const struct value *merge_attr(struct arena *a,
				      const struct schema_attr *attr,
				      const struct value *prior,
				      const struct value *config)
{
	if (attr->computed && value_is_null(config)) {
		/* A nested value that had been configured is now removed. */
		if (attr->optional && attr->nested &&
		    has_configured(attr->nested,
				   attr->nested->nesting != NESTING_SINGLE,
				   prior))
			return config;
		return prior;
	}
	if (attr->nested)
		return merge_nested(a, attr->nested->nesting,
				    (struct shape){ NULL, attr->nested },
				    prior, config);
	return config;
}

static const struct value *merge_object(struct arena *a,
					const struct schema_object *o,
					const struct value *prior,
					const struct value *config)
{
	const struct type *t = config->type;
	const struct value **elems;

	if (value_is_null(config) || t->kind != TYPE_OBJECT)
		return config;
	elems = ARENA_ARRAY(a, const struct value *, t->len);
	for (size_t i = 0; i < t->len; i++) {
		struct str name = t->attrs[i].name;
		const struct schema_attr *attr = object_attr(o, name);
		const struct value *c = object_member(a, config, i, name,
						      t->attrs[i].type);

		if (!attr) { /* cannot be: the type is made from the schema */
			elems[i] = c;
			continue;
		}
		elems[i] = merge_attr(a, attr,
				      object_member(a, prior, i, name,
						    attr->type), c);
	}
	return value_object_like(a, t, elems);
}

static const struct value *merge_block(struct arena *a,
				       const struct schema_block *b,
				       const struct value *prior,
				       const struct value *config)
{
	const struct type *t = b->implied;
	const struct value **elems;
	struct member_cursor cur = { 0, 0 };

	if (config->state != VALUE_KNOWN)
		return prior;
	elems = ARENA_ARRAY(a, const struct value *, t->len);
	for (size_t i = 0; i < t->len; i++) {
		struct str name = t->attrs[i].name;
		const struct value *p, *c;
		const struct schema_attr *attr;
		const struct schema_nested *nested;

		p = object_member(a, prior, i, name, t->attrs[i].type);
		c = object_member(a, config, i, name, t->attrs[i].type);
		member_next(b, &cur, i, &attr, &nested);
		elems[i] = attr ? merge_attr(a, attr, p, c)
				: merge_nested(a, nested->nesting,
					       (struct shape){ nested->block,
							       NULL },
					       p, c);
	}
	return value_object_like(a, config->type->kind == TYPE_OBJECT &&
				      config->type->len == t->len
			      ? config->type : t, elems);
}

const struct value *proposed_new(struct arena *a, const struct schema_block *b,
				 const struct value *prior,
				 const struct value *config)
{
	if (value_is_null(config) && value_is_null(prior))
		return prior;
	if (value_is_null(prior))
		prior = schema_empty_value(a, b);
	return merge_block(a, b, prior, config);
}

const struct value *proposed_unknown(struct arena *a,
				     const struct schema_block *b,
				     const struct value *config)
{
	return merge_block(a, b, value_unknown(a, b->implied), config);
}

static const struct value *merge_shape(struct arena *a, struct shape s,
				       const struct value *prior,
				       const struct value *config)
{
	if (s.object)
		return merge_object(a, s.object, prior, config);
	return proposed_new(a, s.block, prior, config);
}
