noinst_LIBRARIES += lib/libui.a
lib_libui_a_SOURCES = \
	lib/ui/config_expr.c lib/ui/config_json.c lib/ui/config_json_int.h \
	lib/ui/config_providers.c \
	lib/ui/diag_text.c lib/ui/diag_text.h \
	lib/ui/front.c lib/ui/front.h \
	lib/ui/diff.c lib/ui/diff.h lib/ui/diff_int.h lib/ui/diff_schema.c \
	lib/ui/diff_string.c lib/ui/diff_text.c lib/ui/diff_text_block.c \
	lib/ui/diff_text_int.h \
	lib/ui/diff_value.c lib/ui/diff_walk.c \
	lib/ui/display.c lib/ui/display.h \
	lib/ui/drift.c lib/ui/drift.h \
	lib/ui/event_view.c \
	lib/ui/plan_file.c lib/ui/plan_file.h \
	lib/ui/outputs.c lib/ui/outputs.h \
	lib/ui/plan_json.c lib/ui/plan_resource.c \
	lib/ui/plan_text.c lib/ui/plan_text_int.h lib/ui/plan_view.c \
	lib/ui/providers_json.c lib/ui/providers_json.h \
	lib/ui/schemas.c lib/ui/schemas.h lib/ui/schemas_opened.c \
	lib/ui/live.c lib/ui/live.h lib/ui/live_int.h lib/ui/live_diag.c \
	lib/ui/live_event.c lib/ui/live_op.c \
	lib/ui/show.c lib/ui/show.h lib/ui/show_config.c \
	lib/ui/shown.c lib/ui/shown.h lib/ui/shown_diag.c \
	lib/ui/status.c lib/ui/status.h \
	lib/ui/state_checks.c lib/ui/state_json.c \
	lib/ui/state_list.c lib/ui/state_list.h lib/ui/state_text.c \
	lib/ui/ui_message.c \
	lib/ui/view.h

unit_tests += tests/unit/diff_test
tests_unit_diff_test_SOURCES = tests/unit/diff_test.c tests/unit/test.h

unit_tests += tests/unit/status_test
tests_unit_status_test_SOURCES = tests/unit/status_test.c tests/unit/test.h
