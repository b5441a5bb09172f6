/*
 * func_fail.c - errors of function calls, without confidential values
 */
#include "lang/eval/func.h"
#include "value/marks.h"

const char *func_hidden(const struct marks *m)
{
	unsigned bits = m ? m->bits & (MARK_SENSITIVE | MARK_EPHEMERAL) : 0;

	if (!bits && marks_confidential(m))
		bits = MARK_SENSITIVE;
	if (bits == (MARK_SENSITIVE | MARK_EPHEMERAL))
		return "(ephemeral sensitive value)";
	if (bits == MARK_EPHEMERAL)
		return "(ephemeral value)";
	return bits ? "(sensitive value)" : NULL;
}

/* Adds what a conversion of the format prints, or `hidden` instead of it.  p is
 * behind its '%'; returns its end. */
static const char *add_hidden(struct buf *b, const char *p, va_list *ap,
			      const char *hidden)
{
	bool cut = false;
	int longs = 0;

	for (; *p && strchr("-+ #.0123456789*", *p); p++)
		if (*p == '*') {
			(void)va_arg(*ap, int);
			cut = true;
		}
	for (; *p == 'l' || *p == 'z'; p++)
		longs += *p == 'z' ? 2 : 1;
	if (*p == '%') {
		buf_putc(b, '%');
		return p + 1;
	}
	if (*p == 's') {
		const char *s = va_arg(*ap, const char *);

		buf_puts(b, cut ? hidden : s);
		return p + 1;
	}
	if (strchr("eEfFgG", *p))
		(void)va_arg(*ap, double);
	else if (longs)
		(void)va_arg(*ap, long long);
	else
		(void)va_arg(*ap, int);
	buf_puts(b, hidden);
	return p + 1;
}

static struct str without_values(struct arena *a, const char *fmt, va_list *ap,
				 const char *hidden)
{
	struct buf b = BUF_INIT;
	struct str s;

	if (strcmp(fmt, "%.*s") == 0)
		return str_printf(a, "%s",
				  "the reason is left out, because it "
				  "may tell a value that must not be shown");
	while (*fmt) {
		if (*fmt == '%')
			fmt = add_hidden(&b, fmt + 1, ap, hidden);
		else
			buf_putc(&b, *fmt++);
	}
	s = buf_dup(a, &b);
	buf_release(&b);
	return s;
}

void func_failv(struct func_call *c, int arg, const char *fmt, va_list ap)
{
	const char *hidden = func_hidden(c->hidden);
	va_list copy;

	c->err->arg = arg;
	if (!hidden) {
		c->err->message = str_c(arena_vprintf(c->arena, fmt, ap));
		return;
	}
	va_copy(copy, ap); /* a parameter's address is no va_list's */
	c->err->message = without_values(c->arena, fmt, &copy, hidden);
	va_end(copy);
}

const struct value *func_fail(struct func_call *c, int arg, const char *fmt,
			      ...)
{
	va_list ap;

	va_start(ap, fmt);
	func_failv(c, arg, fmt, ap);
	va_end(ap);
	return NULL;
}
