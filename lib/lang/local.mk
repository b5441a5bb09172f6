noinst_LIBRARIES += lib/liblang.a
lib_liblang_a_SOURCES =
# syntax
lib_liblang_a_SOURCES += \
	lib/lang/syntax/ast.h lib/lang/syntax/body.c lib/lang/syntax/body.h \
	lib/lang/syntax/body_json.c lib/lang/syntax/body_merge.c \
	lib/lang/syntax/brackets.c lib/lang/syntax/ident.c \
	lib/lang/syntax/ident.h lib/lang/syntax/json_expr.c \
	lib/lang/syntax/json_scalar.c lib/lang/syntax/json_syntax.c \
	lib/lang/syntax/lexer.c lib/lang/syntax/lexer.h \
	lib/lang/syntax/lexer_tmpl.c lib/lang/syntax/parse.c \
	lib/lang/syntax/parse.h lib/lang/syntax/parse_body.c \
	lib/lang/syntax/parse_call.c lib/lang/syntax/parse_coll.c \
	lib/lang/syntax/parse_expr.c lib/lang/syntax/parse_template.c \
	lib/lang/syntax/parse_term.c lib/lang/syntax/parse_traversal.c \
	lib/lang/syntax/parser.c lib/lang/syntax/snippet.c \
	lib/lang/syntax/snippet.h lib/lang/syntax/strlit.c \
	lib/lang/syntax/template_tree.c lib/lang/syntax/syntax_text.c \
	lib/lang/syntax/expression_walk.c lib/lang/syntax/walk.h \
	lib/lang/syntax/json_syntax.h lib/lang/syntax/syntax_int.h
# how files are laid out
lib_liblang_a_SOURCES += \
	lib/lang/format/format.c lib/lang/format/format.h \
	lib/lang/format/format_edit.c lib/lang/format/format_files.c \
	lib/lang/format/format_int.h lib/lang/format/format_space.c
# evaluation
lib_liblang_a_SOURCES += \
	lib/lang/eval/eval.c lib/lang/eval/eval.h \
	lib/lang/eval/eval_access.c lib/lang/eval/eval_call.c \
	lib/lang/eval/eval_cond.c lib/lang/eval/eval_diag.c \
	lib/lang/eval/eval_for.c lib/lang/eval/eval_int.h \
	lib/lang/eval/eval_json.c lib/lang/eval/eval_lazy.c \
	lib/lang/eval/eval_loop.c lib/lang/eval/eval_ops.c \
	lib/lang/eval/eval_ref.c lib/lang/eval/eval_splat.c \
	lib/lang/eval/eval_template.c lib/lang/eval/for_each.c \
	lib/lang/eval/func.h lib/lang/eval/func_fail.c \
	lib/lang/eval/expression_static.c lib/lang/eval/typeexpr.c
# bodies by schema
lib_liblang_a_SOURCES += \
	lib/lang/spec/body_expanded.c lib/lang/spec/body_path.c \
	lib/lang/spec/body_vars.c lib/lang/spec/decode.c \
	lib/lang/spec/decode.h lib/lang/spec/dynamic.c \
	lib/lang/spec/in_use.c lib/lang/spec/spec_int.h

unit_tests += tests/unit/lexer_test tests/unit/parse_test
tests_unit_lexer_test_SOURCES = tests/unit/lexer_test.c tests/unit/test.h
tests_unit_parse_test_SOURCES = tests/unit/parse_test.c tests/unit/test.h \
	tests/unit/show_expr.h
unit_tests += tests/unit/body_test tests/unit/jsonsyntax_test \
	tests/unit/format_test
tests_unit_body_test_SOURCES = tests/unit/body_test.c tests/unit/test.h \
	tests/unit/show_expr.h
tests_unit_jsonsyntax_test_SOURCES = tests/unit/jsonsyntax_test.c \
	tests/unit/test.h tests/unit/show_expr.h
tests_unit_format_test_SOURCES = tests/unit/format_test.c \
	tests/unit/test.h tests/unit/show_expr.h
unit_tests += tests/unit/eval_test
tests_unit_eval_test_SOURCES = tests/unit/eval_test.c tests/unit/test.h \
	tests/unit/show_value.h

unit_tests += tests/unit/spec_test
tests_unit_spec_test_SOURCES = tests/unit/spec_test.c tests/unit/test.h \
	tests/unit/show_value.h

unit_tests += tests/unit/typeexpr_test
tests_unit_typeexpr_test_SOURCES = tests/unit/typeexpr_test.c tests/unit/test.h \
	tests/unit/show_value.h

unit_tests += tests/unit/print_test
tests_unit_print_test_SOURCES = tests/unit/print_test.c tests/unit/test.h \
	tests/unit/print_tree.h tests/unit/show_expr.h
