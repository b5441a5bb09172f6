/*
 * regex_prog.c - from syntax trees to programs; see regex_int.h
 */
#include "funcs/regex_int.h"

enum { PROG_MAX = 200000 };

static uint32_t emit(struct regex *re, enum re_op op)
{
	struct re_inst in = { .op = op };

	vec_push(re->arena, &re->prog, in);
	return (uint32_t)re->prog.len - 1;
}

static struct re_inst *inst(struct regex *re, uint32_t at)
{
	return &re->prog.items[at];
}

static uint32_t here(const struct regex *re)
{
	return (uint32_t)re->prog.len;
}

/* Goes on, or (preferring that if it is lazy) elsewhere: set_exit. */
static uint32_t emit_split(struct regex *re)
{
	return emit(re, OP_SPLIT);
}

static void set_split(struct regex *re, uint32_t at, uint32_t enter,
		      uint32_t leave, bool lazy)
{
	inst(re, at)->to = lazy ? leave : enter;
	inst(re, at)->other = lazy ? enter : leave;
}

/* Can it match nothing? */
static bool nullable(const struct re *n)
{
	switch (n->kind) {
	case RE_SET:
		return false;
	case RE_CAPTURE:
		return nullable(n->sub[0]);
	case RE_REPEAT:
		return n->min == 0 || nullable(n->sub[0]);
	case RE_CONCAT:
		for (size_t i = 0; i < n->nsub; i++) {
			if (!nullable(n->sub[i]))
				return false;
		}
		return true;
	case RE_ALT:
		for (size_t i = 0; i < n->nsub; i++) {
			if (nullable(n->sub[i]))
				return true;
		}
		return false;
	default:
		return true;
	}
}

static void compile(struct regex *re, const struct re *n);

/* x+ */
static void compile_plus(struct regex *re, const struct re *x, bool lazy)
{
	uint32_t start = here(re), split;

	compile(re, x);
	split = emit_split(re);
	set_split(re, split, start, here(re), lazy);
}

/* x*; as (x+)? where x can match nothing, so that the empty match comes in
 * its turn. */
static void compile_star(struct regex *re, const struct re *x, bool lazy)
{
	uint32_t split = emit_split(re), start = here(re);

	if (nullable(x)) {
		compile_plus(re, x, lazy);
	} else {
		compile(re, x);
		inst(re, emit(re, OP_GOTO))->to = split;
	}
	set_split(re, split, start, here(re), lazy);
}

/* x{n,m}: n times, then up to m - n times more, each only after the one
 * before. */
static void compile_repeat(struct regex *re, const struct re *n)
{
	const struct re *x = n->sub[0];
	VEC(uint32_t) exits = { 0 };

	if (n->max < 0) {
		for (int i = 1; i < n->min; i++)
			compile(re, x);
		if (n->min == 0)
			compile_star(re, x, n->lazy);
		else
			compile_plus(re, x, n->lazy);
		return;
	}
	for (int i = 0; i < n->max && re->prog.len <= PROG_MAX; i++) {
		if (i >= n->min)
			vec_push(re->arena, &exits, emit_split(re));
		compile(re, x);
	}
	for (size_t i = 0; i < exits.len; i++)
		set_split(re, exits.items[i], exits.items[i] + 1, here(re),
			  n->lazy);
}

static void compile_alt(struct regex *re, const struct re *n)
{
	VEC(uint32_t) ends = { 0 };

	for (size_t i = 0; i + 1 < n->nsub; i++) {
		uint32_t split = emit_split(re);

		compile(re, n->sub[i]);
		vec_push(re->arena, &ends, emit(re, OP_GOTO));
		set_split(re, split, split + 1, here(re), false);
	}
	compile(re, n->sub[n->nsub - 1]);
	for (size_t i = 0; i < ends.len; i++)
		inst(re, ends.items[i])->to = here(re);
}

static void save(struct regex *re, uint32_t slot)
{
	inst(re, emit(re, OP_SAVE))->slot = slot;
}

/* As deep as the tree, which the parser limits.  Stops growing at PROG_MAX. */
static void compile(struct regex *re, const struct re *n)
{
	if (re->prog.len > PROG_MAX)
		return;
	switch (n->kind) {
	case RE_EMPTY:
		break;
	case RE_SET:
		inst(re, emit(re, OP_CHAR))->set = n->set;
		break;
	case RE_ASSERT:
		inst(re, emit(re, OP_CHECK))->assertion = n->assertion;
		break;
	case RE_CAPTURE:
		save(re, 2 * n->capture);
		compile(re, n->sub[0]);
		save(re, 2 * n->capture + 1);
		break;
	case RE_REPEAT:
		compile_repeat(re, n);
		break;
	case RE_CONCAT:
		for (size_t i = 0; i < n->nsub; i++)
			compile(re, n->sub[i]);
		break;
	case RE_ALT:
		compile_alt(re, n);
		break;
	}
}

struct regex *regex_compile(struct arena *a, struct str pattern,
			    struct re_error *err)
{
	struct regex *re = ARENA_NEW(a, struct regex);
	const struct re *tree;

	re->arena = a;
	tree = re_parse(a, pattern, &re->names, err);
	if (!tree)
		return NULL;
	re->nslots = 2 * (re->names.len + 1);
	compile(re, tree);
	emit(re, OP_DONE);
	/* The matcher needs memory in proportion to both. */
	if (re->prog.len > PROG_MAX ||
	    re->prog.len * re->nslots > 10 * PROG_MAX) {
		*err = (struct re_error){ "expression too large", pattern };
		return NULL;
	}
	return re;
}
