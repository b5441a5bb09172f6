/* azurerm_requests.c - see azurerm_int.h */
#include <time.h>

#include "base/base64.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"
#include "remote/remote.h"
#include "remote/xml.h"
#include "state/backend/azurerm/azurerm_int.h"

enum { RETRIES = 3 };

static const char version[] = "2021-08-06";
static const char store_scope[] = "https://storage.azure.com/.default";
static const char keys_version[] = "2023-05-01";

/* --- who asks --- */

static int know_cloud(struct backend *b, struct str *why)
{
	struct azurerm *z = b->data;

	if (z->cloud_known)
		return 0;
	if (azure_cloud_asked(&b->remote, z->metadata, &z->cloud, why))
		return -1;
	z->cloud_known = true;
	return 0;
}

static int take_token(struct backend *b, struct str scope,
		      struct oauth_token *token, struct str *why)
{
	const struct azurerm *z = b->data;
	const int rc =
		azure_token(&b->remote, &z->who, &z->cloud, scope, token, why);

	if (rc > 0)
		*why = STR_CAT(b->arena,
			       STR("No valid azure auth methods found: "),
			       *why);
	return rc ? -1 : 0;
}

static int check_names(struct backend *b, struct str *why)
{
	struct azurerm *z = b->data;

	if (!z->resources.n) {
		*why = STR("Resource Group is empty: resource_group_name is "
			   "needed to look up the account's key");
		return -1;
	}
	if (z->who.subscription.n)
		return 0;
	if (z->who.use_cli &&
	    !azure_cli_subscription(&b->remote, &z->who.subscription, why))
		return 0;
	*why = STR("Subscription ID is empty: subscription_id is needed to "
		   "look up the account's key");
	return -1;
}

static bool take_key(struct backend *b, struct str body)
{
	struct azurerm *z = b->data;
	struct json_error wrong;
	const struct json *keys =
		json_get(json_parse(b->arena, body, &wrong), "keys");

	return keys && keys->kind == JSON_ARRAY && keys->len &&
	       base64_decode(b->arena, json_get_str(&keys->items[0], "value"),
			     &z->account_key) &&
	       z->account_key.n;
}

/* A key of the account, from who manages it. */
static int look_up_key(struct backend *b, struct str *why)
{
	struct azurerm *z = b->data;
	struct arena *a = b->arena;
	struct oauth_token token = { .text = STR_NONE };
	struct fetch_request r = { .method = STR("POST"),
				   .retries = RETRIES,
				   .seconds = (int)z->seconds,
				   .redirects = FETCH_NO_REDIRECTS };
	struct fetch_answer answer;

	if (take_token(b, STR_CAT(a, z->cloud.audience, STR("/.default")),
		       &token, why) ||
	    check_names(b, why))
		return -1;
	r.token = token.text;
	r.url = STR_CAT(a, z->cloud.manager, STR("/subscriptions/"),
			remote_escape(a, z->who.subscription, false),
			STR("/resourceGroups/"),
			remote_escape(a, z->resources, false),
			STR("/providers/Microsoft.Storage/storageAccounts/"),
			z->account, STR("/listKeys?api-version="),
			str_c(keys_version));
	fetch_wait(remote_fetch(&b->remote), &r, &answer);
	if (answer.status == 200 && take_key(b, answer.body))
		return 0;
	*why = str_printf(
		a, "error listing access keys on the storage account: %.*s",
		STR_ARG(answer.error.n ? answer.error
			: answer.status == 200
				? STR("the answer has none")
				: fetch_status_text(a, answer.status)));
	return -1;
}

/* --- a request --- */

void azurerm_header(struct azurerm_request *r, const char *name,
		    struct str value)
{
	if (r->nheaders < AZURERM_HEADERS)
		r->headers[r->nheaders++] =
			(struct fetch_header){ str_c(name), value };
}

void azurerm_lease(struct azurerm_request *r, struct str lease)
{
	if (lease.n)
		azurerm_header(r, "x-ms-lease-id", lease);
}

void azurerm_metadata(struct azurerm_request *r, const struct fetch_answer *of,
		      const char *without)
{
	for (size_t i = 0; i < of->nheaders; i++)
		if (str_starts(of->headers[i].name, "x-ms-meta-") &&
		    !str_is(of->headers[i].name, without) &&
		    r->nheaders < AZURERM_HEADERS)
			r->headers[r->nheaders++] = of->headers[i];
}

static struct str now(struct arena *a)
{
	static const char *const days[] = { "Sun", "Mon", "Tue", "Wed",
					    "Thu", "Fri", "Sat" };
	static const char *const months[] = { "Jan", "Feb", "Mar", "Apr",
					      "May", "Jun", "Jul", "Aug",
					      "Sep", "Oct", "Nov", "Dec" };
	const time_t t = time(NULL);
	struct tm tm;

