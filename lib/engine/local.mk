noinst_LIBRARIES += lib/libengine.a
lib_libengine_a_SOURCES = \
	lib/engine/change.h lib/engine/change_int.h \
	lib/engine/change_read.c \
	lib/engine/change_record.c lib/engine/change_record.h \
	lib/engine/changes.c \
	lib/engine/checks.c lib/engine/checks.h \
	lib/engine/compatible.c \
	lib/engine/conditions.c \
	lib/engine/expand.c lib/engine/functions.c \
	lib/engine/inputs.c lib/engine/inputs.h \
	lib/engine/inputs_parse.c \
	lib/engine/normalize.c \
	lib/engine/objchange.c lib/engine/objchange.h \
	lib/engine/objchange_int.h \
	lib/engine/objchange_util.c \
	lib/engine/plan_valid.c \
	lib/engine/provider_start.c \
	lib/engine/providers.c \
	lib/engine/provisioners.c lib/engine/provisioners.h \
	lib/engine/repetition.c \
	lib/engine/resource_value.c \
	lib/engine/run.c lib/engine/run.h \
	lib/engine/run_int.h \
	lib/engine/scope.c \
	lib/engine/slots.c \
	lib/engine/attr_walk.c \
	lib/engine/schema_marks.c \
	lib/engine/replace_paths.c \
	lib/engine/storable.c \
	lib/engine/tolerated.c lib/engine/tolerated.h \
	lib/engine/values.c \
	lib/engine/variables.c lib/engine/variables.h

# tf-eval
lib_libengine_a_SOURCES += \
	lib/engine/console.c lib/engine/console.h \
	lib/engine/current.c lib/engine/current.h \
	lib/engine/deep_locals.c \
	lib/engine/eval_stage.c lib/engine/eval_stage.h

# applying
lib_libengine_a_SOURCES += \
	lib/engine/apply.c lib/engine/apply.h lib/engine/apply_int.h \
	lib/engine/apply_change.c \
	lib/engine/apply_data.c \
	lib/engine/apply_destroy.c \
	lib/engine/apply_edges.c \
	lib/engine/apply_ephemeral.c \
	lib/engine/apply_family.c \
	lib/engine/apply_finish.c \
	lib/engine/apply_graph.c lib/engine/apply_graph.h \
	lib/engine/apply_graph_int.h \
	lib/engine/apply_nodes.c \
	lib/engine/apply_object.c \
	lib/engine/apply_op.c \
	lib/engine/apply_outputs.c \
	lib/engine/apply_planned.c \
	lib/engine/apply_read.c \
	lib/engine/apply_replan.c \
	lib/engine/apply_state.c \
	lib/engine/apply_vars.c \
	lib/engine/events.c lib/engine/events.h lib/engine/events_int.h \
	lib/engine/events_provision.c \
	lib/engine/events_run.c \
	lib/engine/provision.c lib/engine/provision.h

unit_tests += tests/unit/objchange_test
tests_unit_objchange_test_SOURCES = tests/unit/objchange_test.c \
	tests/unit/test.h

# tf-plan, tf-graph
lib_libengine_a_SOURCES += \
	lib/engine/generate.c lib/engine/generate.h \
	lib/engine/ignore_changes.c \
	lib/engine/imports.c lib/engine/imports.h \
	lib/engine/moves.c lib/engine/moves.h lib/engine/moves_int.h \
	lib/engine/moves_apply.c \
	lib/engine/moves_check.c \
	lib/engine/outputs.c \
	lib/engine/plan.c lib/engine/plan.h lib/engine/plan_int.h \
	lib/engine/plan_change.c \
	lib/engine/plan_data.c \
	lib/engine/plan_delete.c \
	lib/engine/plan_ephemeral.c \
	lib/engine/plan_generate.c \
	lib/engine/plan_import.c \
	lib/engine/plan_managed.c \
	lib/engine/plan_nodes.c \
	lib/engine/plan_records.c \
	lib/engine/plan_work.c \
	lib/engine/refresh.c \
	lib/engine/relevant.c \
	lib/engine/schema_refs.c lib/engine/schema_refs.h \
	lib/engine/stage.c lib/engine/stage.h \
	lib/engine/triggers.c lib/engine/triggers.h \
	lib/engine/validate.c lib/engine/validate_int.h \
	lib/engine/validate_import.c \
	lib/engine/validate_provisioner.c \
	lib/engine/validate_resource.c \
	lib/engine/variable_lint.c

unit_tests += tests/unit/apply_test
tests_unit_apply_test_SOURCES = tests/unit/apply_test.c tests/unit/test.h

unit_tests += tests/unit/plan_test
tests_unit_plan_test_SOURCES = tests/unit/plan_test.c tests/unit/case.h \
	tests/unit/test.h
