/*
 * read.c - JSON text to tree; see json.h.  Wraps yajl.
 *
 * yajl finds the tokens and calls back for each.  Decoded strings are packed
 * into pools cut from the arena, so a document costs few allocations.
 */
#include <stdlib.h>
#include <yajl/yajl_parse.h>

#include "json/read.h"
#include "json/json_int.h"
#include "json/write.h"

enum { POOL_SIZE = 16 << 10 };

struct tree_reader {
	struct json_build b;
	char *pool; /* free string space */
	size_t pool_left;
	size_t pool_size;    /* a small text needs no large pool */
	const char *refused; /* why a callback stopped the parser */
	yajl_handle parser;
	struct str text;
	const char *quote; /* behind the last string of text */
};

static struct str keep(struct tree_reader *r, const void *p, size_t n)
{
	char *to;

	if (n > r->pool_left || !r->pool) { /* an empty text is not absent */
		if (n >= POOL_SIZE / 4)
			return (struct str){ arena_dup(r->b.arena, p, n), n };
		r->pool = arena_alloc(r->b.arena, r->pool_size);
		r->pool_left = r->pool_size;
	}
	to = r->pool;
	if (n)
		memcpy(to, p, n);
	r->pool += n;
	r->pool_left -= n;
	return (struct str){ to, n };
}

static int on_null(void *ctx)
{
	struct tree_reader *r = ctx;

	json_build_value(&r->b, JSON_NULL);
	return 1;
}

static int on_bool(void *ctx, int b)
{
	struct tree_reader *r = ctx;

	json_build_value(&r->b, JSON_BOOL)->boolean = b;
	return 1;
}

static int on_number(void *ctx, const char *p, size_t n)
{
	struct tree_reader *r = ctx;

	json_build_value(&r->b, JSON_NUMBER)->text = keep(r, p, n);
	return 1;
}

/* yajl hands over a place in the text where there are no escapes.  Others are
 * undone here, from the text: yajl makes a "?" of half a surrogate pair. */
static struct str string(struct tree_reader *r, const unsigned char *token,
			 size_t n)
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
	return json_unescape(r->b.arena,
			     (struct str){ (const char *)token, n });
}

static int on_string(void *ctx, const unsigned char *p, size_t n)
{
	struct tree_reader *r = ctx;

	json_build_value(&r->b, JSON_STRING)->text = string(r, p, n);
	return 1;
}

static int on_key(void *ctx, const unsigned char *p, size_t n)
{
	struct tree_reader *r = ctx;

	r->b.name = string(r, p, n);
	return 1;
}

static int open_container(struct tree_reader *r, enum json_kind kind)
{
	if (json_build_open(&r->b, kind))
		return 1;
	r->refused = "nested more than 1,000 levels deep";
	return 0;
}

static int on_array(void *ctx)
{
	return open_container(ctx, JSON_ARRAY);
}

static int on_object(void *ctx)
{
	return open_container(ctx, JSON_OBJECT);
}

static int on_end(void *ctx)
{
	struct tree_reader *r = ctx;

	json_build_close(&r->b);
	return 1;
}

static const yajl_callbacks callbacks = {
	.yajl_null = on_null,
	.yajl_boolean = on_bool,
	.yajl_number = on_number,
	.yajl_string = on_string,
	.yajl_start_map = on_object,
	.yajl_map_key = on_key,
	.yajl_end_map = on_end,
	.yajl_start_array = on_array,
	.yajl_end_array = on_end,
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

static void explain(struct arena *a, struct tree_reader *r,
		    struct json_error *err)
{
	yajl_handle h = r->parser;
	unsigned char *text;
	const char *p;
	size_t n;

	err->offset = yajl_get_bytes_consumed(h);
	if (err->offset > r->text.n)
		err->offset = r->text.n;
	if (r->refused) {
		err->message = r->refused;
		return;
	}
	text = yajl_get_error(h, 0, NULL, 0);
	p = (const char *)text;
	for (const char *colon; (colon = strstr(p, ": "));)
		p = colon + 2; /* "lexical error: why" */
	n = strcspn(p, "\n");
	if (n && p[n - 1] == '.') /* sentences go on behind it */
		n--;
	err->message = arena_strndup(a, p, n);
	yajl_free_error(h, text);
}

/* yajl takes these for white space; in a string they are an error anyway. */
static bool no_space(struct str text, struct json_error *err)
{
	const char *v = text.n ? memchr(text.p, '\v', text.n) : NULL;
	const char *f = text.n ? memchr(text.p, '\f', text.n) : NULL;

	if (!v && !f)
		return false;
	err->offset = (size_t)((!v || (f && f < v) ? f : v) - text.p);
	err->message = "invalid character in JSON text";
	return true;
}

const struct json *json_parse(struct arena *a, struct str text,
			      struct json_error *err)
{
	yajl_alloc_funcs memory = { alloc_cb, realloc_cb, free_cb, NULL };
	struct tree_reader r = { .b = { .arena = a },
				 .text = text,
				 .quote = text.p };
	const struct json *root;
	yajl_status st;

	err->offset = str_utf8_upto(text);
	if (err->offset < text.n) { /* yajl lets some overlong forms pass */
		err->message = "invalid UTF-8";
		return NULL;
	}
	/* All strings together are shorter than the text. */
	r.pool_size = text.n < POOL_SIZE ? text.n + 1 : POOL_SIZE;
	r.parser = yajl_alloc(&callbacks, &memory, &r);
	yajl_config(r.parser, yajl_dont_validate_strings, 1);
	st = yajl_parse(r.parser, (const unsigned char *)text.p, text.n);
	/* Ends a string that is open behind the value, which yajl ignores. */
	if (st == yajl_status_ok)
		st = yajl_parse(r.parser, (const unsigned char *)"\n", 1);
	if (st == yajl_status_ok)
		st = yajl_complete_parse(r.parser);
	root = json_build_end(&r.b);
	if (st != yajl_status_ok || !root) {
		explain(a, &r, err);
		root = NULL;
	} else if (no_space(text, err)) {
		root = NULL;
	}
	yajl_free(r.parser);
	return root;
}
