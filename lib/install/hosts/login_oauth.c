/* login_oauth.c - see hosts_int.h */
#include <stdlib.h>

#include "install/hosts/hosts_int.h"
#include "base/base64.h"
#include "base/io.h"
#include "config/source/url.h"
#include "crypto/crypto.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"

enum { FIRST_PORT = 1024, LAST_PORT = 65535, SECRET_BYTES = 32 };

/* --- what the host says --- */

static int wrong(struct arena *a, struct str *why, const char *text)
{
	*why = str_printf(a, "its login.v1 %s", text);
	return -1;
}

static int read_grants(struct arena *a, const struct json *entry,
		       struct oauth_client *out, struct str *why)
{
	const struct json *list = json_get(entry, "grant_types");

	out->code = !list; /* the default */
	if (list && list->kind != JSON_ARRAY)
		return wrong(a, why, "has \"grant_types\" that are no list");
	for (uint32_t i = 0; list && i < list->len; i++) {
		if (list->items[i].kind != JSON_STRING)
			continue;
		out->code |= str_is(list->items[i].text, "authz_code");
		out->password |= str_is(list->items[i].text, "password");
	}
	return 0;
}

/* An address without a user in it. */
static int read_address(struct arena *a, const struct service *s,
			const char *name, bool needed, struct str *out,
			struct str *why)
{
	const struct json *text = json_get(s->entry, name);
	struct url u;

	*out = STR_NONE;
	if (!text || text->kind != JSON_STRING) {
		if (!needed)
			return 0;
		*why = str_printf(a, "its login.v1 has no \"%s\"", name);
		return -1;
	}
	*out = url_resolve(a, s->base, text->text);
	if (out->n && !url_parse(a, *out, &u) && !u.has_user) {
		u.fragment = STR_NONE;
		*out = url_text(a, &u);
		return 0;
	}
	*why = str_printf(a,
			  "the \"%s\" of its login.v1 is no address of the web",
			  name);
	return -1;
}

static bool read_port(struct arena *a, const struct json *j, int *out)
{
	struct str text =
		j->kind == JSON_NUMBER ? str_dup(a, j->text) : STR_NONE;
	const double n = text.n ? strtod(text.p, NULL) : 0;

	if (n < FIRST_PORT || n > LAST_PORT || n > (int)n)
		return false;
	*out = (int)n;
	return true;
}

static int read_ports(struct arena *a, const struct json *entry,
		      struct oauth_client *out, struct str *why)
{
	const struct json *list = json_get(entry, "ports");

	out->min_port = FIRST_PORT;
	out->max_port = LAST_PORT;
	if (!list || list->kind != JSON_ARRAY)
		return 0;
	if (list->len != 2 || !read_port(a, &list->items[0], &out->min_port) ||
	    !read_port(a, &list->items[1], &out->max_port) ||
	    out->min_port > out->max_port)
		return wrong(
			a, why,
			"has \"ports\" that are no range from 1024 to 65535");
	return 0;
}

static int read_scopes(struct arena *a, const struct json *entry,
		       struct oauth_client *out, struct str *why)
{
	const struct json *list = json_get(entry, "scopes");

	for (uint32_t i = 0; list && list->kind == JSON_ARRAY && i < list->len;
	     i++) {
		if (list->items[i].kind != JSON_STRING)
			return wrong(a, why,
				     "has \"scopes\" that are no texts");
		out->scopes = STR_CAT(a, out->scopes,
				      out->scopes.n ? STR(" ") : STR_NONE,
				      list->items[i].text);
	}
	return 0;
}

int oauth_client_read(struct arena *a, const struct service *s,
		      struct oauth_client *out, struct str *why)
{
	const struct json *id = json_get(s->entry, "client");

	*out = (struct oauth_client){ .min_port = 0 };
	if (s->entry->kind != JSON_OBJECT)
		return wrong(a, why, "is no object");
	if (read_grants(a, s->entry, out, why))
		return -1;
	if (!id || id->kind != JSON_STRING)
		return wrong(a, why, "has no \"client\"");
	out->id = id->text;
	return read_address(a, s, "authz", out->code, &out->authz, why) ||
			       read_address(a, s, "token",
					    out->code || out->password,
					    &out->token, why) ||
			       read_ports(a, s->entry, out, why) ||
			       read_scopes(a, s->entry, out, why)
		       ? -1
		       : 0;
}

/* --- forms --- */

struct str oauth_secret(struct arena *a)
{
	char bytes[SECRET_BYTES];

