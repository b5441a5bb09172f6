/* expect.c - what a run expects to fail */
#include "base/diag.h"
#include "suite/suite_int.h"

struct expected {
	struct map failed; /* address -> has it failed? */
	VEC(struct str) order;
};

static bool yes = true, no = false;

struct expected *expect_new(struct test_run *r)
{
	struct expected *x = ARENA_NEW(&r->arena, struct expected);

	for (size_t i = 0; i < r->block->expect_failures.len; i++) {
		struct str name =
			test_checkable(&r->arena,
				       &r->block->expect_failures.items[i]);

		if (!map_has(&x->failed, name))
			vec_push(&r->arena, &x->order, name);
		map_put(&r->arena, &x->failed, name, &no);
	}
	return x;
}

bool expects(const struct expected *x, struct str address)
{
	return map_has(&x->failed, address);
}

/* The object, or all instances of it. */
static bool take(struct test_run *r, struct expected *x, struct str check)
{
	ptrdiff_t bracket = str_chr(check, '[');

	if (!expects(x, check) && bracket >= 0)
		check = str_sub(check, 0, (size_t)bracket);
	if (!expects(x, check))
		return false;
	map_put(&r->arena, &x->failed, check, &yes);
	return true;
}

static bool is_check(const struct diag *d)
{
	return d->check.n && diag_kind(d->code)->check;
}

void expect_filter(struct test_run *r, struct expected *x,
		   const struct diags *from, struct diags *out)
{
	for (size_t i = 0; i < from->len; i++) {
		struct diag d = from->items[i];
		bool counts = d.severity == SEV_ERROR || is_check(&d);

		if (d.check.n && counts && d.code != DIAG_PLAIN &&
		    d.code != DIAG_ASSERTION && take(r, x, d.check))
			continue;
		if (is_check(&d))
			d.severity = SEV_ERROR;
		diags_push(out, d);
	}
}

void expect_missing(struct test_run *r, struct expected *x, struct diags *out)
{
	for (size_t i = 0; i < r->block->expect_failures.len; i++) {
		const struct traversal_ref *t =
			&r->block->expect_failures.items[i];
		struct str name = test_checkable(&r->arena, t);
		struct range at = source_range(t->src, t->span);

		if (*(bool *)map_get(&x->failed, name))
			continue;
		map_put(&r->arena, &x->failed, name, &yes);
		diag_error(out, &at, "Missing expected failure",
			   "%.*s was expected to report an error, and did not.",
			   STR_ARG(name));
	}
}
