/* value_text.c - see addr.h */
#include "addr/addr.h"
#include "lang/syntax/ident.h"
#include "value/number.h"

static void print_elements(struct buf *out, const struct value *v)
{
	buf_putc(out, '[');
	for (size_t i = 0; i < v->len; i++) {
		if (i)
			buf_puts(out, ", ");
		value_print_source(out, v->elems[i]);
	}
	buf_putc(out, ']');
}

static void print_members(struct buf *out, const struct value *v)
{
	if (v->len == 0) {
		buf_puts(out, "{}");
		return;
	}
	buf_puts(out, "{\n");
	for (size_t i = 0; i < v->len; i++) {
		struct str key = v->type->kind == TYPE_MAP
					 ? v->keys[i]
					 : v->type->attrs[i].name;

		if (ident_valid(key))
			buf_str(out, key);
		else
			addr_print_quoted(out, key);
		buf_puts(out, " = ");
		value_print_source(out, v->elems[i]);
		buf_putc(out, '\n');
	}
	buf_putc(out, '}');
}

void value_print_source(struct buf *out, const struct value *v)
{
	struct arena a = ARENA_INIT;

	if (v->state != VALUE_KNOWN) {
		buf_puts(out, "null");
		return;
	}
	switch (v->type->kind) {
	case TYPE_BOOL:
		buf_puts(out, v->boolean ? "true" : "false");
		break;
	case TYPE_NUMBER:
		buf_str(out, value_number_text(&a, v));
		arena_release(&a);
		break;
	case TYPE_STRING:
		addr_print_quoted(out, v->string);
		break;
	case TYPE_LIST:
	case TYPE_SET:
	case TYPE_TUPLE:
		print_elements(out, v);
		break;
	case TYPE_MAP:
	case TYPE_OBJECT:
		print_members(out, v);
		break;
	case TYPE_DYNAMIC:
		buf_puts(out, "null");
		break;
	}
}
