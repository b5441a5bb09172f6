/*
 * decode_terraform.c - terraform and language blocks
 *
 * Which versions of the language a module may be read with is looked at
 * before anything else in a file, in a way that understands files of later
 * versions as well: then "Incompatible module" is all there is to say.
 */

#include "base/diag.h"
#include "base/product.h"
#include "config/decode/decode_int.h"
#include "config/decode/decode.h"
#include "config/source/version.h"
#include "lang/eval/eval.h"

static const struct attr_schema no_attrs[] = { { NULL, false } };
static const struct block_schema no_blocks[] = { { NULL, { NULL } } };

/* --- compatibility --- */

/* A constraint on the language's own version. */
static int read_core_constraint(struct decoder *d, const struct attribute *at,
				struct version_constraints *out)
{
	struct range all = attribute_range(at);
	struct str text = STR_NONE;

	*out = (struct version_constraints){ 0 };
	if (decode_version(d, at, &text) || !text.p)
		return -1;
	if (!version_constraints_parse(d->a, text, out))
		return -1;
	for (size_t i = 0; i < out->len; i++)
		if (out->items[i].v.prerelease.n)
			return diag_error(
				d->ds, &all,
				"Invalid required_version constraint",
				"A constraint cannot name a pre-release: leave \"-%.*s\" out.",
				STR_ARG(out->items[i].v.prerelease));
	return 0;
}

static void check_constraint(struct decoder *d, const struct attribute *at)
{
	struct range all = attribute_range(at);
	struct version_constraints c;
	struct version self;

	if (read_core_constraint(d, at, &c))
		return;
	version_parse(STR(COMPATIBLE_VERSION), &self);
	if (version_allowed(&c, &self))
		return;
	diag_coded(d->ds, SEV_ERROR, DIAG_MODULE_INCOMPATIBLE, &all,
		   "This module does not accept version " COMPATIBLE_VERSION
		   " of the language.\n\nUse another version, or change the "
		   "constraint if it is too strict.");
	d->incompatible = true;
}

static const struct attr_schema opentofu_attrs[] = { { "opentofu", false },
						     { NULL, false } };
static const struct body_schema compatible_schema = { opentofu_attrs,
						      no_blocks };

static void check_language(struct decoder *d, const struct block *b)
{
	static const struct block_schema blocks[] = {
		{ "compatible_with", { NULL } }, { NULL, { NULL } }
	};
	static const struct body_schema schema = { no_attrs, blocks };
	const struct attribute *at;
	struct body_content c, in;

	body_partial(d->a, b->body, &schema, &c, NULL, d->ds);
	for (size_t i = 0; i < c.blocks.len; i++) {
		body_partial(d->a, c.blocks.items[i].body, &compatible_schema,
			     &in, NULL, d->ds);
		if ((at = content_attr(&in, "opentofu")))
			check_constraint(d, at);
	}
}

static void check_terraform(struct decoder *d, const struct block *b)
{
	static const struct attr_schema attrs[] = {
		{ "required_version", false }, { NULL, false }
	};
	static const struct body_schema schema = { attrs, no_blocks };
	const struct attribute *at;
	struct body_content c;

	if (!d->tofu) /* meant for the language's other implementation */
		return;
	body_partial(d->a, b->body, &schema, &c, NULL, d->ds);
	if ((at = content_attr(&c, "required_version")))
		check_constraint(d, at);
}

void check_compatible(struct decoder *d, const struct cfg_file *f)
{
	static const struct block_schema blocks[] = {
		{ "terraform", { NULL } },
		{ "language", { NULL } },
		{ NULL, { NULL } },
	};
	static const struct body_schema schema = { no_attrs, blocks };
	struct body_content c;

	body_partial(d->a, f->body, &schema, &c, NULL, d->ds);
	for (size_t i = 0; i < c.blocks.len; i++) {
		const struct block *b = &c.blocks.items[i];

		if (str_is(b->type, "language"))
			check_language(d, b);
		else
			check_terraform(d, b);
	}
}

/* --- terraform --- */

static void take_backend(struct decoder *d, const struct block *b, bool cloud)
{
	struct cfg_backend *be = ARENA_NEW(d->a, struct cfg_backend);

	be->type = cloud ? STR("cloud") : b->labels[0].text;
	be->cloud = cloud;
	be->body = b->body;
	be->at = block_range(b);
	vec_push(d->a, &d->out->backends, be);
}

static void take_provider_meta(struct decoder *d, const struct block *b)
{
	struct cfg_provider_meta *m = ARENA_NEW(d->a, struct cfg_provider_meta);
	struct attribute_vec attrs = { 0 };
	size_t errors = d->ds->errors;

	m->name = b->labels[0].text;
	m->body = b->body;
	m->at = block_range(b);
	if (body_attributes(d->a, b->body, &attrs, d->ds))
		return;
	for (size_t i = 0; i < attrs.len; i++)
		eval_expression(d->a, NULL, attrs.items[i].expr, d->ds);
	check_provider_name(d->a, m->name, &m->at, d->ds);
	if (d->ds->errors == errors)
		vec_push(d->a, &d->out->provider_metas, m);
}

