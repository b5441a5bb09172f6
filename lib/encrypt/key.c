/*
 * key.c - key providers: their arguments evaluated, what they make kept for
 * the run
 *
 * A key provider is a value in the expressions of others and of methods:
 * key_provider.TYPE.NAME, an object of two lists of bytes.  In JSON a string
 * that holds such a name is one, too.
 *
 * To encrypt, a provider makes a new key, and something to store; to decrypt it
 * finds the key again by what was stored.  OpenTofu always does both.  Here who
 * decrypts makes no new key: the one for decrypting stands in for it.
 *
 * What was made is kept for the process, and handed on to the other stages of
 * the run (key_ring.c).
 */
#include "encrypt/encrypt_int.h"
#include "config/load/load.h"
#include "json/read.h"
#include "lang/eval/eval.h"
#include "lang/syntax/parse.h"
#include "lang/syntax/walk.h"
#include "remote/remote.h"
#include "value/marks.h"

static const struct key_maker *const kinds[] = {
	&key_pbkdf2,  &key_external, &key_xor,         &key_openbao,
	&key_aws_kms, &key_gcp_kms,  &key_azure_vault,
};

static const struct key_maker *find_kind(struct str type)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (str_is(type, kinds[i]->type))
			return kinds[i];
	return NULL;
}

/* --- evaluation --- */

static int provide(struct encryption *e, const struct key_scene *outer,
		   const struct cfg_encryption_block *b, struct key_meta *meta,
		   struct key_pair *out, struct diags *ds);

static const struct cfg_encryption_block *find_provider(
	const struct encryption *e, struct str type, struct str name)
{
	for (size_t i = 0; i < e->cfg.keys.len; i++) {
		const struct cfg_encryption_block *b = &e->cfg.keys.items[i];

		if (str_eq(b->type, type) && str_eq(b->name, name))
			return b;
	}
	return NULL;
}

/* The provider that a reference names; NULL after a diagnostic. */
static const struct cfg_encryption_block *referred(const struct encryption *e,
						   const struct traversal *t,
						   const struct range *at,
						   struct diags *ds)
{
	const struct cfg_encryption_block *b;

	if (t->nsteps < 2 || t->steps[0].kind != STEP_ATTR ||
	    t->steps[1].kind != STEP_ATTR) {
		diag_error(ds, at, "Invalid Key Provider expression format",
			   "A key provider is named by its type and name, as "
			   "in key_provider.pbkdf2.main.");
		return NULL;
	}
	b = find_provider(e, t->steps[0].name, t->steps[1].name);
	if (!b)
		diag_error(
			ds, at, "Reference to undeclared key provider",
			"The encryption block has no key_provider \"%.*s\" \"%.*s\".",
			STR_ARG(t->steps[0].name), STR_ARG(t->steps[1].name));
	return b;
}

/* Key providers that a traversal names are objects of an object, by type and
 * name. */
struct known_keys {
	struct str_vec types;
	VEC(struct map) by_type;
};

static struct map *keys_of(struct arena *a, struct known_keys *k,
			   struct str type)
{
	static const struct map none = { 0 };

	for (size_t i = 0; i < k->types.len; i++)
		if (str_eq(k->types.items[i], type))
			return &k->by_type.items[i];
	vec_push(a, &k->types, type);
	vec_push(a, &k->by_type, none);
	return &k->by_type.items[k->by_type.len - 1];
}

static const struct value *known_value(struct arena *a, struct known_keys *k)
{
	struct map all = { 0 };

	for (size_t i = 0; i < k->types.len; i++)
		map_put(a, &all, k->types.items[i],
			(void *)key_object(a, &k->by_type.items[i]));
	return key_object(a, &all);
}

/* The value of all key providers that x names.  NULL after a diagnostic. */
static const struct value *providers_in(struct encryption *e,
					const struct key_scene *s,
					struct expression x, struct diags *ds)
{
	struct known_keys known = { .types = { 0 } };
	struct traversal_vec vars = { 0 };

	expression_variables(e->a, x, &vars);
	for (size_t i = 0; i < vars.len; i++) {
		const struct traversal *t = &vars.items[i].traversal;
		const struct cfg_encryption_block *b;
		struct key_pair pair;

		if (!str_is(t->root, "key_provider"))
			continue;
		b = referred(e, t, &s->at, ds);
		if (!b || provide(e, s, b, s->meta, &pair, ds))
			return NULL;
		map_put(e->a, keys_of(e->a, &known, b->type), b->name,
			(void *)key_pair_value(e->a, &pair));
	}
	return known_value(e->a, &known);
}

