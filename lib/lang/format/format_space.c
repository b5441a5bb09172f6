/* format_space.c - whether two tokens of a line are separated by a space */
#include "lang/format/format_int.h"

static bool in_template(enum tok t)
{
	return t == T_QUOTED_LIT || t == T_STRING_LIT;
}

/* After one of these a minus negates, it does not subtract. */
static bool no_operand(enum tok t)
{
	switch (t) {
	case T_EOF:
	case T_OPAREN:
	case T_OBRACE:
	case T_OBRACK:
	case T_EQUAL:
	case T_COLON:
	case T_COMMA:
	case T_QUESTION:
	case T_PLUS:
	case T_STAR:
	case T_SLASH:
	case T_PERCENT:
	case T_MINUS:
	case T_EQ:
	case T_NE:
	case T_GT:
	case T_GE:
	case T_LT:
	case T_LE:
	case T_AND:
	case T_OR:
	case T_BANG:
		return true;
	default:
		return false;
	}
}

static bool is_in(const struct fmt_token *t)
{
	return t->last == T_IDENT && t->n == 2 && memcmp(t->p, "in", 2) == 0;
}

static bool between_braces(enum tok t, enum tok after)
{
	/* "{ a = b }", but "{}" */
	return t != T_OBRACE || after != T_CBRACE;
}

/* The rules in order of precedence: the first that applies decides. */
bool format_space_after(enum tok before, const struct fmt_token *tok,
			const struct fmt_token *next)
{
	enum tok t = tok->last, after = next->first;

	if (after == T_NEWLINE)
		return false;
	if (t == T_IDENT && (after == T_OPAREN || after == T_DCOLON))
		return false;
	if (t == T_DCOLON && after == T_IDENT)
		return false;
	if (t == T_DOT || after == T_DOT)
		return false;
	if (after == T_COMMA || after == T_ELLIPSIS)
		return false;
	if (t == T_COMMA)
		return true;
	if (in_template(t) || t == T_OQUOTE || t == T_OHEREDOC ||
	    in_template(after) || after == T_CQUOTE || after == T_CHEREDOC)
		return false;
	if (is_in(tok) && before == T_IDENT)
		return true; /* [for x in [a]: x] */
	if (after == T_OBRACK &&
	    (t == T_IDENT || t == T_NUMBER || format_nesting(tok) < 0))
		return false;
	if (t == T_BANG)
		return false;
	if (t == T_MINUS)
		return !no_operand(before);
	if (t == T_OBRACE || after == T_CBRACE)
		return between_braces(t, after);
	if ((t == T_INTERP || t == T_CONTROL) && after == T_OBRACE)
		return true;
	if (t == T_CBRACE && after == T_SEQ_END)
		return true;
	if (t == T_SEQ_END && (after == T_INTERP || after == T_CONTROL))
		return false;
	if (format_nesting(tok) > 0)
		return false;
	return !(after == T_CBRACK || after == T_CPAREN || after == T_SEQ_END);
}
