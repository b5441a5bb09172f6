/* oci_template.c - see oci.h */
#include "install/oci/oci.h"
#include "install/package/copy_tree.h"
#include "lang/eval/eval.h"
#include "lang/syntax/parse.h"
#include "lang/syntax/walk.h"
#include "value/convert.h"
#include "value/value.h"

enum { NPARTS = PATTERN_PARTS };
static const char *const parts[NPARTS] = { "hostname", "namespace", "type" };

static struct expression parse(struct arena *a, struct str text,
			       struct diags *ds)
{
	const struct source *src =
		source_new(a, STR("<oci_mirror repository_template>"), text);

	return parse_template(a, src, ds);
}

/* With these values of the parts. */
static const struct value *evaluate(struct arena *a, struct expression e,
				    const struct value *const values[NPARTS],
				    struct diags *ds)
{
	struct eval_local locals[NPARTS];

	for (size_t i = 0; i < NPARTS; i++)
		locals[i] = (struct eval_local){ i ? &locals[i - 1] : NULL,
						 str_c(parts[i]), values[i] };
	return eval_with_locals(a, NULL, &locals[NPARTS - 1], e, ds);
}

static struct str without_stop(struct str s)
{
	return str_ends(s, ".") ? str_sub(s, 0, s.n - 1) : s;
}

static struct str first_error(const struct diags *ds)
{
	for (size_t i = 0; i < ds->len; i++)
		if (ds->items[i].severity == SEV_ERROR)
			return without_stop(ds->items[i].detail);
	return STR("it cannot be evaluated");
}

int oci_template_address(struct arena *a, struct str text,
			 struct provider_addr p, struct oci_address *out,
			 struct str *why)
{
	struct diags ds = DIAGS_INIT(a);
	struct expression e = parse(a, text, &ds);
	const struct value *const values[NPARTS] = {
		value_string(a, p.host), value_string(a, p.namespace),
		value_string(a, p.type)
	};
	const struct value *v = NULL;
	struct verror unread;

	if (!diags_failed(&ds))
		v = evaluate(a, e, values, &ds);
	if (diags_failed(&ds)) {
		*why = first_error(&ds);
		return -1;
	}
	v = convert(a, v, &type_string, &unread);
	if (!v || !value_usable(v)) {
		*why = STR("the template must produce a string");
		return -1;
	}
	if (oci_address_parse(a, v->string, out, why))
		return -1;
	return out->name.n ? 0 : oci_address_check(a, *out, why);
}

/* --- checks --- */

static int invalid(const struct range *at, struct str why, struct diags *ds)
{
	return diag_error(ds, at, "Invalid oci_mirror repository template",
			  "%.*s.", STR_ARG(why));
}

/* Do the patterns leave no choice of the part? */
static bool is_settled(const struct str_vec *include, size_t i)
{
	struct str only = STR_NONE, its[PATTERN_PARTS];

	for (size_t k = 0; k < include->len; k++) {
		if (!pattern_parts(include->items[k], its) ||
		    str_is(its[i], "*"))
			continue;
		if (only.n && !str_eq(only, its[i]))
			return false;
		only = its[i];
	}
	return only.n > 0;
}

static int check_names(struct arena *a, struct expression e,
		       const struct str_vec *include, const struct range *at,
		       struct diags *ds)
{
	struct traversal_vec all = { 0 };
	bool used[NPARTS] = { false };
	int rc = 0;

	expression_variables(a, e, &all);
	for (size_t i = 0; i < all.len; i++) {
		struct str name = all.items[i].traversal.root;
		size_t k = 0;

		while (k < NPARTS && !str_is(name, parts[k]))
			k++;
		if (k < NPARTS)
			used[k] = true;
		else
			rc = invalid(
				at,
				str_printf(
					a,
					"There is no \"%.*s\" here, but \"hostname\", \"namespace\" and \"type\"",
					STR_ARG(name)),
				ds);
	}
	for (size_t k = 0; k < NPARTS; k++)
		if (!used[k] && !is_settled(include, k))
			rc = invalid(
				at,
				str_printf(
					a,
					"The template must refer to \"%s\" unless \"include\" leaves one alone",
					parts[k]),
				ds);
	return rc;
}

int oci_template_check(struct arena *a, struct str text,
		       const struct str_vec *include, const struct range *at,
		       struct diags *ds)
{
	const struct provider_addr example = { STR("example.com"),
					       STR("example-namespace"),
					       STR("example-type") };
	struct diags found = DIAGS_INIT(a);
	struct expression e = parse(a, text, &found);
	struct oci_address address;
	struct str why;

	if (diags_failed(&found))
		return invalid(at, first_error(&found), ds);
	if (check_names(a, e, include, at, ds))
		return -1;
	if (!oci_template_address(a, text, example, &address, &why))
		return 0;
	return invalid(
		at,
		str_printf(
			a,
			"The template must name a repository, a registry's host "
			"followed by a slash and a name, and does not: %.*s",
			STR_ARG(why)),
		ds);
}
