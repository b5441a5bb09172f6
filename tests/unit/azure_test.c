/*
 * azure_test.c - signatures of requests to Azure's storage, and which way to a
 * token is taken
 *
 * The signatures are those that OpenTofu 1.12.6 sent of the same requests.
 */
#include "remote/azure.h"
#include "remote/remote.h"
#include "test.h"

static struct arena a = ARENA_INIT;

static struct str sign(const char *method, const char *path, const char *query,
		       const struct fetch_header *headers, size_t n)
{
	const struct azure_request r = { str_c(method), str_c(path),
					 str_c(query),	headers,
					 n,		0 };

	return azure_sign(&a, &r, STR("tests"),
			  STR("a key of the tests, 32 bytes it is"));
}

#define DATE_SENT { STR("x-ms-date"), STR("Thu, 26 Nov 2026 08:30:25 GMT") }
#define VERSION_SENT { STR("x-ms-version"), STR("2026-02-06") }

static void test_signatures(void)
{
	static const char blob[] = "/state/a%2Fstate.tfstate";
	const struct fetch_header plain[] = { DATE_SENT, VERSION_SENT };
	const struct fetch_header store[] = {
		{ STR("content-type"), STR("application/octet-stream") },
		{ STR("x-ms-blob-content-type"), STR("application/json") },
		{ STR("x-ms-blob-type"), STR("BlockBlob") },
		DATE_SENT,
		VERSION_SENT
	};
	const struct fetch_header lease[] = {
		DATE_SENT,
		{ STR("x-ms-lease-action"), STR("acquire") },
		{ STR("x-ms-lease-duration"), STR("-1") },
		{ STR("x-ms-proposed-lease-id"),
		  STR("22128754-5db5-187c-66ff-e20628f7598c") },
		VERSION_SENT
	};

	CHECK_STR(sign("GET", "/state",
		       "comp=list&marker=&prefix=a%2Fstate.tfstateenv%3A&"
		       "restype=container",
		       plain, 2),
		  "SharedKey tests:"
		  "UKQQZvClTjZC+er0Tzn5vofu8p8uzzIjAvGez/iPgN4=");
	CHECK_STR(sign("GET", blob, "", plain, 2),
		  "SharedKey tests:"
		  "KJincwbPb0NqjD6rB4+jlps6FcUghxUSzkL48cQ6YUE=");
	CHECK_STR(sign("PUT", blob, "", store, 5),
		  "SharedKey tests:"
		  "v8DsL1fY79WeGW/C9Am5u5pqMaPc8JEfiDu6ZCDvYiw=");
	CHECK_STR(sign("PUT", blob, "comp=lease", lease, 5),
		  "SharedKey tests:"
		  "jWRc9w6aH7nBgE2UavRYFtxaZH1c2CNUoBJZ9TRDNhM=");
}

static void test_clouds(void)
{
	struct azure_cloud c;

	CHECK(azure_cloud_named(STR(""), &c) == 0);
	CHECK_STR(c.storage, "core.windows.net");
	CHECK(azure_cloud_named(STR("china"), &c) == 0);
	CHECK_STR(c.login, "https://login.chinacloudapi.cn/");
	CHECK(azure_cloud_named(STR("german"), &c) == -1);
}

static void test_nobody(void)
{
	struct remote rem = { .a = &a };
	const struct azure_settings s = { .secret = STR("s"),
					  .tenant = STR("t") };
	struct oauth_token token = { .text = STR_NONE };
	struct azure_cloud c;
	struct str why;

	azure_cloud_named(STR_NONE, &c);
	CHECK(azure_token(&rem, &s, &c, STR("x"), &token, &why) == 1);
	CHECK(str_find(why, STR("client secret: there is no client_id")) > 0);
	CHECK(!rem.fetch);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_signatures());
	RUN(test_clouds());
	RUN(test_nobody());
	arena_release(&a);
	return test_done("azure");
}
