/*
 * format_funcs.c - format, formatlist
 *
 * The format's syntax:
 *
 *	format    = { any character but % | "%%" | verb }
 *	verb      = "%" { "0" | "#" | "-" | "+" | " " } [ width ]
 *	            [ "." { digit } ] [ "[" number "]" ] letter
 *	width     = number          (not beginning with 0)
 *
 * Widths and the precision of strings count characters.
 */
#include "base/str.h"
#include "funcs/funcs_int.h"
#include "json/write.h"
#include "lang/eval/func.h"
#include "value/codec_json.h"
#include "value/convert.h"
#include "value/refine.h"
#include "value/string.h"

struct format {
	struct func_call *c;
	struct str text;
	const struct value *const *args; /* those for verbs */
	size_t nargs;
	size_t next;    /* the argument that a verb without index takes */
	size_t highest; /* the last one that any verb took */
	struct buf out;
};

static struct str quoted(const struct format *f, struct str s)
{
	return func_quote(f->c->arena, s);
}

/* Reports a wrong value for a verb; returns -1. */
static int bad_value(const struct format *f, const struct verb *v,
		     const char *why, struct str detail)
{
	func_fail(f->c, -1, "unsupported value for %.*s at %zu: %s%.*s",
		  STR_ARG(quoted(f, v->raw)), v->offset, why, STR_ARG(detail));
	return -1;
}

/* --- output --- */

static size_t count_chars(struct str s)
{
	size_t n = 0;

	for (; s.n; n++)
		s = str_sub(s, grapheme_len(s), s.n);
	return n;
}

static void add_padded(struct format *f, const struct verb *v, struct str s)
{
	size_t len = v->has_width ? count_chars(s) : 0;
	size_t pad = v->width > len ? v->width - len : 0;

	if (v->minus)
		buf_str(&f->out, s);
	for (size_t i = 0; i < pad; i++)
		buf_putc(&f->out, v->zero ? '0' : ' ');
	if (!v->minus)
		buf_str(&f->out, s);
}

static int add_json(struct format *f, const struct verb *v,
		    const struct value *arg)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	if (json_has_infinity(arg))
		return bad_value(f, v, "cannot serialize infinity as JSON",
				 STR_NONE);
	w.html = true;
	value_to_json(&w, arg, NULL);
	add_padded(f, v, buf_view(&b));
	buf_release(&b);
	return 0;
}

static int add_default(struct format *f, const struct verb *v,
		       const struct value *arg)
{
	struct verb plain = { .mode = 'g' };
	struct buf b = BUF_INIT;

	if (v->sharp || value_is_null(arg))
		return add_json(f, v, arg);
	if (arg->type == &type_string) {
		add_padded(f, v, arg->string);
		return 0;
	}
	if (arg->type != &type_number)
		return add_json(f, v, arg);
	format_float(&b, arg, &plain);
	add_padded(f, v, buf_view(&b));
	buf_release(&b);
	return 0;
}

static int add_string(struct format *f, const struct verb *v, struct str s)
{
	const struct value *cut;
	size_t n = 0;

	if (v->prec > 0) {
		for (size_t i = 0; i < v->prec && n < s.n; i++)
			n += grapheme_len(str_sub(s, n, s.n));
		s = str_sub(s, 0, n);
	}
	if (v->mode == 's') {
		add_padded(f, v, s);
		return 0;
	}
	cut = value_string(f->c->arena, s);
	return add_json(f, v, cut);
}

/* The argument as the type that a verb wants; NULL with the call failed. */
static const struct value *arg_as(struct format *f, const struct verb *v,
				  const struct type *t)
{
	const struct value *arg = f->args[v->arg - 1], *r;
	struct verror err;

	if (arg->type == t)
		return arg;
	r = convert(f->c->arena, arg, t, &err);
	if (!r)
		bad_value(f, v, "", verror_text(f->c->arena, &err));
	return r;
}

static int add_number(struct format *f, const struct verb *v)
{
	const struct value *arg = arg_as(f, v, &type_number);

	if (!arg)
		return -1;
	if (strchr("bdfoxX", v->mode) && format_too_long(arg))
		return bad_value(f, v, "the number has too many digits",
				 STR_NONE);
	if (strchr("eEfgG", v->mode))
		format_float(&f->out, arg, v);
	else if (format_integer(&f->out, arg, v))
		return bad_value(f, v, "an integer is required", STR_NONE);
	return 0;
}

