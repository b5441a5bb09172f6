/* aws_client.c - see aws.h
 *
 * Tries again as the standard mode of Amazon's own libraries does ("Retry
 * behavior"): each try is signed anew, for a signature is good for minutes.
 */
#include <time.h>

#include "remote/aws.h"
#include "base/base64.h"
#include "base/io.h"
#include "config/source/url.h"
#include "crypto/crypto.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"
#include "remote/remote_int.h"
#include "remote/remote.h"
#include "remote/xml.h"

enum {
	TRIES = 3, /* where nothing says how many */
	LONGEST_PAUSE_MS = 20000,
	MOST_CA = 4 << 20,
};

/* --- a client --- */

struct aws *aws_open(struct remote *rem, const struct aws_settings *s,
		     struct str *why)
{
	struct arena *a = rem->a;
	struct aws *c = arena_alloc0(a, sizeof(*c));
	const char *wrong;
	struct str file;

	c->rem = rem;
	c->a = a;
	c->s = *s;
	wrong = aws_settings_fill(a, &c->s, &c->profile);
	if (wrong) {
		*why = str_printf(a, "invalid AWS settings: %s", wrong);
		return NULL;
	}
	if (c->s.tries <= 0)
		c->s.tries = TRIES;
	if (!c->s.ca_bundle.n || c->s.tls.ca.n)
		return c;
	file = aws_path(a, c->s.ca_bundle);
	if (!io_read_regular(a, file.p, MOST_CA, &c->s.tls.ca))
		return c;
	*why = str_printf(
		a, "reading custom CA bundle: the file %.*s cannot be read",
		STR_ARG(file));
	return NULL;
}

const struct aws_settings *aws_settings_of(const struct aws *c)
{
	return &c->s;
}

enum aws_trouble aws_trouble_of(const struct aws *c)
{
	return c->trouble;
}

/* --- errors --- */

/* {"__type": "com.amazon...#NAME", "message": ...} */
static const struct json *json_error(struct arena *a,
				     const struct fetch_answer *answer)
{
	struct json_error why;

	return str_starts(answer->body, "{") ? json_parse(a, answer->body, &why)
					     : NULL;
}

struct str aws_error_code(struct arena *a, const struct fetch_answer *answer)
{
	const struct json *j = json_error(a, answer);
	struct str text = answer->body, code;
	ptrdiff_t at;

	if (!j)
		return xml_element(a, &text, "Code");
	code = json_get_str(j, "__type");
	at = str_chr(code, '#');
	return at < 0 ? code : str_sub(code, (size_t)at + 1, code.n);
}

struct str aws_error_text(struct arena *a, const struct fetch_answer *answer)
{
	const struct json *j = json_error(a, answer);
	struct str words;

	if (answer->error.n || !j)
		return xml_failure(a, answer);
	words = json_get_str(j, "message");
	if (!words.n)
		words = json_get_str(j, "Message");
	return host_text(a, str_printf(a, "bad response code: %d (%.*s: %.*s)",
				       answer->status,
				       STR_ARG(aws_error_code(a, answer)),
				       STR_ARG(words)));
}

static bool is_one_of(struct str code, const char *const *all)
{
	for (; code.n && *all; all++)
		if (str_is(code, *all))
			return true;
	return false;
}

static bool is_throttled(struct str code, int status)
{
	static const char *const codes[] = {
		"Throttling",
		"ThrottlingException",
		"ThrottledException",
		"RequestThrottledException",
		"TooManyRequestsException",
		"ProvisionedThroughputExceededException",
		"TransactionInProgressException",
		"RequestLimitExceeded",
		"BandwidthLimitExceeded",
		"LimitExceededException",
		"RequestThrottled",
		"SlowDown",
		"PriorRequestNotComplete",
		"EC2ThrottledException",
		NULL
	};

	return status == 429 || is_one_of(code, codes);
}

/* What another try may change. */
static bool is_passing(struct str code, const struct fetch_answer *answer)
{
	static const char *const codes[] = { "RequestTimeout",
					     "RequestTimeoutException", NULL };

	if (answer->error.n)
		return !answer->final;
	return (answer->status >= 500 && answer->status != 501) ||
	       is_throttled(code, answer->status) || is_one_of(code, codes);
}