/* In JSON a string may hold the name of a key provider. */
static const struct value *named_by_text(struct encryption *e,
					 const struct key_scene *s,
					 struct expression x,
					 const struct value *v,
					 struct diags *ds)
{
	struct diags own = DIAGS_INIT(e->a);
	struct expression inner;

	if (x.root->kind != EXPR_JSON || v->type != &type_string ||
	    !value_usable(v) || !str_starts(v->string, "key_provider."))
		return v;
	inner = parse_expression(e->a, source_new(e->a, STR("JSON"), v->string),
				 &own);
	if (diags_failed(&own) || !inner.root || inner.root->kind != EXPR_SCOPE)
		return v;
	return key_evaluate(e, s, inner, ds);
}

const struct value *key_evaluate(struct encryption *e,
				 const struct key_scene *s, struct expression x,
				 struct diags *ds)
{
	struct eval_local among = { NULL, STR("key_provider"), NULL };
	struct diags own = DIAGS_INIT(e->a);
	const size_t errors = ds->errors;
	const struct value *v;

	among.value = providers_in(e, s, x, ds);
	if (!among.value)
		return NULL;
	v = config_static_value(e->c, e->o, x, &among, s->subject, &s->at,
				&own);
	key_tell(ds, &own, &s->at);
	if (ds->errors > errors)
		return NULL;
	if (!v || !value_wholly_known(v)) {
		diag_error(ds, &s->at, "Unknown value in encryption block",
			   "%s depends on something that has no value yet.",
			   s->subject);
		return NULL;
	}
	v = value_unmark_deep(e->a, v, NULL);
	return named_by_text(e, s, x, v, ds);
}

const struct value *key_value(struct encryption *e, struct key_meta *meta,
			      struct expression x, const char *subject,
			      const struct range *at, struct diags *ds)
{
	const struct key_scene s = { .meta = meta,
				     .subject = subject,
				     .at = *at };

	return key_evaluate(e, &s, x, ds);
}

/* --- a provider at work --- */

static struct str meta_name(struct encryption *e,
			    const struct cfg_encryption_block *b)
{
	return b->alias.n ? b->alias
			  : STR_CAT(e->a, STR("key_provider."), b->type,
				    STR("."), b->name);
}

static int check_circle(const struct key_scene *s,
			const struct cfg_encryption_block *b, struct diags *ds)
{
	for (const struct key_scene *o = s; o; o = o->outer)
		if (o->block == b)
			return diag_error(
				ds, &b->at, "Circular reference detected",
				"key_provider.%.*s.%.*s needs its own key.",
				STR_ARG(b->type), STR_ARG(b->name));
	return 0;
}

static int failed(struct encryption *e, const struct cfg_encryption_block *b,
		  const char *summary, struct str why, struct diags *ds)
{
	return diag_error(ds, &b->at, summary, "%.*s: %.*s.",
			  STR_ARG(meta_name(e, b)), STR_ARG(why));
}

/* Adds what is to be stored; each name is one provider's. */
static int note_meta(struct encryption *e, struct map *to,
		     const struct map *from,
		     const struct cfg_encryption_block *b, struct diags *ds)
{
	for (size_t i = 0; i < from->len; i++) {
		const struct map_entry *x = &from->entries[i];
		const void *before = map_put(e->a, to, x->key, x->value);

		if (before && before != x->value)
			return diag_error(
				ds, &b->at, "Duplicate metadata key",
				"Two key providers of one method store their "
				"data as \"%.*s\". Give one of them another "
				"encrypted_metadata_alias.",
				STR_ARG(x->key));
	}
	return 0;
}

static int keep(struct encryption *e, const struct key_job *j,
		const struct key_meta *needed, struct key_kept *k,
		struct diags *ds)
{
	struct map own = { 0 };

	k->pair = j->keys;
	if (j->use == KEY_DECRYPT) {
		if (!k->pair.encrypt.n)
			k->pair.encrypt = k->pair.decrypt;
		return 0;
	}
	if (j->out.n)
		map_put(e->a, &own, meta_name(e, j->block),
			arena_dup(e->a, &j->out, sizeof(j->out)));
	return note_meta(e, &k->out, &needed->out, j->block, ds) ||
			       note_meta(e, &k->out, &own, j->block, ds)
		       ? -1
		       : 0;
}

