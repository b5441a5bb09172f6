noinst_LIBRARIES += lib/liblang.a
lib_liblang_a_SOURCES =
lib_liblang_a_SOURCES += lib/lang/snippet.c lib/lang/snippet.h
# syntax
lib_liblang_a_SOURCES += \
	lib/lang/ast.h lib/lang/body.h lib/lang/parse.h \
	lib/lang/ident.c lib/lang/text.c lib/lang/text_int.h \
	lib/lang/lexer.c lib/lang/lexer_int.h lib/lang/lexer_tmpl.c \
	lib/lang/parse.c lib/lang/parser.c lib/lang/parser_int.h \
	lib/lang/parse_body.c lib/lang/parse_call.c lib/lang/parse_coll.c \
	lib/lang/parse_expr.c lib/lang/parse_template.c lib/lang/parse_term.c \
	lib/lang/parse_traversal.c \
	lib/lang/strlit.c lib/lang/template_int.h lib/lang/template_tree.c