/* --- one try --- */

/* What of a call is the same for each try. */
struct prepared {
	struct aws_place place;
	struct str query, hash;
	const char *method;
	const struct fetch_header *headers;
	size_t nheaders;
};

static void hash_body(struct aws *c, const struct aws_call *call,
		      struct prepared *p)
{
	struct fetch_header *headers =
		ARENA_ARRAY(c->a, struct fetch_header, call->nheaders + 1);
	unsigned char sum[DIGEST_MAX];
	const size_t n = digest_of("sha256", call->body, sum);

	p->hash = str_hex(c->a, sum, n);
	for (size_t i = 0; i < call->nheaders; i++)
		headers[i] = call->headers[i];
	p->headers = headers;
	p->nheaders = call->nheaders;
	if (call->checksum)
		headers[p->nheaders++] = (struct fetch_header){
			STR("x-amz-checksum-sha256"),
			base64_encode(c->a,
				      (struct str){ (const char *)sum, n })
		};
}

static int prepare(struct aws *c, const struct aws_call *call,
		   struct prepared *p, struct str *why)
{
	p->method = call->method       ? call->method
		    : call->body.n > 0 ? "POST"
				       : "GET";
	p->query = aws_query(c->a, &call->query);
	hash_body(c, call, p);
	return aws_endpoint(c->a, &c->s, call, &p->place, why);
}

static void send(struct aws *c, const struct aws_call *call,
		 const struct prepared *p, const struct aws_keys *keys,
		 struct fetch_answer *out)
{
	const struct aws_request sign = { .method = str_c(p->method),
					  .host = p->place.host,
					  .path = p->place.path,
					  .query = p->query,
					  .region = p->place.region,
					  .service = p->place.service,
					  .headers = p->headers,
					  .nheaders = p->nheaders,
					  .hash = p->hash };
	struct fetch_header *all = ARENA_ARRAY(c->a, struct fetch_header,
					       p->nheaders + AWS_HEADERS);
	struct fetch_request ask = {
		.method = sign.method,
		.url = STR_CAT(c->a, p->place.scheme, STR("://"), p->place.host,
			       p->place.path, str_c(p->query.n ? "?" : ""),
			       p->query),
		.headers = all,
		.body = call->body,
		.most = call->most,
		.tls = &c->s.tls,
		.proxies = &c->s.proxies,
		.redirects = FETCH_NO_REDIRECTS,
	};

	for (; ask.nheaders < p->nheaders; ask.nheaders++)
		all[ask.nheaders] = p->headers[ask.nheaders];
	if (keys)
		ask.nheaders +=
			aws_sign(c->a, &sign, keys, time(NULL) + c->skew,
				 all + ask.nheaders);
	fetch_wait(remote_fetch(c->rem), &ask, out);
}

/* --- pauses --- */

/* Random, below a bound that doubles: so that many do not come at once. */
static uint64_t pause_after(int tries)
{
	uint64_t most = 1000;
	struct timespec ts;

	while (tries-- > 1 && most < LONGEST_PAUSE_MS)
		most *= 2;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	if (most > LONGEST_PAUSE_MS)
		most = LONGEST_PAUSE_MS;
	return most / 4 + (uint64_t)ts.tv_nsec / 1000 % (most * 3 / 4);
}

/* In adaptive mode all requests of a client are slower after throttling. */
static void adapt(struct aws *c, bool throttled)
{
	if (!str_is(c->s.retry_mode, "adaptive"))
		return;
	if (!throttled)
		c->pause_ms /= 2;
	else if (c->pause_ms < LONGEST_PAUSE_MS)
		c->pause_ms = c->pause_ms * 2 + 250;
}

/* --- calls --- */

int aws_ask_with(struct aws *c, const struct aws_call *call,
		 const struct aws_keys *keys, struct fetch_answer *out,
		 struct str *why)
{
	struct prepared p;
	struct str code;

