/*
 * oci_auth.c - authentication to a registry
 *
 * Basic: the name and the password go to the registry.  Bearer: they go to the
 * realm that the registry names, often another host, and its answer, a token,
 * goes to the registry; without a name the token is an anonymous one.
 */
#include <arpa/inet.h>

#include "config/source/url.h"
#include "install/oci/oci_int.h"
#include "base/base64.h"
#include "install/oci/oci.h"
#include "json/read.h"
#include "json/tree.h"

enum { MOST_ANSWER = 128 << 10 };

/* --- challenges --- */

static bool is_token_char(char c)
{
	return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
	       (c && strchr("!#$%&'*+-.^_`|~", c));
}

static struct str skip(struct str s)
{
	while (s.n && (s.p[0] == ' ' || s.p[0] == '\t'))
		s = str_sub(s, 1, s.n);
	return s;
}

static struct str take_token(struct str *s)
{
	size_t n = 0;
	struct str out;

	*s = skip(*s);
	while (n < s->n && is_token_char(s->p[n]))
		n++;
	out = str_sub(*s, 0, n);
	*s = skip(str_sub(*s, n, s->n));
	return out;
}

static bool take_char(struct str *s, char c)
{
	if (!s->n || s->p[0] != c)
		return false;
	*s = skip(str_sub(*s, 1, s->n));
	return true;
}

/* TOKEN or "TEXT", in which a backslash quotes. */
static struct str take_value(struct arena *a, struct str *s)
{
	struct buf b = BUF_INIT;
	size_t i = 1;

	if (!s->n || s->p[0] != '"')
		return take_token(s);
	for (; i < s->n && s->p[i] != '"'; i++) {
		if (s->p[i] == '\\' && i + 1 < s->n)
			i++;
		buf_putc(&b, s->p[i]);
	}
	*s = skip(str_sub(*s, i < s->n ? i + 1 : i, s->n));
	return buf_take(a, &b);
}

void oci_challenge_read(struct arena *a, struct str text,
			struct oci_challenge *out)
{
	*out = (struct oci_challenge){ .scheme = str_lower(a,
							   take_token(&text)) };
	for (;;) {
		struct str name = take_token(&text), value;

		/* A token without a value begins another challenge. */
		if (!name.n || !take_char(&text, '='))
			return;
		value = take_value(a, &text);
		if (str_is(name, "realm"))
			out->realm = value;
		else if (str_is(name, "service"))
			out->service = value;
		else if (str_is(name, "scope"))
			out->scope = value;
		if (!take_char(&text, ','))
			return;
	}
}

/* --- realms --- */

/* Is it an address of this machine or its network, where services other than
 * the registry's may listen? */
static bool is_inner_v4(const unsigned char b[4])
{
	return b[0] == 0 || b[0] == 10 || b[0] == 127 ||
	       (b[0] == 169 && b[1] == 254) ||
	       (b[0] == 172 && b[1] >> 4 == 1) ||
	       (b[0] == 192 && b[1] == 168) || b[0] >> 4 == 14;
}

static bool is_inner_v6(const unsigned char b[16])
{
	static const unsigned char zero[15] = { 0 },
				   mapped[12] = { [10] = 0xff, [11] = 0xff };

	if (!memcmp(b, mapped, sizeof(mapped)))
		return is_inner_v4(b + sizeof(mapped));
	return (!memcmp(b, zero, sizeof(zero)) && b[15] <= 1) ||
	       (b[0] & 0xfe) == 0xfc || b[0] == 0xff ||
	       (b[0] == 0xfe && b[1] >> 6 == 2);
}

/* The name of HOST[:PORT], without brackets. */
static struct str host_of(struct arena *a, struct str host_port)
{
	ptrdiff_t end = str_chr(host_port, ']');

	if (end > 0 && host_port.p[0] == '[')
		return str_dup(a, str_sub(host_port, 1, (size_t)end));
	end = str_chr(host_port, ':');
	return str_dup(a, end < 0 ? host_port
				  : str_sub(host_port, 0, (size_t)end));
}

static bool is_inner(struct str host)
{
	unsigned char b[16];

	if (inet_pton(AF_INET, host.p, b) == 1)
		return is_inner_v4(b);
	return inet_pton(AF_INET6, host.p, b) == 1 && is_inner_v6(b);
}

struct str oci_realm_refusal(struct arena *a, struct str realm,
			     struct str registry)
{
	struct str host = host_of(a, url_host_port(a, realm));

	if (!host.n || !str_starts(realm, "https://"))
		return str_printf(a,
				  "the registry wants its tokens to come "
				  "from \"%.*s\", which is no address that "
				  "begins with https://",
				  STR_ARG(realm));
	if (is_inner(host) && !str_eq(host, host_of(a, str_lower(a, registry))))
		return str_printf(a,
				  "the registry wants its tokens to come "
				  "from %.*s, an address of this machine or "
				  "its network",
				  STR_ARG(host));
	return STR_NONE;
}

