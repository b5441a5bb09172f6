noinst_LIBRARIES += lib/libremote.a
lib_libremote_a_SOURCES = \
	lib/remote/aliyun.c lib/remote/aliyun.h lib/remote/aws.h \
	lib/remote/aws_client.c lib/remote/aws_endpoint.c \
	lib/remote/aws_keys.c lib/remote/aws_profile.c \
	lib/remote/aws_services.c lib/remote/aws_sign.c \
	lib/remote/cli_files.c lib/remote/cli_hosts.c \
	lib/remote/credentials.c lib/remote/credentials.h lib/remote/fetch.c \
	lib/remote/fetch.h lib/remote/fetch_text.c lib/remote/azure.h \
	lib/remote/azure_cloud.c lib/remote/azure_machine.c \
	lib/remote/azure_settings.c lib/remote/azure_sign.c \
	lib/remote/azure_token.c lib/remote/google_accounts.c \
	lib/remote/google_aws.c lib/remote/google_external.c \
	lib/remote/google_token.c lib/remote/google_token.h \
	lib/remote/oauth.c lib/remote/oauth.h lib/remote/platform.c \
	lib/remote/remote.c lib/remote/remote_int.h lib/remote/remote.h \
	lib/remote/secret_program.c lib/remote/services.c \
	lib/remote/tencent.c lib/remote/tencent.h lib/remote/xml.c \
	lib/remote/xml.h

unit_tests += tests/unit/aws_test
tests_unit_aws_test_SOURCES = tests/unit/aws_test.c tests/unit/test.h

unit_tests += tests/unit/azure_test
tests_unit_azure_test_SOURCES = tests/unit/azure_test.c tests/unit/test.h
