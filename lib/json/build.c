/* build.c - see json_int.h */
#include <stdlib.h>

#include "json/json_int.h"

void json_build_grow_(struct json_build *b)
{
	b->cap = b->cap ? b->cap * 2 : 64;
	b->stack = xrealloc(b->stack, b->cap * sizeof(*b->stack));
}

/* While it is open, its length holds the start of the container around it. */
bool json_build_open(struct json_build *b, enum json_kind kind)
{
	if (b->depth == JSON_DEPTH)
		return false;
	json_build_value(b, kind)->len = (uint32_t)b->open;
	b->open = b->len;
	b->depth++;
	b->name = STR_NONE;
	return true;
}

static const struct json *items(struct arena *a, const struct json_member *from,
				size_t n)
{
	struct json *to = arena_alloc(a, n * sizeof(*to));

	for (size_t i = 0; i < n; i++)
		to[i] = from[i].value;
	return to;
}

void json_build_close(struct json_build *b)
{
	const struct json_member *from = b->stack + b->open;
	struct json *j = &b->stack[b->open - 1].value;
	size_t n = b->len - b->open;

	b->len = b->open;
	b->open = j->len;
	b->depth--;
	j->len = (uint32_t)n;
	if (j->kind == JSON_ARRAY)
		j->items = items(b->arena, from, n);
	else
		j->members = arena_dup(b->arena, from, n * sizeof(*from));
}

const struct json *json_build_end(struct json_build *b)
{
	const struct json *root = NULL;

	if (b->len == 1 && !b->depth)
		root = arena_dup(b->arena, &b->stack[0].value, sizeof(*root));
	free(b->stack);
	return root;
}
