/* oauth.c - see oauth.h */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "remote/oauth.h"
#include "base/base64.h"
#include "config/source/url.h"
#include "crypto/crypto.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"
#include "remote/remote.h"

enum { EARLY = 225 }; /* seconds before a token expires that it is renewed */

bool oauth_fresh(const struct oauth_token *t)
{
	return t->text.n && (!t->until || time(NULL) < t->until);
}

void oauth_lives(struct oauth_token *t, int64_t seconds)
{
	t->until = seconds <= 0 ? 0
				: time(NULL) + seconds -
					  (seconds > 2 * EARLY ? EARLY
							       : seconds / 2);
}

void oauth_form(struct buf *form, const char *name, struct str value)
{
	struct arena scratch = ARENA_INIT;

	if (form->len)
		buf_putc(form, '&');
	buf_puts(form, name);
	buf_putc(form, '=');
	buf_str(form, remote_escape(&scratch, value, false));
	arena_release(&scratch);
}

/* --- answers --- */

/* Some write the number as a text. */
static int64_t seconds_of(struct arena *a, const struct json *j)
{
	const struct str text = json_get_str(j, "expires_in");

	return text.n ? strtoll(str_dup(a, text).p, NULL, 10)
		      : json_get_int(j, "expires_in", 0);
}

static int take(struct arena *a, const struct json *j, struct oauth_token *out)
{
	const struct str text = json_get_str(j, "access_token");

	if (!text.n || strcspn(str_dup(a, text).p, "\r\n") != text.n)
		return -1;
	out->text = text;
	oauth_lives(out, seconds_of(a, j));
	return 0;
}

static int read_answer(struct arena *a, const struct fetch_answer *answer,
		       struct oauth_token *out, struct str *why)
{
	struct json_error wrong;
	const struct json *j = json_parse(a, answer->body, &wrong);
	struct str said = json_get_str(j, "error_description");

	if (answer->status == 200 && !take(a, j, out))
		return 0;
	if (!said.n)
		said = json_get_str(j, "error");
	if (answer->error.n)
		*why = answer->error;
	else if (answer->status == 200)
		*why = STR("the answer has no token");
	else
		*why = str_printf(a, "%.*s%s%.*s",
				  STR_ARG(fetch_status_text(a, answer->status)),
				  said.n ? ": " : "",
				  STR_ARG(host_text(a, said)));
	return -1;
}

int oauth_ask(struct remote *rem, const struct fetch_request *r,
	      struct str form, struct oauth_token *out, struct str *why)
{
	struct fetch_header *headers =
		ARENA_ARRAY(rem->a, struct fetch_header, r->nheaders + 1);
	struct fetch_request ask = *r;
	struct fetch_answer answer;

	for (size_t i = 0; i < r->nheaders; i++)
		headers[i] = r->headers[i];
	if (form.n) {
		headers[ask.nheaders++] = (struct fetch_header){
			STR("Content-Type"),
			STR("application/x-www-form-urlencoded")
		};
		ask.method = STR("POST");
		ask.body = form;
	}
	ask.headers = headers;
	ask.redirects = FETCH_NO_REDIRECTS;
	if (!ask.retries)
		ask.retries = REMOTE_RETRIES;
	fetch_wait(remote_fetch(rem), &ask, &answer);
	if (!read_answer(rem->a, &answer, out, why))
		return 0;
	*why = str_printf(rem->a, "%.*s gives no token for it: %.*s",
			  STR_ARG(url_redacted(rem->a, r->url)), STR_ARG(*why));
	return -1;
}

/* --- signed texts --- */

static int signature(struct arena *a, struct str pem, struct str text,
		     struct str *out, struct str *why)
{
	struct buf bytes = BUF_INIT;
	struct rsa_key *key;
	const char *wrong = rsa_key_parse(pem, &key);
	int rc = -1;

	if (wrong) {
		*why = str_c(wrong);
		return -1;
	}
	if (rsa_sign(key, text, &bytes))
		*why = STR("it does not sign");
	else
		rc = 0;
	*out = base64_url(a, buf_view(&bytes));
	buf_release(&bytes);
	rsa_key_free(key);
	return rc;
}

int oauth_sign(struct arena *a, struct str pem, struct str header,
	       struct str claims, struct str *out, struct str *why)
{
	const struct str text = STR_CAT(a, base64_url(a, header), STR("."),
					base64_url(a, claims));
	struct str sum;

	if (signature(a, pem, text, &sum, why))
		return -1;
	*out = STR_CAT(a, text, STR("."), sum);
	return 0;
}