static int add_verb(struct format *f, const struct verb *v)
{
	const struct value *arg;

	if (v->arg > f->nargs) {
		func_fail(
			f->c, -1,
			"not enough arguments for %.*s at %zu: need index %zu but have %zu total",
			STR_ARG(quoted(f, v->raw)), v->offset, v->arg,
			f->nargs);
		return -1;
	}
	arg = f->args[v->arg - 1];
	if (v->mode != 'v' && value_is_null(arg))
		return bad_value(f, v, "null value cannot be formatted",
				 STR_NONE);
	switch (v->mode) {
	case 'v':
		return add_default(f, v, arg);
	case 't':
		arg = arg_as(f, v, &type_bool);
		if (arg)
			buf_puts(&f->out, arg->boolean ? "true" : "false");
		return arg ? 0 : -1;
	case 's':
	case 'q':
		arg = arg_as(f, v, &type_string);
		return arg ? add_string(f, v, arg->string) : -1;
	case 'b':
	case 'd':
	case 'o':
	case 'x':
	case 'X':
	case 'e':
	case 'E':
	case 'f':
	case 'g':
	case 'G':
		return add_number(f, v);
	default:
		func_fail(f->c, -1,
			  "unsupported format verb '%c' in %.*s at offset %zu",
			  v->mode, STR_ARG(quoted(f, v->raw)), v->offset);
		return -1;
	}
}

/* --- reading the format --- */

static char char_at(const struct format *f, size_t i)
{
	return i < f->text.n ? f->text.p[i] : '\0';
}

static bool is_digit(char ch)
{
	return ch >= '0' && ch <= '9';
}

/* Digits at *i; what is too large becomes FORMAT_MAX + 1. */
static size_t read_number(const struct format *f, size_t *i)
{
	size_t n = 0;

	for (; is_digit(char_at(f, *i)); ++*i) {
		n = n * 10 + (size_t)(char_at(f, *i) - '0');
		if (n > FORMAT_MAX)
			n = FORMAT_MAX + 1;
	}
	return n;
}

static int bad_char(const struct format *f, size_t i)
{
	size_t n;

	if (i >= f->text.n) {
		func_fail(f->c, -1,
			  "invalid format string starting at offset %zu", i);
		return -1;
	}
	n = utf8_len(f->text.p + i, f->text.n - i);
	func_fail(f->c, -1,
		  "unrecognized format character '%.*s' at offset %zu",
		  STR_ARG(str_sub(f->text, i, i + (n ? n : 1))), i);
	return -1;
}

static void read_flags(const struct format *f, size_t *i, struct verb *v)
{
	for (;; ++*i) {
		switch (char_at(f, *i)) {
		case '0':
			v->zero = true;
			break;
		case '#':
			v->sharp = true;
			break;
		case '-':
			v->minus = true;
			break;
		case '+':
			v->plus = true;
			break;
		case ' ':
			v->space = true;
			break;
		default:
			return;
		}
	}
}

/* [n] at *i, if there is one. */
static int read_index(const struct format *f, size_t *i, struct verb *v)
{
	if (char_at(f, *i) != '[')
		return 0;
	++*i;
	if (!is_digit(char_at(f, *i)) || char_at(f, *i) == '0')
		return bad_char(f, *i);
	v->arg = read_number(f, i);
	if (char_at(f, *i) != ']')
		return bad_char(f, *i);
	++*i;
	return 0;
}

