/* render.c - see value.h; the layout is the console's of OpenTofu 1.12.6 */
#include "value/value.h"
#include "value/number.h"
#include "value/string.h"
#include "value/type.h"

static void render(struct buf *b, const struct value *v, unsigned indent);

static void spaces(struct buf *b, unsigned n)
{
	while (n--)
		buf_putc(b, ' ');
}

static void render_null(struct buf *b, const struct type *t)
{
	struct arena a = ARENA_INIT;
	const char *name = t->kind == TYPE_LIST  ? "tolist"
			   : t->kind == TYPE_SET ? "toset"
						 : "tomap";

	switch (t->kind) {
	case TYPE_DYNAMIC:
		buf_puts(b, "null");
		break;
	case TYPE_STRING:
		buf_puts(b, "tostring(null)");
		break;
	case TYPE_NUMBER:
		buf_puts(b, "tonumber(null)");
		break;
	case TYPE_BOOL:
		buf_puts(b, "tobool(null)");
		break;
	case TYPE_LIST:
	case TYPE_SET:
	case TYPE_MAP:
		buf_addf(b, "%s(null) /* of %.*s */", name,
			 STR_ARG(type_friendly(&a, t->elem)));
		break;
	default:
		buf_addf(b, "null /* %.*s */", STR_ARG(type_friendly(&a, t)));
	}
	arena_release(&a);
}

static struct str next_line(struct str *s)
{
	ptrdiff_t nl = str_chr(*s, '\n');
	struct str line = nl < 0 ? *s : str_sub(*s, 0, (size_t)nl);

	*s = nl < 0 ? STR_NONE : str_sub(*s, (size_t)nl + 1, s->n);
	return line;
}

/* How many underscores the heredoc's delimiter needs to occur nowhere. */
static unsigned delimiter_tail(struct str text)
{
	unsigned tail = 0;

	for (bool clash = true; clash;) {
		struct str rest = text;

		clash = false;
		while (rest.p && !clash) {
			struct str line = next_line(&rest);
			size_t n = 3;

			while (line.n &&
			       (line.p[0] == ' ' || line.p[0] == '\t' ||
				line.p[0] == '\r'))
				line = str_sub(line, 1, line.n);
			while (line.n &&
			       (unsigned char)line.p[line.n - 1] <= ' ')
				line.n--;
			if (!str_starts(line, "EOT"))
				continue;
			while (n < line.n && line.p[n] == '_')
				n++;
			clash = n == line.n && line.n == 3 + tail;
		}
		tail += clash;
	}
	return tail;
}

static void put_delimiter(struct buf *b, unsigned tail)
{
	buf_puts(b, "EOT");
	while (tail--)
		buf_putc(b, '_');
}

static void render_heredoc(struct buf *b, struct str text, unsigned indent)
{
	unsigned tail = delimiter_tail(text);

	buf_puts(b, indent ? "<<-" : "<<");
	put_delimiter(b, tail);
	while (text.p) {
		buf_putc(b, '\n');
		spaces(b, indent);
		buf_str(b, next_line(&text));
	}
	buf_putc(b, '\n');
	spaces(b, indent);
	put_delimiter(b, tail);
}

static void render_string(struct buf *b, struct str s, unsigned indent)
{
	if (str_chr(s, '\n') >= 0)
		render_heredoc(b, s, indent);
	else
		str_quote(b, s);
}

static void render_mapping(struct buf *b, const struct value *v,
			   unsigned indent)
{
	buf_putc(b, '{');
	for (uint32_t i = 0; i < v->len; i++) {
		buf_putc(b, '\n');
		spaces(b, indent + 2);
		render_string(b,
			      v->type->kind == TYPE_MAP
				      ? v->keys[i]
				      : v->type->attrs[i].name,
			      indent + 2);
		buf_puts(b, " = ");
		render(b, v->elems[i], indent + 2);
	}
	if (v->len) {
		buf_putc(b, '\n');
		spaces(b, indent);
	}
	buf_putc(b, '}');
}

static void render_sequence(struct buf *b, const struct value *v,
			    unsigned indent)
{
	buf_putc(b, '[');
	for (uint32_t i = 0; i < v->len; i++) {
		buf_putc(b, '\n');
		spaces(b, indent + 2);
		render(b, v->elems[i], indent + 2);
		buf_putc(b, ',');
	}
	if (v->len) {
		buf_putc(b, '\n');
		spaces(b, indent);
	}
	buf_putc(b, ']');
}

static void render_known(struct buf *b, const struct value *v, unsigned indent)
{
	struct arena a = ARENA_INIT;

	switch (v->type->kind) {
	case TYPE_BOOL:
		buf_puts(b, v->boolean ? "true" : "false");
		break;
	case TYPE_NUMBER:
		buf_str(b, value_number_text(&a, v));
		break;
	case TYPE_STRING:
		render_string(b, v->string, indent);
		break;
	case TYPE_OBJECT:
		render_mapping(b, v, indent);
		break;
	case TYPE_MAP:
		buf_puts(b, "tomap(");
		render_mapping(b, v, indent);
		buf_putc(b, ')');
		break;
	case TYPE_TUPLE:
		render_sequence(b, v, indent);
		break;
	case TYPE_LIST:
	case TYPE_SET:
		buf_puts(b, v->type->kind == TYPE_LIST ? "tolist(" : "toset(");
		render_sequence(b, v, indent);
		buf_putc(b, ')');
		break;
	case TYPE_DYNAMIC:
		buf_puts(b, "null");
	}
	arena_release(&a);
}

static void render(struct buf *b, const struct value *v, unsigned indent)
{
	if (v->state == VALUE_UNKNOWN)
		buf_puts(b, "(known after apply)");
	else if (value_has_mark(v, MARK_SENSITIVE))
		buf_puts(b, "(sensitive value)");
	else if (value_has_mark(v, MARK_EPHEMERAL))
		buf_puts(b, "(ephemeral value)");
	else if (v->state == VALUE_NULL)
		render_null(b, v->type);
	else
		render_known(b, v, indent);
}

void value_render(struct buf *b, const struct value *v)
{
	render(b, v, 0);
}