static void take_encryption(struct decoder *d, const struct block *b)
{
	struct range at = block_range(b);
	struct cfg_encryption unused; /* override files may still change it */

	if (!cfg_encryption_decode(d->a, b->body, &at, &unused, d->ds))
		vec_push(d->a, &d->out->encryptions, *b);
}

void decode_terraform(struct decoder *d, const struct block *b)
{
	static const struct attr_schema attrs[] = {
		{ "required_version", false },
		{ "experiments", false }, /* of another implementation */
		{ "language", false },    /* likewise */
		{ NULL, false },
	};
	static const struct block_schema blocks[] = {
		{ "backend", { "type" } },
		{ "cloud", { NULL } },
		{ "required_providers", { NULL } },
		{ "provider_meta", { "provider" } },
		{ "encryption", { NULL } },
		{ NULL, { NULL } },
	};
	static const char *const terraforms[] = { "state_store", NULL };
	static const struct body_schema schema = { attrs, blocks, terraforms };
	const struct attribute *at;
	struct body_content c;

	body_content(d->a, b->body, &schema, &c, d->ds);
	if ((at = content_attr(&c, "required_version")))
		vec_push(d->a, &d->out->required_versions, at->expr);
	for (size_t i = 0; i < c.blocks.len; i++) {
		const struct block *in = &c.blocks.items[i];

		if (str_is(in->type, "backend"))
			take_backend(d, in, false);
		else if (str_is(in->type, "cloud"))
			take_backend(d, in, true);
		else if (str_is(in->type, "required_providers"))
			decode_required_providers(d, in);
		else if (str_is(in->type, "provider_meta"))
			take_provider_meta(d, in);
		else
			take_encryption(d, in);
	}
}

/* --- language --- */

static const char edition[] = "tofu2024";

static void check_edition(struct decoder *d, const struct attribute *at)
{
	struct str word = expression_keyword(at->expr);
	struct range r = expression_range(at->expr);

	if (str_is(word, edition))
		return;
	if (!word.n)
		diag_error(d->ds, &r, "Invalid language edition",
			   "\"edition\" takes a bare keyword; the only one "
			   "is %s, which is also the default.",
			   edition);
	else
		diag_error(
			d->ds, &r, "Unsupported language edition",
			"The language edition \"%.*s\" is not supported, only %s is.",
			STR_ARG(word), edition);
}

static void check_experiments(struct decoder *d, const struct attribute *at)
{
	struct expression *items;
	size_t n;

	if (expression_list(d->a, at->expr, &items, &n, d->ds))
		return;
	for (size_t i = 0; i < n; i++) {
		struct str word = expression_keyword(items[i]);
		struct range r = expression_range(items[i]);

		if (!word.n)
			diag_error(
				d->ds, &r, "Invalid experiment keyword",
				"The elements of \"experiments\" are keywords.");
		else
			diag_error(d->ds, &r, "Unknown experiment keyword",
				   "There is no experiment \"%.*s\".",
				   STR_ARG(word));
	}
}

/* The constraint has been looked at by check_compatible; here it matters
 * whether it can have an effect. */
static bool check_effective(struct decoder *d, const struct block *b)
{
	struct diags quiet = DIAGS_INIT(d->a);
	struct decoder silent = *d;
	const struct attribute *at;
	struct version_constraints cs;
	struct version before;
	struct body_content c;
	struct range r;

	body_partial(d->a, b->body, &compatible_schema, &c, NULL, d->ds);
	at = content_attr(&c, "opentofu");
	if (!at)
		return false;
	silent.ds = &quiet;
	if (read_core_constraint(&silent, at, &cs))
		return false;
	version_parse(STR("1.11.0"), &before);
	r = attribute_range(at);
	if (version_allowed(&cs, &before))
		diag_warning(d->ds, &r, "Ineffective version constraint",
			     "Versions before 1.12.0 do not know "
			     "compatible_with blocks, so the constraint should "
			     "exclude them.");
	return true;
}

void decode_language(struct decoder *d, const struct block *b)
{
	static const struct attr_schema attrs[] = { { "edition", false },
						    { "experiments", false },
						    { NULL, false } };
	static const struct block_schema blocks[] = {
		{ "compatible_with", { NULL } }, { NULL, { NULL } }
	};
	static const struct body_schema schema = { attrs, blocks };
	struct range r = block_range(b);
	const struct attribute *at;
	struct body_content c;
	bool seen = false;

	if (d->override) {
		diag_error(
			d->ds, &r, "Language selections in override file",
			"A \"language\" block cannot stand in an override file.");
		return;
	}
	body_content(d->a, b->body, &schema, &c, d->ds);
	if ((at = content_attr(&c, "edition")))
		check_edition(d, at);
	if ((at = content_attr(&c, "experiments")))
		check_experiments(d, at);
	for (size_t i = 0; i < c.blocks.len; i++) {
		if (seen)
			diag_error(d->ds, &r, "Duplicate compatible_with block",
				   "Only one compatible_with block of a "
				   "language block can be about OpenTofu.");
		else
			seen = check_effective(d, &c.blocks.items[i]);
	}
}
