/* azure_cloud.c - the clouds of Azure; see azure.h */
#include "json/read.h"
#include "json/tree.h"
#include "remote/azure.h"
#include "remote/remote.h"

static const struct azure_cloud clouds[] = {
	{ STR_INIT("https://login.microsoftonline.com/"),
	  STR_INIT("https://management.azure.com"),
	  STR_INIT("https://management.core.windows.net/"),
	  STR_INIT("core.windows.net") },
	{ STR_INIT("https://login.microsoftonline.us/"),
	  STR_INIT("https://management.usgovcloudapi.net"),
	  STR_INIT("https://management.core.usgovcloudapi.net"),
	  STR_INIT("core.usgovcloudapi.net") },
	{ STR_INIT("https://login.chinacloudapi.cn/"),
	  STR_INIT("https://management.chinacloudapi.cn"),
	  STR_INIT("https://management.core.chinacloudapi.cn"),
	  STR_INIT("core.chinacloudapi.cn") },
};

int azure_cloud_named(struct str name, struct azure_cloud *out)
{
	static const struct {
		const char *name;
		int cloud;
	} names[] = {
		{ "", 0 },
		{ "public", 0 },
		{ "global", 0 },
		{ "canary", 0 },
		{ "usgovernment", 1 },
		{ "usgovernmentl4", 1 },
		{ "dod", 1 },
		{ "usgovernmentl5", 1 },
		{ "china", 2 },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!str_is(name, names[i].name))
			continue;
		*out = clouds[names[i].cloud];
		return 0;
	}
	return -1;
}

static struct str with_slash(struct arena *a, struct str s)
{
	return str_ends(s, "/") ? s : STR_CAT(a, s, STR("/"));
}

int azure_cloud_asked(struct remote *rem, struct str host,
		      struct azure_cloud *out, struct str *why)
{
	struct fetch_request r = { .retries = REMOTE_RETRIES,
				   .redirects = FETCH_NO_REDIRECTS };
	const struct json *j, *who, *audiences;
	struct fetch_answer answer;
	struct json_error wrong;

	r.url = STR_CAT(rem->a, STR("https://"), host,
			STR("/metadata/endpoints?api-version=2023-11-01"));
	fetch_wait(remote_fetch(rem), &r, &answer);
	j = json_parse(rem->a, answer.body, &wrong);
	who = json_get(j, "authentication");
	audiences = json_get(who, "audiences");
	out->login = with_slash(rem->a, json_get_str(who, "loginEndpoint"));
	out->manager = json_get_str(j, "resourceManager");
	while (str_ends(out->manager, "/"))
		out->manager.n--;
	out->storage = json_get_str(json_get(j, "suffixes"), "storage");
	if (audiences && audiences->kind == JSON_ARRAY && audiences->len &&
	    audiences->items[0].kind == JSON_STRING)
		out->audience = audiences->items[0].text;
	if (answer.status == 200 && out->storage.n && out->audience.n &&
	    str_starts(out->login, "https://") &&
	    str_starts(out->manager, "https://"))
		return 0;
	*why = str_printf(
		rem->a,
		"retrieving environments from Azure MetaData service: %.*s: %.*s",
		STR_ARG(host),
		STR_ARG(answer.error.n ? answer.error
			: answer.status == 200
				? STR("the answer lacks an address")
				: fetch_status_text(rem->a, answer.status)));
	return -1;
}
