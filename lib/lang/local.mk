noinst_LIBRARIES += lib/liblang.a
lib_liblang_a_SOURCES =
lib_liblang_a_SOURCES += lib/lang/snippet.c lib/lang/snippet.h
# syntax
lib_liblang_a_SOURCES += \
	lib/lang/ast.h lib/lang/body.h lib/lang/parse.h \
	lib/lang/brackets.c lib/lang/ident.c lib/lang/ident.h \
	lib/lang/text.c lib/lang/text_int.h \
	lib/lang/lexer.c lib/lang/lexer_int.h lib/lang/lexer_tmpl.c \
	lib/lang/parse.c lib/lang/parser.c lib/lang/parser_int.h \
	lib/lang/parse_body.c lib/lang/parse_call.c lib/lang/parse_coll.c \
	lib/lang/parse_expr.c lib/lang/parse_template.c lib/lang/parse_term.c \
	lib/lang/parse_traversal.c \
	lib/lang/body.c lib/lang/body_int.h lib/lang/body_expanded.c \
	lib/lang/body_json.c lib/lang/body_merge.c \
	lib/lang/json_expr.c lib/lang/json_syntax.c lib/lang/json_scalar.c \
	lib/lang/json_read_int.h \
	lib/lang/json_syntax_int.h \
	lib/lang/format.c lib/lang/format.h lib/lang/format_edit.c \
	lib/lang/format_files.c lib/lang/format_files.h \
	lib/lang/format_int.h lib/lang/format_space.c \
	lib/lang/static.c lib/lang/walk.c \
	lib/lang/strlit.c lib/lang/template_int.h lib/lang/template_tree.c
# evaluation
lib_liblang_a_SOURCES += \
	lib/lang/eval.h lib/lang/func.h lib/lang/spec.h lib/lang/typeexpr.h \
	lib/lang/eval_int.h lib/lang/spec_int.h \
	lib/lang/eval.c lib/lang/eval_access.c lib/lang/eval_call.c \
	lib/lang/eval_cond.c lib/lang/eval_diag.c \
	lib/lang/eval_difference.c lib/lang/eval_for.c \
	lib/lang/eval_json.c lib/lang/eval_lazy.c lib/lang/eval_ops.c \
	lib/lang/eval_ref.c \
	lib/lang/eval_splat.c lib/lang/eval_template.c lib/lang/typeexpr.c \
	lib/lang/spec.c lib/lang/dynamic.c lib/lang/decode.c \
	lib/lang/body_vars.c lib/lang/body_path.c lib/lang/func_fail.c

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