	gmtime_r(&t, &tm);
	return str_printf(a, "%s, %02d %s %d %02d:%02d:%02d GMT",
			  days[tm.tm_wday], tm.tm_mday, months[tm.tm_mon],
			  tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

static struct str path_of(const struct backend *b, struct str blob)
{
	const struct azurerm *z = b->data;

	return STR_CAT(b->arena, STR("/"), z->container,
		       blob.n ? STR("/") : STR_NONE,
		       remote_escape(b->arena, blob, false));
}

struct str azurerm_url(const struct backend *b, struct str blob)
{
	const struct azurerm *z = b->data;

	return STR_CAT(b->arena, STR("https://"), z->account, STR(".blob."),
		       z->cloud.storage, path_of(b, blob));
}

static void add_headers(struct backend *b, struct azurerm_request *r)
{
	const struct azurerm *z = b->data;

	azurerm_header(r, "x-ms-date", now(b->arena));
	azurerm_header(r, "x-ms-version", str_c(version));
	for (size_t i = 0; r->keyed && i < z->ncustomer; i++)
		azurerm_header(r, z->customer[i].name.p, z->customer[i].value);
	if (r->scoped && z->encryption_scope.n)
		azurerm_header(r, "x-ms-encryption-scope", z->encryption_scope);
	fetch_sort_headers(r->headers, r->nheaders);
}

/* The request's headers, with what shows who asks, and its address. */
static int prepare(struct backend *b, const struct azurerm_request *r,
		   struct fetch_header *headers, struct fetch_request *out,
		   struct str *why)
{
	struct azurerm *z = b->data;
	const struct str query = str_c(r->query);
	const struct azure_request to_sign = {
		str_c(r->method), path_of(b, r->blob), query,
		r->headers,       r->nheaders,         r->body.n
	};

	for (size_t i = 0; i < r->nheaders; i++)
		headers[i] = r->headers[i];
	out->headers = headers;
	out->nheaders = r->nheaders;
	out->url = STR_CAT(b->arena, azurerm_url(b, r->blob),
			   query.n ? STR("?") : STR_NONE, query);
	if (z->sas.n)
		out->url = STR_CAT(b->arena, out->url,
				   query.n ? STR("&") : STR("?"), z->sas);
	else if (z->by_token &&
		 take_token(b, str_c(store_scope), &z->token, why))
		return -1;
	else if (z->by_token)
		out->token = z->token.text;
	else if (!z->account_key.n && look_up_key(b, why))
		return -1;
	else
		headers[out->nheaders++] =
			(struct fetch_header){ STR("authorization"),
					       azure_sign(b->arena, &to_sign,
							  z->account,
							  z->account_key) };
	return 0;
}

static struct str failure(struct arena *a, const struct fetch_answer *answer)
{
	const struct str code = fetch_answer_header(answer, "x-ms-error-code");

	if (answer->error.n)
		return answer->error;
	if (str_find(answer->body, STR("<Message>")) >= 0)
		return xml_failure(a, answer);
	return str_printf(a, "%.*s%s%.*s",
			  STR_ARG(fetch_status_text(a, answer->status)),
			  code.n ? ": " : "", STR_ARG(host_text(a, code)));
}

int azurerm_ask(struct backend *b, struct azurerm_request *r,
		struct fetch_answer *answer, struct str *why)
{
	struct azurerm *z = b->data;
	struct fetch_header headers[AZURERM_HEADERS + 1];
	struct fetch_request ask = { .method = str_c(r->method),
				     .body = r->body,
				     .most = INT64_MAX,
				     .retries = RETRIES,
				     .seconds = (int)z->seconds,
				     .redirects = FETCH_NO_REDIRECTS };

	*answer = (struct fetch_answer){ .status = 0 };
	if (know_cloud(b, why))
		return -1;
	add_headers(b, r);
	for (int i = 0; i < 2; i++) {
		if (prepare(b, r, headers, &ask, why))
			return -1;
		fetch_wait(remote_fetch(&b->remote), &ask, answer);
		if (answer->status != 401 || !z->by_token)
			break;
		z->token.text = STR_NONE; /* its time is up */
	}
	if (answer->status >= 200 && answer->status < 300)
		return 0;
	*why = failure(b->arena, answer);
	return -1;
}

bool azurerm_is(const struct fetch_answer *answer, const char *code)
{
	return str_is(fetch_answer_header(answer, "x-ms-error-code"), code);
}

int azurerm_look(struct backend *b, struct str blob,
		 struct fetch_answer *answer, struct str *why)
{
	struct azurerm_request r = { .method = "HEAD",
				     .blob = blob,
				     .keyed = true };

	return azurerm_ask(b, &r, answer, why);
}