	if (io_random(bytes, sizeof(bytes)))
		return STR_NONE;
	return base64_url(a, (struct str){ bytes, sizeof(bytes) });
}

struct str oauth_challenge(struct arena *a, struct str verifier)
{
	unsigned char sum[DIGEST_MAX];
	size_t n = digest_of("sha256", verifier, sum);

	return n ? base64_url(a, (struct str){ (char *)sum, n }) : STR_NONE;
}

/* Adds name=value, encoded as forms are; nothing for an empty value. */
static void add(struct buf *b, const char *name, struct str value)
{
	if (!value.n)
		return;
	buf_addf(b, "%s%s=", b->len ? "&" : "", name);
	for (size_t i = 0; i < value.n; i++) {
		const unsigned char c = (unsigned char)value.p[i];

		if ((c >= '0' && c <= '9') ||
		    ((c | 32) >= 'a' && (c | 32) <= 'z') ||
		    (c && strchr("-_.~", c)))
			buf_putc(b, (char)c);
		else if (c == ' ')
			buf_putc(b, '+');
		else
			buf_addf(b, "%%%02X", c);
	}
}

static struct str take(struct arena *a, struct buf *b)
{
	struct str out = buf_dup(a, b);

	buf_release(b);
	return out;
}

struct str oauth_address(struct arena *a, const struct oauth_client *c,
			 struct str redirect, struct str state,
			 struct str challenge)
{
	struct buf b = BUF_INIT;

	add(&b, "client_id", c->id);
	add(&b, "code_challenge", challenge);
	add(&b, "code_challenge_method", STR("S256"));
	add(&b, "redirect_uri", redirect);
	add(&b, "response_type", STR("code"));
	add(&b, "scope", c->scopes);
	add(&b, "state", state);
	return STR_CAT(a, c->authz,
		       str_chr(c->authz, '?') < 0 ? STR("?") : STR("&"),
		       take(a, &b));
}

struct str oauth_code_form(struct arena *a, const struct oauth_client *c,
			   struct str redirect, struct str code,
			   struct str verifier)
{
	struct buf b = BUF_INIT;

	add(&b, "client_id", c->id);
	add(&b, "code", code);
	add(&b, "code_verifier", verifier);
	add(&b, "grant_type", STR("authorization_code"));
	add(&b, "redirect_uri", redirect);
	return take(a, &b);
}

struct str oauth_password_form(struct arena *a, const struct oauth_client *c,
			       struct str user, struct str password)
{
	struct buf b = BUF_INIT;

	add(&b, "client_id", c->id);
	add(&b, "grant_type", STR("password"));
	add(&b, "password", password);
	add(&b, "scope", c->scopes);
	add(&b, "username", user);
	return take(a, &b);
}

/* --- the answer --- */

static bool is_form(const struct fetch_answer *answer)
{
	struct str type = fetch_answer_header(answer, "content-type");
	ptrdiff_t end = str_chr(type, ';');

	if (end >= 0)
		type.n = (size_t)end;
	type = str_trim(type);
	return str_is(type, "application/x-www-form-urlencoded") ||
	       str_is(type, "text/plain");
}

/* A member of the answer, which is JSON or a form. */
static struct str member(struct arena *a, const struct fetch_answer *answer,
			 const struct json *j, const char *name)
{
	return j ? json_get_str(j, name) : url_parameter(a, answer->body, name);
}

int oauth_token(struct arena *a, const struct fetch_answer *answer,
		struct str *token, struct str *why)
{
	static const struct json none = { .kind = JSON_NULL };
	const struct json *j = NULL;
	struct json_error unread;
	struct str error, more;

	if (answer->error.n) {
		*why = answer->error;
		return -1;
	}
	if (!is_form(answer) && !(j = json_parse(a, answer->body, &unread)))
		j = &none;
	error = member(a, answer, j, "error");
	more = member(a, answer, j, "error_description");
	*token = member(a, answer, j, "access_token");
	if (error.n)
		*why = str_printf(a, "it says \"%.*s\"%s%.*s",
				  STR_ARG(host_text(a, error)),
				  more.n ? ", " : "",
				  STR_ARG(host_text(a, more)));
	else if (answer->status < 200 || answer->status > 299)
		*why = str_printf(a, "it answered %.*s",
				  STR_ARG(fetch_status_text(a,
							    answer->status)));
	else if (!token->n)
		*why = STR("there is no access_token in its answer");
	return why->n ? -1 : 0;
}
