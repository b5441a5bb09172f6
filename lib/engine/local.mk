noinst_LIBRARIES += lib/libengine.a
lib_libengine_a_SOURCES =

# the rules of one object
lib_libengine_a_SOURCES += \
	lib/engine/object/compatible.c lib/engine/object/ignore_changes.c \
	lib/engine/object/normalize.c lib/engine/object/objchange.c \
	lib/engine/object/objchange.h lib/engine/object/plan_valid.c \
	lib/engine/object/replace_paths.c \
	lib/engine/object/resource_object.c \
	lib/engine/object/resource_object.h lib/engine/object/storable.c \
	lib/engine/object/tolerated.c lib/engine/object/object_int.h

# planned changes and what is told of them
lib_libengine_a_SOURCES += \
	lib/engine/change/record_agree.c lib/engine/change/change.h \
	lib/engine/change/change_int.h lib/engine/change/events.c \
	lib/engine/change/events.h lib/engine/change/stop.c \
	lib/engine/change/slowest.c lib/engine/change/events_run.c lib/engine/change/record_found.c \
	lib/engine/change/names.c lib/engine/change/planned_record.c \
	lib/engine/change/published.c lib/engine/change/record.c \
	lib/engine/change/record.h lib/engine/change/shown_values.c

# configuration expanded and evaluated
lib_libengine_a_SOURCES += \
	lib/engine/run/assertions.c lib/engine/run/assertions.h \
	lib/engine/run/calls.c lib/engine/run/changes.c \
	lib/engine/run/checks.c lib/engine/run/checks.h \
	lib/engine/run/conditions.c lib/engine/run/conditions.h \
	lib/engine/run/deep_locals.c lib/engine/run/expand.c \
	lib/engine/run/expand.h lib/engine/run/functions.c \
	lib/engine/run/imports.c lib/engine/run/imports.h \
	lib/engine/run/inputs.c lib/engine/run/inputs.h \
	lib/engine/run/inputs_read.c lib/engine/run/inputs_parse.c \
	lib/engine/run/mock.c lib/engine/run/mock.h \
	lib/engine/run/module_checks.c lib/engine/run/nested_check.c \
	lib/engine/run/object_plan.c lib/engine/run/overrides.c \
	lib/engine/run/overrides.h lib/engine/run/provider_start.c \
	lib/engine/run/provider_schemas.c lib/engine/run/providers.c \
	lib/engine/run/providers.h lib/engine/run/provisioners.c \
	lib/engine/run/repetition.c lib/engine/run/resource_value.c \
	lib/engine/run/run.c lib/engine/run/run.h lib/engine/run/run_int.h \
	lib/engine/run/schema_marks.c lib/engine/run/schema_refs.c \
	lib/engine/run/scope.c lib/engine/run/scope_names.c \
	lib/engine/run/slots.c lib/engine/run/trigger_ref.c \
	lib/engine/run/values.c lib/engine/run/values.h \
	lib/engine/run/variable_value.c lib/engine/run/variables.c \
	lib/engine/run/worker.c lib/engine/run/worker.h

# the graph of the apply phase
lib_libengine_a_SOURCES += \
	lib/engine/order/apply_graph.c lib/engine/order/apply_graph.h \
	lib/engine/order/edges.c lib/engine/order/family.c \
	lib/engine/order/needed.c lib/engine/order/order_int.h \
	lib/engine/order/planned.c lib/engine/order/weak.c

# tf-plan -validate
lib_libengine_a_SOURCES += \
	lib/engine/validate/validate_import.c \
	lib/engine/validate/provisioner.c lib/engine/validate/references.c \
	lib/engine/validate/resource.c lib/engine/validate/validate.c \
	lib/engine/validate/validate.h lib/engine/validate/validate_int.h

# tf-plan, tf-graph
lib_libengine_a_SOURCES += \
	lib/engine/plan/change.c lib/engine/plan/configure.c \
	lib/engine/plan/guard.c lib/engine/plan/data.c \
	lib/engine/plan/delete.c lib/engine/plan/deny.c \
	lib/engine/plan/drift.c lib/engine/plan/ephemeral.c \
	lib/engine/plan/generate.c lib/engine/plan/graph_steps.c \
	lib/engine/plan/graph_stage.c lib/engine/plan/import.c \
	lib/engine/plan/import_generate.c lib/engine/plan/job.c \
	lib/engine/plan/managed.c lib/engine/plan/moves.c \
	lib/engine/plan/moves_apply.c lib/engine/plan/moves_graph.c \
	lib/engine/plan/moves_check.c lib/engine/plan/nodes.c \
	lib/engine/plan/output_changes.c lib/engine/plan/plan.c \
	lib/engine/plan/plan.h lib/engine/plan/plan_int.h \
	lib/engine/plan/plan_steps.c lib/engine/plan/plan_records.c \
	lib/engine/plan/reads.c lib/engine/plan/refresh.c \
	lib/engine/plan/relevant.c lib/engine/plan/triggers.c \
	lib/engine/plan/work.c

# tf-apply
lib_libengine_a_SOURCES += \
	lib/engine/apply/apply.c lib/engine/apply/apply.h \
	lib/engine/apply/apply_int.h lib/engine/apply/apply_managed.c \
	lib/engine/apply/claims.c lib/engine/apply/apply_data.c \
	lib/engine/apply/destroy.c lib/engine/apply/apply_ephemeral.c \
	lib/engine/apply/finish.c lib/engine/apply/graph_apply.c \
	lib/engine/apply/needs.c lib/engine/apply/apply_nodes.c \
	lib/engine/apply/object.c lib/engine/apply/op.c \
	lib/engine/apply/provision.c lib/engine/apply/provision_remote.c \
	lib/engine/apply/apply_input.c \
	lib/engine/apply/replan.c lib/engine/apply/rescue.c \
	lib/engine/apply/apply_state.c lib/engine/apply/stored.c \
	lib/engine/apply/taken.c lib/engine/apply/vars.c

# what the tools are made of
lib_libengine_a_SOURCES += \
	lib/engine/stage/batch.c lib/engine/stage/chosen.c \
	lib/engine/stage/console.c lib/engine/stage/console.h \
	lib/engine/stage/current.c lib/engine/stage/load_stage.c \
	lib/engine/stage/opens.c \
	lib/engine/stage/edits.c lib/engine/stage/edits.h \
	lib/engine/stage/environment.c lib/engine/stage/eval_steps.c \
	lib/engine/stage/eval_steps.h lib/engine/stage/eval_stage.c \
	lib/engine/stage/eval_stage.h lib/engine/stage/missing.c \
	lib/engine/stage/plan_reader.c lib/engine/stage/plan_reader.h \
	lib/engine/stage/plan_record.c lib/engine/stage/refresh_option.c \
	lib/engine/stage/selectors.c \
	lib/engine/stage/selectors.h lib/engine/stage/stage.c \
	lib/engine/stage/stage.h

unit_tests += tests/unit/objchange_test
tests_unit_objchange_test_SOURCES = tests/unit/objchange_test.c \
	tests/unit/test.h

unit_tests += tests/unit/apply_test
tests_unit_apply_test_SOURCES = tests/unit/apply_test.c tests/unit/test.h

unit_tests += tests/unit/plan_test
tests_unit_plan_test_SOURCES = tests/unit/plan_test.c tests/unit/case.h \
	tests/unit/test.h