static int make(struct encryption *e, const struct key_scene *outer,
		const struct cfg_encryption_block *b, struct key_meta *meta,
		const struct str *stored, struct key_kept *out,
		struct diags *ds)
{
	struct key_meta needed = { .use = meta->use, .in = meta->in };
	const struct key_scene s = {
		.outer = outer,
		.block = b,
		.meta = &needed,
		.subject = arena_printf(e->a, "key_provider.%.*s.%.*s",
					STR_ARG(b->type), STR_ARG(b->name)),
		.at = b->at
	};
	const struct key_maker *kind = find_kind(b->type);
	struct key_job j = { .e = e, .block = b, .use = meta->use };
	struct json_error err;
	struct str why = STR_NONE;
	bool build = false;
	int rc;

	if (!kind)
		return diag_error(ds, &b->at, "Unknown key_provider type",
				  "This version has no key provider \"%.*s\".",
				  STR_ARG(b->type));
	j.args = key_arguments(e, &s, b->body, kind->arguments, ds);
	meta->unavailable |= needed.unavailable;
	if (!j.args)
		return -1;
	if (stored && !(j.in = json_parse(e->a, *stored, &err)))
		return failed(e, b,
			      "Unable to decode encrypted metadata (did you "
			      "change your encryption config?)",
			      STR("what was stored for it is not JSON"), ds);
	rc = kind->provide(&j, &why, &build);
	if (e->remote)
		remote_end(e->remote); /* it holds signals back */
	if (rc) {
		meta->unavailable |= !build;
		return failed(e, b,
			      build ? "Unable to build encryption key data"
				    : "Unable to fetch encryption key data",
			      why, ds);
	}
	return keep(e, &j, &needed, out, ds);
}

/* What its key depends on: all that was stored, for a provider may need keys of
 * others and store nothing itself (xor). */
static struct str kept_id(struct encryption *e,
			  const struct cfg_encryption_block *b,
			  const struct key_meta *meta)
{
	const struct map_entry *sorted = map_sorted(e->a, &meta->in);
	struct buf id = BUF_INIT;

	buf_addf(&id, "%s %.*s.%.*s",
		 meta->use == KEY_ENCRYPT ? "encrypt" : "decrypt",
		 STR_ARG(b->type), STR_ARG(b->name));
	for (size_t i = 0; i < meta->in.len; i++) {
		const struct str *stored = sorted[i].value;

		buf_addf(&id, " %.*s=%.*s", STR_ARG(sorted[i].key),
			 STR_ARG(*stored));
	}
	return buf_take(e->a, &id);
}

/* NULL: it is to be made. */
static struct key_kept *find_kept(struct encryption *e, struct str id)
{
	struct key_kept *k = map_get(&e->keys, id), handed = { 0 };

	if (k || !key_ring_find(e, id, &handed))
		return k;
	k = arena_dup(e->a, &handed, sizeof(handed));
	map_put(e->a, &e->keys, id, k);
	return k;
}

static int provide(struct encryption *e, const struct key_scene *outer,
		   const struct cfg_encryption_block *b, struct key_meta *meta,
		   struct key_pair *out, struct diags *ds)
{
	const struct str *stored = map_get(&meta->in, meta_name(e, b));
	struct str id = kept_id(e, b, meta);
	struct key_kept *k;

	if (check_circle(outer, b, ds))
		return -1;
	k = find_kept(e, id);
	if (!k) {
		k = ARENA_NEW(e->a, struct key_kept);
		if (make(e, outer, b, meta, stored, k, ds))
			return -1;
		map_put(e->a, &e->keys, id, k);
		key_ring_add(e, id, k);
	}
	*out = k->pair;
	return note_meta(e, &meta->out, &k->out, b, ds);
}

/* --- beforehand --- */

bool key_begin(struct encryption *e, struct expression x)
{
	struct diags unused = DIAGS_INIT(e->a);
	struct key_meta meta = { .use = KEY_ENCRYPT };
	struct key_job j = { .e = e, .use = KEY_ENCRYPT };
	struct key_scene s = { .meta = &meta, .subject = "" };
	const struct key_maker *kind;
	struct traversal_ref r;

	if (expression_traversal(e->a, x, &r, &unused) ||
	    r.traversal.nsteps != 2 ||
	    !(j.block = referred(e, &r.traversal, &s.at, &unused)))
		return false;
	kind = find_kind(j.block->type);
	if (!kind || !kind->begin)
		return false;
	if (find_kept(e, kept_id(e, j.block, &meta)))
		return true;
	s.block = j.block;
	s.at = j.block->at;
	j.args = key_arguments(e, &s, j.block->body, kind->arguments, &unused);
	return j.args && kind->begin(&j);
}