/* Reads and carries out the verb at *i. */
static int do_verb(struct format *f, size_t *i)
{
	struct verb v = { .offset = (*i)++, .arg = f->next };
	char ch;

	read_flags(f, i, &v);
	if (is_digit(char_at(f, *i))) {
		v.has_width = true;
		v.width = read_number(f, i);
	}
	if (char_at(f, *i) == '.') {
		++*i;
		v.has_prec = true;
		v.prec = read_number(f, i);
	}
	if (read_index(f, i, &v))
		return -1;
	ch = char_at(f, *i);
	if (!((ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z')))
		return bad_char(f, *i);
	v.mode = ch;
	v.raw = str_sub(f->text, v.offset, ++*i);
	if (v.width > FORMAT_MAX || v.prec > FORMAT_MAX) {
		func_fail(f->c, -1,
			  "the width or precision of %.*s at %zu is too large",
			  STR_ARG(quoted(f, v.raw)), v.offset);
		return -1;
	}
	if (v.arg > f->highest)
		f->highest = v.arg;
	f->next = v.arg + 1;
	return add_verb(f, &v);
}

static int check_rest(struct format *f)
{
	if (f->highest >= f->nargs)
		return 0;
	if (f->highest == 0)
		func_fail(f->c, 1,
			  "too many arguments; no verbs in format string");
	else
		func_fail(f->c, (int)f->highest + 1,
			  "too many arguments; only %zu used by format string",
			  f->highest);
	return -1;
}

/* The formatted string, or NULL with the call failed. */
static const struct value *format(struct func_call *c, struct str text,
				  const struct value *const *args, size_t nargs)
{
	struct format f = { .c = c,
			    .text = text,
			    .args = args,
			    .nargs = nargs,
			    .next = 1,
			    .out = BUF_INIT };
	int rc = 0;

	for (size_t i = 0; i < text.n && rc == 0;) {
		if (text.p[i] != '%') {
			buf_putc(&f.out, text.p[i++]);
		} else if (char_at(&f, i + 1) == '%') {
			buf_putc(&f.out, '%');
			i += 2;
		} else {
			rc = do_verb(&f, &i);
		}
	}
	if (rc || check_rest(&f)) {
		buf_release(&f.out);
		return NULL;
	}
	return buf_value(c->arena, &f.out);
}

/* The text before the first verb is a known prefix of the result. */
static const struct value *unknown_string(struct func_call *c)
{
	struct str text = arg_str(c, 0);
	ptrdiff_t percent = str_chr(text, '%');
	struct refinement r = { .not_null = true, .len_max = UINT64_MAX };

	if (percent <= 0)
		return func_unknown(c, &type_string);
	r.prefix = str_safe_prefix(c->arena, str_sub(text, 0, (size_t)percent));
	return value_unknown_refined(c->arena, &type_string, &r);
}

static const struct value *do_format(struct func_call *c)
{
	for (size_t i = 1; i < c->nargs; i++) {
		if (!value_wholly_known(c->args[i]))
			return unknown_string(c);
	}
	return format(c, arg_str(c, 0), c->args + 1, c->nargs - 1);
}

const struct func func_format = {
	.name = "format",
	.description =
		"A string made of other values by a format such as \"%s: %05.2f\".",
	.params = PARAMS({ "format", &type_string, 0, NULL }),
	.variadic = PARAM("args", &type_dynamic, PARAM_ANY, NULL),
	.result = &type_string,
	.impl = do_format,
};

/* --- formatlist --- */

/* Is the argument iterated over, rather than reused for each string? */
static bool is_iterated(const struct value *v)
{
	return is_sequence(v->type) && !value_is_null(v);
}

/* How many strings there will be; -1 with the call failed. *unknown: nothing
 * can be made yet. */
static int64_t count_iterations(struct func_call *c, bool *unknown)
{
	int64_t len = -1, chooser = 0;

	for (size_t i = 1; i < c->nargs; i++) {
		const struct value *v = c->args[i];
		int64_t this;

		if (!is_iterated(v)) {
			*unknown |=
				!value_is_known(v) && v->type == &type_dynamic;
			continue;
		}
		if (!func_length_known(v)) {
			*unknown = true;
			continue;
		}
		*unknown |= !value_is_known(v);
		this = v->type->kind == TYPE_TUPLE ? v->type->len : v->len;
		if (len < 0) {
			len = this;
			chooser = (int64_t)i;
		} else if (this != len) {
			func_fail(c, (int)i,
				  "argument %zu has length %lld, "
				  "which is inconsistent with argument %lld "
				  "of length %lld",
				  i, (long long)this, (long long)chooser,
				  (long long)len);
			return -1;
		}
	}
	return len < 0 ? 1 : len;
}

/* The i-th string, or NULL with the call failed. */
static const struct value *format_nth(struct func_call *c,
				      const struct value **args, int64_t i)
{
	const struct value *r;

	for (size_t j = 1; j < c->nargs; j++) {
		const struct value *v = c->args[j];

		args[j - 1] = is_iterated(v) ? v->elems[i] : v;
		if (!value_wholly_known(args[j - 1]))
			return func_unknown(c, &type_string);
	}
	r = format(c, arg_str(c, 0), args, c->nargs - 1);
	if (!r)
		/* the message no longer holds anything secret */
		func_fail(c, -1, "error on format iteration %lld: %s",
			  (long long)i,
			  arena_strndup(c->arena, c->err->message.p,
					c->err->message.n));
	return r;
}

static const struct value *do_formatlist(struct func_call *c)
{
	const struct value **args, **items, *only;
	bool unknown = false;
	int64_t n;

	if (c->nargs == 1) {
		only = format(c, arg_str(c, 0), NULL, 0);
		return only ? value_list(c->arena, &type_string, &only, 1)
			    : NULL;
	}
	n = count_iterations(c, &unknown);
	if (n < 0)
		return NULL;
	if (unknown)
		return func_unknown(c, &type_list_string);
	args = arena_alloc(c->arena, c->nargs * sizeof(*args));
	items = arena_alloc(c->arena, (size_t)n * sizeof(*items));
	for (int64_t i = 0; i < n; i++) {
		items[i] = format_nth(c, args, i);
		if (!items[i])
			return NULL;
	}
	return value_list(c->arena, &type_string, items, (size_t)n);
}

const struct func func_formatlist = {
	.name = "formatlist",
	.description = "Strings made as by format() from the elements of "
		       "lists, one after the other.",
	.params = PARAMS({ "format", &type_string, 0, NULL }),
	.variadic = PARAM("args", &type_dynamic, PARAM_ANY, NULL),
	.result = &type_list_string,
	.impl = do_formatlist,
};
