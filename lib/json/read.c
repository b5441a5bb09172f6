/*
 * read.c - JSON text to tree; see json.h.  Wraps yajl.
 *
 * yajl calls back for each token.  Open containers collect their members on
 * one stack (names unused in arrays); when a container closes, its members
 * move to the arena as one array.  Decoded strings are packed into pools cut
 * from the arena, so a document costs few allocations.
 */
#include <stdlib.h>
#include <yajl/yajl_parse.h>

#include "json/json.h"
#include "json/string.h"

enum {
	MAX_DEPTH = 1000,
	POOL_SIZE = 16 << 10,
};

struct reader {
	struct arena *arena;
	struct json_member *stack; /* members of all open containers */
	size_t len, cap;
	size_t open[MAX_DEPTH];    /* where each container begins in stack */
	int depth;
	struct str name;           /* of the member that comes next */
	char *pool;                /* free string space */
	size_t pool_left;
	size_t pool_size;          /* a small text needs no large pool */
	const char *refused;       /* why a callback stopped the parser */
	yajl_handle parser;
	struct str text;
	const char *quote;         /* behind the last string of text */
};

static struct str keep(struct reader *r, const void *p, size_t n)
{
	char *to;

	if (n > r->pool_left || !r->pool) { /* an empty text is not absent */
		if (n >= POOL_SIZE / 4)
			return (struct str){ arena_dup(r->arena, p, n), n };
		r->pool = arena_alloc(r->arena, r->pool_size);
		r->pool_left = r->pool_size;
	}
	to = r->pool;
	if (n)
		memcpy(to, p, n);
	r->pool += n;
	r->pool_left -= n;
	return (struct str){ to, n };
}

static struct json *push(struct reader *r, enum json_kind kind)
{
	struct json_member *m;

	if (r->len == r->cap) {
		r->cap = r->cap ? r->cap * 2 : 256;
		r->stack = xrealloc(r->stack, r->cap * sizeof(*r->stack));
	}
	m = &r->stack[r->len++];
	m->name = r->name;
	m->value = (struct json){ .kind = kind };
	return &m->value;
}

static int on_null(void *ctx)
{
	push(ctx, JSON_NULL);
	return 1;
}

static int on_bool(void *ctx, int b)
{
	push(ctx, JSON_BOOL)->boolean = b;
	return 1;
}

static int on_number(void *ctx, const char *p, size_t n)
{
	struct str text = keep(ctx, p, n);

	push(ctx, JSON_NUMBER)->text = text;
	return 1;
}

/* yajl hands over a place in the text where there are no escapes.  Others are
 * undone here, from the text: yajl makes a "?" of half a surrogate pair. */
static struct str string(struct reader *r, const unsigned char *token, size_t n)
{
	const char *p = (const char *)token;

	if (p >= r->text.p && p < r->text.p + r->text.n) {
		r->quote = p + n + 1;
		return keep(r, p, n);
	}
	p = r->text.p + yajl_get_bytes_consumed(r->parser);
	r->quote = memchr(r->quote, '"', (size_t)(p - r->quote));
	n = (size_t)(p - r->quote) - 2;
	token = (const unsigned char *)r->quote + 1;
	r->quote = p;
	return json_unescape(r->arena, (struct str){ (const char *)token, n });
}

static int on_string(void *ctx, const unsigned char *p, size_t n)
{
	struct str text = string(ctx, p, n);

	push(ctx, JSON_STRING)->text = text;
	return 1;
}

static int on_key(void *ctx, const unsigned char *p, size_t n)
{
	struct reader *r = ctx;

	r->name = string(r, p, n);
	return 1;
}

static int open_container(struct reader *r, enum json_kind kind)
{
	if (r->depth == MAX_DEPTH) {
		r->refused = "nested more than 1,000 levels deep";
		return 0;
	}
	push(r, kind);
	r->open[r->depth++] = r->len;
	r->name = STR_NONE;
	return 1;
}

static int on_array(void *ctx)
{
	return open_container(ctx, JSON_ARRAY);
}

static int on_object(void *ctx)
{
	return open_container(ctx, JSON_OBJECT);
}

static int on_array_end(void *ctx)
{
	struct reader *r = ctx;
	size_t from = r->open[--r->depth], n = r->len - from;
	struct json *items = arena_alloc(r->arena, n * sizeof(*items));

	for (size_t i = 0; i < n; i++)
		items[i] = r->stack[from + i].value;
	r->stack[from - 1].value.len = (uint32_t)n;
	r->stack[from - 1].value.items = items;
	r->len = from;
	return 1;
}

static int on_object_end(void *ctx)
{
	struct reader *r = ctx;
	size_t from = r->open[--r->depth], n = r->len - from;

	r->stack[from - 1].value.len = (uint32_t)n;
	r->stack[from - 1].value.members =
		arena_dup(r->arena, r->stack + from, n * sizeof(*r->stack));
	r->len = from;
	return 1;
}

