/*
 * csv_funcs.c - csvdecode
 *
 * RFC 4180 as OpenTofu reads it: records end with a line break (\n or \r\n,
 * both read as \n), empty lines between them don't count, a quote may only
 * enclose a whole field, and every record has as many fields as the first.
 */
#include "funcs/funcs_int.h"
#include "lang/eval/func.h"

struct csv {
	struct arena *arena;
	struct str rest;
	unsigned line;     /* of rest, counted from 1 */
	unsigned bad_line; /* where the error is */
	const char *wrong;
};

struct record VEC_OF(struct str);

/* The next line with its break, which is always \n in the result. */
static struct str next_line(struct csv *r)
{
	ptrdiff_t end = str_chr(r->rest, '\n');
	size_t n = end < 0 ? r->rest.n : (size_t)end + 1;
	struct str line = str_sub(r->rest, 0, n);

	r->rest = str_sub(r->rest, n, r->rest.n);
	r->line++;
	if (end < 0 && str_ends(line, "\r")) {
		line.n--; /* a \r at the very end is dropped */
	} else if (str_ends(line, "\r\n")) {
		char *copy = arena_strndup(r->arena, line.p, line.n - 1);

		copy[line.n - 2] = '\n';
		line = (struct str){ copy, line.n - 1 };
	}
	return line;
}

static struct str without_break(struct str line)
{
	if (str_ends(line, "\n"))
		line.n--;
	return line;
}

static int wrong(struct csv *r, const char *what)
{
	r->wrong = what;
	r->bad_line = r->line - 1;
	return -1;
}

/* A field up to the next comma; *line becomes what is behind it, its p NULL
 * after the last field. */
static int plain_field(struct csv *r, struct str *line, struct str *out)
{
	ptrdiff_t comma = str_chr(*line, ',');

	*out = comma < 0 ? without_break(*line)
			 : str_sub(*line, 0, (size_t)comma);
	if (str_chr(*out, '"') >= 0)
		return wrong(r, "bare \" in non-quoted-field");
	*line = comma < 0 ? STR_NONE
			  : str_sub(*line, (size_t)comma + 1, line->n);
	return 0;
}

/* After the opening quote; may go on over several lines. */
static int quoted_field(struct csv *r, struct str *line, struct buf *b)
{
	for (;;) {
		ptrdiff_t quote_at = str_chr(*line, '"');

		if (quote_at < 0) { /* the text goes on in the next line */
			buf_str(b, *line);
			if (line->n == 0 || r->rest.n == 0)
				return wrong(
					r,
					"extraneous or missing \" in quoted-field");
			*line = next_line(r);
			continue;
		}
		buf_add(b, line->p, (size_t)quote_at);
		*line = str_sub(*line, (size_t)quote_at + 1, line->n);
		if (line->n && line->p[0] == '"') {
			buf_putc(b, '"');
			*line = str_sub(*line, 1, line->n);
		} else if (line->n && line->p[0] == ',') {
			*line = str_sub(*line, 1, line->n);
			return 0;
		} else if (without_break(*line).n == 0) {
			*line = STR_NONE;
			return 0;
		} else {
			return wrong(
				r, "extraneous or missing \" in quoted-field");
		}
	}
}

static int one_field(struct csv *r, struct str *line, struct str *out)
{
	struct buf b = BUF_INIT;
	int rc;

	if (line->n == 0 || line->p[0] != '"')
		return plain_field(r, line, out);
	*line = str_sub(*line, 1, line->n);
	rc = quoted_field(r, line, &b);
	*out = buf_dup(r->arena, &b);
	buf_release(&b);
	return rc;
}

/* 1: a record was read; 0: there is none any more; -1: r->wrong. */
static int read_record(struct csv *r, struct record *rec)
{
	struct str line = STR_NONE, field;

	rec->len = 0;
	do {
		if (r->rest.n == 0)
			return 0;
		line = next_line(r);
	} while (without_break(line).n == 0);
	while (line.p) {
		if (one_field(r, &line, &field))
			return -1;
		vec_push(r->arena, rec, field);
	}
	return 1;
}

static const struct value *parse_error(struct func_call *c, const struct csv *r)
{
	return func_fail(c, -1, "CSV parse error on line %u: %s", r->bad_line,
			 r->wrong);
}

/* The type of a row, made from the names in the first one. */
static const struct type *row_type(struct func_call *c,
				   const struct record *names)
{
	struct type_attr *attrs =
		ARENA_ARRAY(c->arena, struct type_attr, names->len);
	struct map seen = { 0 };

	for (size_t i = 0; i < names->len; i++) {
		struct str name =
			value_string(c->arena, names->items[i])->string;

		if (map_put(c->arena, &seen, name, attrs))
			return func_fail_type(
				c, -1, "duplicate column name %.*s",
				STR_ARG(func_quote(c->arena, name)));
		attrs[i] = (struct type_attr){ name, &type_string, false };
	}
	return type_object(attrs, names->len);
}

static const struct value *row_value(struct arena *a, const struct type *t,
				     const struct record *names,
				     const struct record *rec)
{
	const struct value **items = arena_alloc(a, t->len * sizeof(*items));

	for (size_t i = 0; i < rec->len; i++) {
		struct str name = value_string(a, names->items[i])->string;

		items[type_attr_index(t, name)] =
			value_string(a, rec->items[i]);
	}
	return value_object_of(a, t, items);
}

static const struct value *do_csvdecode(struct func_call *c)
{
	struct csv r = { .arena = c->arena, .rest = arg_str(c, 0), .line = 1 };
	struct record names = { 0 }, rec = { 0 };
	struct value_vec rows = { 0 };
	const struct type *t;
	int rc = read_record(&r, &names);

	if (rc < 0)
		return parse_error(c, &r);
	if (rc == 0)
		return func_fail(c, -1, "missing header line");
	t = row_type(c, &names);
	if (!t)
		return NULL;
	while ((rc = read_record(&r, &rec)) > 0) {
		if (rec.len != names.len) {
			wrong(&r, "wrong number of fields");
			return parse_error(c, &r);
		}
		vec_push(c->arena, &rows, row_value(c->arena, t, &names, &rec));
	}
	if (rc < 0)
		return parse_error(c, &r);
	return value_list(c->arena, t, rows.items, rows.len);
}

const struct func func_csvdecode = {
	.name = "csvdecode",
	.description = "A list with an object for each line of a text in "
		       "CSV form, whose first line holds the names.",
	.params = PARAMS({ "str", &type_string, 0, NULL }),
	.impl = do_csvdecode,
};
