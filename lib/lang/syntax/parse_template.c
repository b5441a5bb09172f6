/*
 * parse_template.c - quoted strings with sequences, heredocs, whole templates
 *
 *	template  = { text | interp | directive }
 *	interp    = "${" ["~"] expression ["~"] "}"
 *	directive = "%{" ["~"] ( "if" expression | "else" | "endif"
 *	            | "for" name [ "," name ] "in" expression | "endfor" )
 *	            ["~"] "}"
 *
 * First a flat list of parts is read (with "~" trimming applied), then indents
 * of <<- heredocs are removed, neighbouring texts are joined, and the nesting
 * of directives is made out (template_tree.c).
 */
#include "lang/syntax/syntax_int.h"

struct template_reader {
	struct parser *p;
	enum tok end;
	struct span start;  /* the first token */
	bool trim_next;     /* after "~}" */
	bool can_trim_prev; /* the last part is text, untouched since */
};

static void add_part(struct template_reader *r, struct part part)
{
	vec_push(&r->p->scratch, &r->p->parts, part);
}

static bool trims(const struct parser *p, struct span opener_or_closer)
{
	struct str s = span_text(p, opener_or_closer);

	return s.p[0] == '~' || s.p[s.n - 1] == '~';
}

/* "${~" and "%{~" take white space off the end of the text before. */
static void trim_before(struct template_reader *r, struct token open,
			bool can_trim)
{
	struct part_list *parts = &r->p->parts;
	struct part *last;

	if (!can_trim || !trims(r->p, open.span) || parts->len == 0)
		return;
	last = &parts->items[parts->len - 1];
	if (last->kind == PART_TEXT)
		last->text = text_trim_right(last->text);
}

static void interp_error(struct template_reader *r)
{
	struct parser *p = r->p;
	struct span at = parser_peek_span(p), ctx = span_between(r->start, at);
	enum tok t = parser_peek(p);

	if (t == T_EOF)
		syntax_error(p, r->start, NULL,
			     "Unclosed template interpolation sequence",
			     "The source ends before the \"}\" of an "
			     "interpolation. Brackets in it may be wrongly "
			     "nested.");
	else if (t == T_COLON)
		syntax_error(p, at, &ctx,
			     "Extra characters after interpolation expression",
			     "A colon is not expected here. If this is text "
			     "meant for another language, write \"$${\" for a "
			     "literal \"${\".");
	else if ((t == T_CQUOTE || t == T_OQUOTE) && r->end == T_CQUOTE)
		syntax_error(p, r->start, NULL,
			     "Unclosed template interpolation sequence",
			     "The string ends before the \"}\" of an "
			     "interpolation. Brackets in it may be wrongly "
			     "nested.");
	else
		syntax_error(p, at, &ctx,
			     "Extra characters after interpolation expression",
			     "\"}\" is expected here. If this is text meant "
			     "for another language, such as a shell script, "
			     "write \"$${\" for a literal \"${\".");
}

/* The "}" of a sequence; *at gets the span of the token in its place. */
static void take_seq_end(struct template_reader *r, struct span *at)
{
	*at = parser_peek_span(r->p);
	parser_take(r->p);
	r->trim_next = trims(r->p, *at);
}

static void read_interp(struct template_reader *r, struct token open)
{
	struct parser *p = r->p;
	bool newlines = p->newlines;
	struct expr *e;
	struct span close;

	p->newlines = false;
	e = parse_expr(p);
	if (parser_peek(p) == T_SEQ_END) {
		take_seq_end(r, &close);
	} else {
		close = parser_peek_span(p);
		if (!p->recovery)
			interp_error(r);
		parser_recover(p, T_SEQ_END);
	}
	p->newlines = newlines;
	add_part(r, (struct part){ .kind = PART_EXPR,
				   .expr = e,
				   .span = span_between(open.span, close) });
}

static bool for_directive_error(struct parser *p, const char *detail)
{
	if (!p->recovery)
		syntax_error(p, parser_peek_span(p), NULL,
			     "Invalid 'for' directive", "%s", detail);
	return false;
}

static bool read_for(struct parser *p, struct part *part)
{
	part->kind = PART_FOR;
	if (parser_peek(p) != T_IDENT)
		return for_directive_error(
			p, "A variable name is expected after \"for\".");
	part->value_name = span_text(p, parser_take(p).span);
	if (parser_peek(p) == T_COMMA) {
		parser_take(p);
		part->key_name = part->value_name;
		if (parser_peek(p) != T_IDENT)
			return for_directive_error(
				p,
				"A name for the value is expected after the comma.");
		part->value_name = span_text(p, parser_take(p).span);
	}
	if (!parser_peek_word(p, "in"))
		return for_directive_error(
			p, "\"in\" is expected after the variable names.");
	parser_take(p);
	part->expr = parse_expr(p);
	return true;
}

