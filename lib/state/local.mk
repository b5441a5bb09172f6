noinst_LIBRARIES += lib/libstate.a
lib_libstate_a_SOURCES =
# the state
lib_libstate_a_SOURCES += \
	lib/state/flatmap.c lib/state/flatmap.h lib/state/state.c \
	lib/state/state.h lib/state/state_value.c
# its file and its records
lib_libstate_a_SOURCES += \
	lib/state/file/state_equal.c lib/state/file/state_read.c \
	lib/state/file/read_addr.c lib/state/file/read_fields.c \
	lib/state/file/read_resources.c lib/state/file/state_record_read.c \
	lib/state/file/state_record.c lib/state/file/upgrade.c \
	lib/state/file/state_write.c lib/state/file/file.h \
	lib/state/file/file_int.h
# where it is kept
lib_libstate_a_SOURCES += \
	lib/state/backend/access.c lib/state/backend/arguments.c \
	lib/state/backend/backend.c lib/state/backend/backend.h \
	lib/state/backend/backend_config.c lib/state/backend/backend_config.h \
	lib/state/backend/backend_int.h lib/state/backend/backend_text.c \
	lib/state/backend/handover.c lib/state/backend/azurerm/azurerm.c \
	lib/state/backend/azurerm/azurerm_int.h \
	lib/state/backend/azurerm/azurerm_lock.c \
	lib/state/backend/azurerm/azurerm_requests.c \
	lib/state/backend/azurerm/azurerm_settings.c \
	lib/state/backend/gcs/gcs.c lib/state/backend/gcs/gcs_int.h \
	lib/state/backend/gcs/gcs_requests.c lib/state/backend/http.c \
	lib/state/backend/inmem.c lib/state/backend/journal.c \
	lib/state/backend/journal_cipher.c lib/state/backend/journal_damage.c \
	lib/state/backend/journal_file.c lib/state/backend/journal_lines.c \
	lib/state/backend/journal_read.c lib/state/backend/journal_unsettled.c \
	lib/state/backend/kinds.c lib/state/backend/local/local.c \
	lib/state/backend/local/local_file.c \
	lib/state/backend/local/local_int.h \
	lib/state/backend/local/local_lock.c lib/state/backend/lock.c \
	lib/state/backend/lock.h lib/state/backend/s3/s3.c \
	lib/state/backend/s3/s3_check.c lib/state/backend/s3/s3_config.c \
	lib/state/backend/s3/s3_int.h lib/state/backend/s3/s3_lock.c \
	lib/state/backend/s3/s3_object.c lib/state/backend/s3/s3_table.c \
	lib/state/backend/consul/consul.c \
	lib/state/backend/consul/consul_int.h \
	lib/state/backend/consul/consul_lock.c \
	lib/state/backend/consul/consul_open.c lib/state/backend/cos.c \
	lib/state/backend/kubernetes/kubernetes.c \
	lib/state/backend/kubernetes/kubernetes_config.c \
	lib/state/backend/kubernetes/kubernetes_int.h \
	lib/state/backend/kubernetes/kubernetes_lock.c \
	lib/state/backend/kubernetes/kubernetes_user.c lib/state/backend/oss.c \
	lib/state/backend/pg/pg.c lib/state/backend/pg/pg_int.h \
	lib/state/backend/pg/pg_lock.c lib/state/backend/pg/pg_rows.c \
	lib/state/backend/pg/pg_rows_make.c lib/state/backend/rows.c \
	lib/state/backend/rows.h lib/state/backend/rows_seal.c \
	lib/state/backend/initialised.c lib/state/backend/schemas.c \
	lib/state/backend/tfe/tfe.c lib/state/backend/tfe/tfe_api.c \
	lib/state/backend/tfe/tfe_int.h lib/state/backend/tfe/tfe_make.c \
	lib/state/backend/tfe/tfe_workspace.c lib/state/backend/workspace.c \
	lib/state/backend/workspaces.c lib/state/backend/workspaces.h
# what changes it by command
lib_libstate_a_SOURCES += \
	lib/state/edit/edit_commands.c lib/state/edit/edit_instances.c \
	lib/state/edit/edit.h lib/state/edit/move.c \
	lib/state/edit/translate.c

unit_tests += tests/unit/state_file_test
tests_unit_state_file_test_SOURCES = tests/unit/state_file_test.c \
	tests/unit/test.h
unit_tests += tests/unit/flatmap_test
tests_unit_flatmap_test_SOURCES = tests/unit/flatmap_test.c tests/unit/test.h
unit_tests += tests/unit/state_backend_test
tests_unit_state_backend_test_SOURCES = tests/unit/state_backend_test.c \
	tests/unit/test.h
unit_tests += tests/unit/state_journal_test
tests_unit_state_journal_test_SOURCES = tests/unit/state_journal_test.c \
	tests/unit/test.h

unit_tests += tests/unit/state_damage_test
tests_unit_state_damage_test_SOURCES = tests/unit/state_damage_test.c \
	tests/unit/test.h

unit_tests += tests/unit/backend_schemas_test
tests_unit_backend_schemas_test_SOURCES = tests/unit/backend_schemas_test.c \
	tests/unit/test.h