	if (prepare(c, call, &p, why))
		return -1;
	for (int tries = 1;; tries++) {
		remote_pause(c->rem, c->pause_ms);
		send(c, call, &p, keys, out);
		code = out->error.n || out->status < 400
			       ? STR_NONE
			       : aws_error_code(c->a, out);
		adapt(c, is_throttled(code, out->status));
		out->tries = tries;
		if (call->once || tries >= c->s.tries || !is_passing(code, out))
			break;
		remote_pause(c->rem, pause_after(tries));
	}
	if (out->error.n)
		*why = out->error;
	return out->error.n ? -1 : 0;
}

/* Were the keys too old, or the clocks too different?  Then another try has new
 * ones. */
static bool mend(struct aws *c, const struct fetch_answer *answer)
{
	static const char *const expired[] = { "ExpiredToken",
					       "ExpiredTokenException",
					       "TokenRefreshRequired", NULL };
	static const char *const skewed[] = { "RequestTimeTooSkewed",
					      "RequestExpired",
					      "RequestInTheFuture", NULL };
	struct str code, date;
	struct tm tm = { 0 };

	if (answer->status != 400 && answer->status != 403)
		return false;
	code = aws_error_code(c->a, answer);
	if (is_one_of(code, expired)) {
		aws_keys_forget(c);
		return true;
	}
	date = fetch_answer_header(answer, "date");
	if (!is_one_of(code, skewed) || !date.n ||
	    !strptime(date.p, "%a, %d %b %Y %H:%M:%S", &tm))
		return false;
	c->skew = timegm(&tm) - time(NULL);
	return true;
}

int aws_ask(struct aws *c, const struct aws_call *call,
	    struct fetch_answer *out, struct str *why)
{
	struct aws_keys keys;

	for (int round = 0;; round++) {
		if (aws_keys_of(c, &keys, why) ||
		    aws_ask_with(c, call, &keys, out, why))
			return -1;
		if (round || !mend(c, out))
			return 0;
	}
}

/* --- who asks --- */

/* An action of IAM or STS whose answer has an ARN of the account. */
static int ask_account(struct aws *c, enum aws_service service,
		       const char *form, struct str *account, struct str *why)
{
	const struct fetch_header type = {
		STR("Content-Type"), STR("application/x-www-form-urlencoded")
	};
	const struct aws_call call = { .service = service,
				       .headers = &type,
				       .nheaders = 1,
				       .body = str_c(form) };
	struct arena *a = c->rem->a;
	struct fetch_answer answer;
	struct str rest, arn;

	if (aws_ask(c, &call, &answer, why))
		return -1;
	if (answer.status != 200) {
		*why = aws_error_text(a, &answer);
		return -1;
	}
	rest = answer.body;
	arn = xml_element(a, &rest, "Arn");
	for (int i = 0; i < 4 && arn.n; i++)
		arn = str_sub(arn, (size_t)(str_chr(arn, ':') + 1), arn.n);
	*account =
		str_sub(arn, 0,
			str_chr(arn, ':') < 0 ? 0 : (size_t)str_chr(arn, ':'));
	*why = STR("the answer has no account");
	return account->n ? 0 : -1;
}

int aws_account(struct aws *c, bool any, struct str *account, struct str *why)
{
	static const char identity[] =
		"Action=GetCallerIdentity&Version=2011-06-15";
	/* as OpenTofu looks for it */
	static const struct {
		enum aws_service service;
		const char *form;
	} ways[] = {
		{ AWS_IAM, "Action=GetUser&Version=2010-05-08" },
		{ AWS_STS, identity },
		{ AWS_IAM, "Action=ListRoles&MaxItems=1&Version=2010-05-08" },
	};

	if (!any)
		return ask_account(c, AWS_STS, identity, account, why);
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		if (!ask_account(c, ways[i].service, ways[i].form, account,
				 why))
			return 0;
	return -1;
}

bool aws_account_allowed(struct str account, const struct str_vec *allowed,
			 const struct str_vec *forbidden)
{
	return (!allowed->len || str_vec_has(allowed, account)) &&
	       !str_vec_has(forbidden, account);
}
