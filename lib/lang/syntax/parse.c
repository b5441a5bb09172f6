/* parse.c - the public entrances to the parser; see parse.h */
#include <stdalign.h>

#include "lang/syntax/syntax_int.h"

static struct body *parse_file(struct arena *a, const struct source *src,
			       bool loose, struct diags *ds)
{
	alignas(16) char room[PARSER_ROOM];
	struct parser p;
	struct body *b;

	parser_init(&p, a, room, src, source_whole(src), LEX_MAIN, ds);
	p.loose = loose;
	b = parse_body(&p, T_EOF);
	parser_finish(&p);
	return b;
}

struct body *parse_native(struct arena *a, const struct source *src,
			  struct diags *ds)
{
	return parse_file(a, src, false, ds);
}

struct body *parse_loose(struct arena *a, const struct source *src,
			 struct diags *ds)
{
	return parse_file(a, src, true, ds);
}

struct expression parse_expression_part(struct arena *a,
					const struct source *src,
					struct span part, struct diags *ds)
{
	alignas(16) char room[PARSER_ROOM];
	struct parser p;
	struct expr *e;

	parser_init(&p, a, room, src, part, LEX_MAIN, ds);
	p.newlines = false;
	/* A text that does not begin at byte 0 is a fragment of a file. */
	p.lx.fragment = src->base.byte + part.start != 0;
	e = parse_expr(&p);
	if (parser_peek(&p) != T_EOF && !p.recovery)
		syntax_error(&p, parser_peek_span(&p), NULL,
			     "Extra characters after expression",
			     "The expression ends before this.");
	return (struct expression){ src, parser_finish(&p) ? NULL : e };
}

struct expression parse_expression(struct arena *a, const struct source *src,
				   struct diags *ds)
{
	return parse_expression_part(a, src, source_whole(src), ds);
}

struct expression parse_template(struct arena *a, const struct source *src,
				 struct diags *ds)
{
	static const struct span none = { 0, 0 };
	alignas(16) char room[PARSER_ROOM];
	struct parser p;
	struct expr *e;

	parser_init(&p, a, room, src, source_whole(src), LEX_BARE, ds);
	e = parse_template_parts(&p, T_EOF, false, none);
	return (struct expression){ src, parser_finish(&p) ? NULL : e };
}
