noinst_LIBRARIES += lib/libui.a
lib_libui_a_SOURCES =
# changes, line by line
lib_libui_a_SOURCES += \
	lib/ui/diff/diff.c lib/ui/diff/diff.h lib/ui/diff/diff_int.h \
	lib/ui/diff/diff_schema.c lib/ui/diff/diff_string.c \
	lib/ui/diff/diff_text.c lib/ui/diff/diff_value.c \
	lib/ui/diff/diff_walk.c
# views and diagnostics
lib_libui_a_SOURCES += \
	lib/ui/ask.c lib/ui/ask.h lib/ui/console_input.c \
	lib/ui/console_input.h lib/ui/console_session.c \
	lib/ui/console_session.h lib/ui/diag_difference.c lib/ui/diag_text.c \
	lib/ui/diag_text.h lib/ui/display.c lib/ui/display.h lib/ui/front.c \
	lib/ui/outputs.c lib/ui/outputs.h lib/ui/shown_schema.c \
	lib/ui/opened_schema.c lib/ui/shown_diag.c lib/ui/state_words.c \
	lib/ui/ui_message.c lib/ui/view.h
# plans, states and configurations
lib_libui_a_SOURCES += \
	lib/ui/show/config_expr.c lib/ui/show/config_json.c \
	lib/ui/show/config_providers.c lib/ui/show/event_view.c \
	lib/ui/show/explain.c lib/ui/show/explain.h lib/ui/show/explain_attr.c \
	lib/ui/show/explain_chain.c lib/ui/show/explain_data.c \
	lib/ui/show/slowest.c lib/ui/show/explain_put.c lib/ui/show/part.c \
	lib/ui/show/part_select.c lib/ui/show/plan_file.c \
	lib/ui/show/plan_json.c lib/ui/show/plan_resource.c \
	lib/ui/show/plan_text.c lib/ui/show/plan_view.c \
	lib/ui/show/providers_json.c lib/ui/show/providers_modules.c \
	lib/ui/show/show.c lib/ui/show/show_int.h lib/ui/show/show.h \
	lib/ui/show/show_config.c lib/ui/show/shown.c \
	lib/ui/show/state_checks.c lib/ui/show/state_json.c \
	lib/ui/show/state_list.c lib/ui/show/state_object.c \
	lib/ui/show/state_one.c lib/ui/show/state_text.c \
	lib/ui/show/versions.c lib/ui/show/providers.h
# the forms of a plan
lib_libui_a_SOURCES += \
	lib/ui/show/form/entries.c lib/ui/show/form/fold.c \
	lib/ui/show/form/form.c lib/ui/show/form/form.h \
	lib/ui/show/form/form_int.h lib/ui/show/form/html.c \
	lib/ui/show/form/attributes.c lib/ui/show/form/flat.c \
	lib/ui/show/form/markdown.c lib/ui/show/form/summary.c
# what is told while a run goes on
lib_libui_a_SOURCES += \
	lib/ui/live/init_live.c lib/ui/live/init_live.h \
	lib/ui/live/init_text.c lib/ui/live/live.c lib/ui/live/live.h \
	lib/ui/live/live_diag.c lib/ui/live/live_event.c \
	lib/ui/live/live_int.h lib/ui/live/login_live.c lib/ui/live/status.c

# What a page of HTML has in it: made into lines of C, never distributed.
page_files = lib/ui/show/form/page.css lib/ui/show/form/page.js
page_lines = lib/ui/show/form/page.css.inc lib/ui/show/form/page.js.inc
EXTRA_DIST += $(page_files)
BUILT_SOURCES += $(page_lines)
CLEANFILES += $(page_lines)
# Also where not all is built.
lib/ui/show/form/html.$(OBJEXT): $(page_lines)

lib/ui/show/form/page.css.inc: lib/ui/show/form/page.css
	$(AM_V_GEN)$(MKDIR_P) $(@D) && sed -e 's/[\\"?]/\\&/g' \
		-e 's/.*/"&",/' $(srcdir)/lib/ui/show/form/page.css >$@
lib/ui/show/form/page.js.inc: lib/ui/show/form/page.js
	$(AM_V_GEN)$(MKDIR_P) $(@D) && sed -e 's/[\\"?]/\\&/g' \
		-e 's/.*/"&",/' $(srcdir)/lib/ui/show/form/page.js >$@

unit_tests += tests/unit/diff_test
tests_unit_diff_test_SOURCES = tests/unit/diff_test.c tests/unit/test.h

unit_tests += tests/unit/status_test
tests_unit_status_test_SOURCES = tests/unit/status_test.c tests/unit/test.h