/* --- authorizing --- */

struct authorizing {
	struct oci_repository *r;
	struct oci_challenge c;
	struct oci_credentials known;
	oci_authorized_fn *fn;
	void *data;
};

static struct str basic(struct arena *a, const struct oci_credentials *c)
{
	struct str text = STR_CAT(a, c->user, STR(":"), c->password);

	return STR_CAT(a, STR("Basic "), base64_encode(a, text));
}

static void on_token(void *data, const struct fetch_answer *answer)
{
	struct authorizing *z = data;
	struct arena *a = z->r->oci->a;
	struct json_error unread;
	const struct json *j;
	struct str token = STR_NONE, why = STR_NONE;

	if (answer->error.n || answer->status != 200) {
		why = oci_failure(a, answer);
	} else {
		j = json_parse(a, answer->body, &unread);
		token = json_get_str(j, "access_token");
		if (!token.n)
			token = json_get_str(j, "token");
		if (!token.n)
			why = STR("the answer has no token");
	}
	if (why.n)
		why = str_printf(a, "no token from %.*s: %.*s",
				 STR_ARG(url_host_port(a, z->c.realm)),
				 STR_ARG(why));
	else
		z->r->authorization = STR_CAT(a, STR("Bearer "), token);
	z->fn(z->data, why);
}

static void add(struct arena *a, struct buf *b, const char *name,
		struct str value)
{
	if (value.n)
		buf_addf(b, "%c%s=%.*s",
			 str_chr(buf_view(b), '?') < 0 ? '?' : '&', name,
			 STR_ARG(url_escape(a, value)));
}

/* Adds the scope that we need, and others that the registry asks for. */
static void add_scopes(struct arena *a, struct buf *b,
		       const struct authorizing *z)
{
	struct str ours =
		STR_CAT(a, STR("repository:"), z->r->at.name, STR(":pull"));
	struct str rest = z->c.scope;

	add(a, b, "scope", ours);
	while (rest.n) {
		ptrdiff_t space = str_chr(rest, ' ');
		size_t n = space < 0 ? rest.n : (size_t)space;

		if (!str_eq(str_sub(rest, 0, n), ours))
			add(a, b, "scope", str_sub(rest, 0, n));
		rest = str_sub(rest, n + (space >= 0), rest.n);
	}
}

static void ask_realm(struct authorizing *z)
{
	struct arena *a = z->r->oci->a;
	struct oci_request q = { .r = z->r,
				 .most = MOST_ANSWER,
				 .fn = on_token,
				 .data = z,
				 .elsewhere = true };
	ptrdiff_t hash = str_chr(z->c.realm, '#');
	struct buf b = BUF_INIT;

	buf_str(&b,
		str_sub(z->c.realm, 0, hash < 0 ? z->c.realm.n : (size_t)hash));
	add(a, &b, "service", z->c.service);
	add_scopes(a, &b, z);
	q.url = buf_dup(a, &b);
	buf_release(&b);
	if (z->known.user.n || z->known.password.n)
		q.authorization = basic(a, &z->known);
	oci_send(&q);
}

static void by_bearer(struct authorizing *z)
{
	struct arena *a = z->r->oci->a;
	struct str why = STR_NONE;

	if (z->known.token.n) {
		z->r->authorization =
			STR_CAT(a, STR("Bearer "), z->known.token);
		z->fn(z->data, why);
		return;
	}
	why = oci_realm_refusal(a, z->c.realm, z->r->at.domain);
	if (why.n)
		z->fn(z->data, why);
	else
		ask_realm(z);
}

static void by_name(struct authorizing *z)
{
	struct arena *a = z->r->oci->a;
	struct str why = STR_NONE;

	if (z->known.user.n && z->known.password.n)
		z->r->authorization = basic(a, &z->known);
	else
		why = str_printf(
			a,
			"%.*s asks for a name and a password, and none are known for it",
			STR_ARG(z->r->at.domain));
	z->fn(z->data, why);
}

void oci_authorize(struct oci_repository *r, struct str challenge,
		   oci_authorized_fn *fn, void *data)
{
	struct arena *a = r->oci->a;
	struct authorizing *z = ARENA_NEW(a, struct authorizing);
	struct str why = STR_NONE;

	*z = (struct authorizing){ .r = r, .fn = fn, .data = data };
	oci_challenge_read(a, challenge, &z->c);
	if (oci_credentials_find(a, r->oci->settings, r->at, &z->known, &why))
		fn(data, str_printf(a, "no credentials for %.*s: %.*s",
				    STR_ARG(r->at.domain), STR_ARG(why)));
	else if (str_is(z->c.scheme, "basic"))
		by_name(z);
	else if (str_is(z->c.scheme, "bearer"))
		by_bearer(z);
	else
		fn(data, STR("401 Unauthorized, with no way to prove who the "
			     "user is that is known here"));
}