static const yajl_callbacks callbacks = {
	.yajl_null = on_null,
	.yajl_boolean = on_bool,
	.yajl_number = on_number,
	.yajl_string = on_string,
	.yajl_start_map = on_object,
	.yajl_map_key = on_key,
	.yajl_end_map = on_object_end,
	.yajl_start_array = on_array,
	.yajl_end_array = on_array_end,
};

/* --- parsing --- */

static void *alloc_cb(void *ctx, size_t n)
{
	(void)ctx;
	return xmalloc(n);
}

static void *realloc_cb(void *ctx, void *p, size_t n)
{
	(void)ctx;
	return xrealloc(p, n);
}

static void free_cb(void *ctx, void *p)
{
	(void)ctx;
	free(p);
}

/* Where text stops being valid UTF-8; text.n if nowhere.  (yajl's own check
 * lets some overlong forms pass.) */
static size_t utf8_upto(struct str text)
{
	size_t i = 0;

	while (i < text.n) {
		uint64_t word;
		size_t len;

		if (i + sizeof(word) <= text.n) {
			memcpy(&word, text.p + i, sizeof(word));
			if (!(word & 0x8080808080808080u)) {
				i += sizeof(word);
				continue;
			}
		}
		len = utf8_len(text.p + i, text.n - i);
		if (!len)
			return i;
		i += len;
	}
	return text.n;
}

static void explain(struct arena *a, struct reader *r, yajl_handle h,
		    struct json_error *err, size_t size)
{
	unsigned char *text;
	const char *p;
	size_t n;

	err->offset = yajl_get_bytes_consumed(h);
	if (err->offset > size)
		err->offset = size;
	if (r->refused) {
		err->message = r->refused;
		return;
	}
	text = yajl_get_error(h, 0, NULL, 0);
	p = (const char *)text;
	for (const char *colon; (colon = strstr(p, ": "));)
		p = colon + 2; /* "lexical error: why" */
	n = strcspn(p, "\n");
	err->message = arena_strndup(a, p, n);
	yajl_free_error(h, text);
}

const struct json *json_parse(struct arena *a, struct str text,
			      struct json_error *err)
{
	yajl_alloc_funcs memory = { alloc_cb, realloc_cb, free_cb, NULL };
	struct reader r = { .arena = a };
	struct json *root = NULL;
	yajl_handle h;
	yajl_status st;

	err->offset = utf8_upto(text);
	if (err->offset < text.n) {
		err->message = "invalid UTF-8";
		return NULL;
	}
	r.text = text;
	r.quote = text.p;
	/* All strings together are shorter than the text. */
	r.pool_size = text.n < POOL_SIZE ? text.n + 1 : POOL_SIZE;
	r.parser = h = yajl_alloc(&callbacks, &memory, &r);
	yajl_config(h, yajl_dont_validate_strings, 1);
	st = yajl_parse(h, (const unsigned char *)text.p, text.n);
	/* Ends a string that is open behind the value, which yajl ignores. */
	if (st == yajl_status_ok)
		st = yajl_parse(h, (const unsigned char *)"\n", 1);
	if (st == yajl_status_ok)
		st = yajl_complete_parse(h);
	if (st == yajl_status_ok && r.len == 1)
		root = arena_dup(a, &r.stack[0].value, sizeof(*root));
	else
		explain(a, &r, h, err, text.n);
	yajl_free(h);
	free(r.stack);
	return root;
}

/* --- looking --- */

const struct json *json_get(const struct json *j, const char *name)
{
	if (!j || j->kind != JSON_OBJECT)
		return NULL;
	for (uint32_t i = j->len; i-- > 0;) {
		if (str_is(j->members[i].name, name))
			return &j->members[i].value;
	}
	return NULL;
}

struct str json_get_str(const struct json *j, const char *name)
{
	const struct json *m = json_get(j, name);

	return m && m->kind == JSON_STRING ? m->text : STR_NONE;
}

bool json_get_bool(const struct json *j, const char *name, bool otherwise)
{
	const struct json *m = json_get(j, name);

	return m && m->kind == JSON_BOOL ? m->boolean : otherwise;
}

int64_t json_get_int(const struct json *j, const char *name, int64_t otherwise)
{
	const struct json *m = json_get(j, name);
	int64_t n = 0;
	bool negative;
	size_t i;

	if (!m || m->kind != JSON_NUMBER)
		return otherwise;
	negative = m->text.n && m->text.p[0] == '-';
	for (i = negative; i < m->text.n; i++) {
		int digit = m->text.p[i] - '0';

		if (digit < 0 || digit > 9 ||
		    __builtin_mul_overflow(n, 10, &n) ||
		    __builtin_sub_overflow(n, digit, &n))
			return otherwise;
	}
	if (negative)
		return n;
	return n == INT64_MIN ? otherwise : -n;
}

struct str json_peek_record(struct str line)
{
	static const char head[] = "{\"record\":\"";
	size_t from = sizeof(head) - 1, i;

	if (!str_starts(line, head))
		return STR_NONE;
	for (i = from; i < line.n && line.p[i] != '"'; i++) {
		if (line.p[i] == '\\')
			return STR_NONE;
	}
	return i < line.n ? str_sub(line, from, i) : STR_NONE;
}