/* The keyword has been taken; false after an error. */
static bool read_directive(struct parser *p, struct token open, struct token kw,
			   struct part *part)
{
	static const char *const names[] = { "if",    "for",    "else",
					     "endif", "endfor", NULL };
	struct str word = span_text(p, kw.span);
	struct span ctx = span_between(open.span, kw.span);
	const char *near;

	if (str_is(word, "if")) {
		part->kind = PART_IF;
		part->expr = parse_expr(p);
		return true;
	}
	if (str_is(word, "for"))
		return read_for(p, part);
	if (str_is(word, "else"))
		part->kind = PART_ELSE;
	else if (str_is(word, "endif"))
		part->kind = PART_ENDIF;
	else if (str_is(word, "endfor"))
		part->kind = PART_ENDFOR;
	else if (p->recovery)
		return false;
	else {
		near = text_suggest(word, names);
		syntax_error(p, kw.span, &ctx,
			     "Invalid template control keyword",
			     "\"%.*s\" is not a template directive.%s%s%s",
			     STR_ARG(word), near ? " Did you mean \"" : "",
			     near ? near : "", near ? "\"?" : "");
		return false;
	}
	return true;
}

static void extra_in_directive(struct template_reader *r, struct token kw)
{
	struct parser *p = r->p;
	struct span at = parser_peek_span(p), ctx = span_between(r->start, at);

	syntax_error(p, at, &ctx,
		     arena_printf(p->syntax.arena,
				  "Extra characters in %.*s marker",
				  STR_ARG(span_text(p, kw.span))),
		     "\"}\" is expected here.");
}

static void read_control(struct template_reader *r, struct token open)
{
	struct parser *p = r->p;
	bool newlines = p->newlines;
	struct part part = { .span = open.span };
	struct token kw = { T_EOF, { 0, 0 } };
	struct span ctx;
	bool ok = false;

	p->newlines = false;
	if (parser_peek(p) == T_IDENT) {
		kw = parser_take(p);
		ok = read_directive(p, open, kw, &part);
	} else if (!p->recovery) {
		ctx = span_between(open.span, parser_peek_span(p));
		syntax_error(
			p, parser_peek_span(p), &ctx,
			"Invalid template directive",
			"\"%%{\" must be followed by a keyword: if, else, endif, for or endfor.");
	}
	if (ok) {
		part.span.end = parser_peek_span(p).end;
		add_part(r, part);
		if (parser_peek(p) != T_SEQ_END && !p->recovery)
			extra_in_directive(r, kw);
	}
	if (ok && parser_peek(p) == T_SEQ_END)
		take_seq_end(r, &ctx);
	else
		parser_recover(p, T_SEQ_END);
	p->newlines = newlines;
}

static void read_text(struct template_reader *r, struct token t, bool ltrim)
{
	struct str text = parser_literal_text(r->p, t);

	if (ltrim)
		text = text_trim_left(text);
	add_part(r, (struct part){
			    .kind = PART_TEXT, .text = text, .span = t.span });
	r->can_trim_prev = true;
}

/* All parts up to the end token, which is taken too and returned. */
static struct span read_parts(struct template_reader *r)
{
	struct parser *p = r->p;

	for (;;) {
		struct token t = parser_take(p);
		bool ltrim = r->trim_next, rtrim = r->can_trim_prev;
		struct span ctx;

		if (t.type == r->end)
			return t.span;
		r->trim_next = false;
		r->can_trim_prev = false;
		switch (t.type) {
		case T_STRING_LIT:
		case T_QUOTED_LIT:
			read_text(r, t, ltrim);
			break;
		case T_INTERP:
			trim_before(r, t, rtrim);
			read_interp(r, t);
			break;
		case T_CONTROL:
			trim_before(r, t, rtrim);
			read_control(r, t);
			break;
		default:
			ctx = span_between(r->start, t.span);
			if (!p->recovery)
				syntax_error(
					p, t.span, &ctx,
					"Unterminated template string",
					"The end of the string is missing.");
			return parser_recover(p, r->end).span;
		}
	}
}

struct expr *parse_template_parts(struct parser *p, enum tok end, bool flush,
				  struct span open)
{
	struct template_reader r = { .p = p,
				     .end = end,
				     .start = parser_peek_span(p) };
	size_t base = p->parts.len;
	struct span last, span;
	struct expr *e;

	if (!parser_enter(p))
		return parser_new_unknown(p, open);
	last = read_parts(&r);
	if (p->parts.len == base) {
		uint32_t at = r.start.end;

		add_part(&r, (struct part){ .kind = PART_TEXT,
					    .text = STR(""),
					    .span = { at, at } });
	}
	add_part(&r, (struct part){ .kind = PART_END, .span = last });
	if (flush)
		template_flush(p, base);
	span = span_between(open.end == open.start ? r.start : open,
			    p->prev.span);
	if (open.end == open.start)
		span.end = last.end;
	e = template_tree(p, base, span);
	p->parts.len = base;
	parser_leave(p);
	return e;
}
