# A provider plugin of the project's own, for the tests of tools.
check_PROGRAMS += tests/provider/terraform-provider-test
tests_provider_terraform_provider_test_SOURCES = \
	tests/provider/calls.c \
	tests/provider/edit.c \
	tests/provider/life.c \
	tests/provider/main.c \
	tests/provider/orders.c tests/provider/orders.h \
	tests/provider/others.c \
	tests/provider/pack.c \
	tests/provider/provider.h \
	tests/provider/resources.c \
	tests/provider/schema.c tests/provider/schema.h \
	tests/provider/schema_wire.c \
	tests/provider/secure.c tests/provider/secure.h \
	tests/provider/server.c tests/provider/server.h \
	tests/provider/spoil.c \
	tests/provider/store.c \
	tests/provider/wire.c
