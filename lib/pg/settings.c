/* settings.c - see settings.h */
#include <stdlib.h>

#include "pg/settings.h"

static void put(struct arena *a, struct pg_settings *out, struct str name,
		struct str value)
{
	vec_push(a, out, (struct pg_setting){ name, value });
}

struct str pg_setting(const struct pg_settings *s, const char *name,
		      const char *variable)
{
	for (size_t i = s->len; i-- > 0;)
		if (str_is(s->items[i].name, name))
			return s->items[i].value;
	return str_env(variable);
}

/* --- postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/NAME?NAME=VALUE --- */

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 32);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* plus: a plus sign is a space. */
static int decode(struct arena *a, struct str s, bool plus, struct str *out)
{
	char *p = arena_alloc(a, s.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (plus && c == '+')
			c = ' ';
		if (c == '%') {
			if (s.n - i < 3 || hex(s.p[i + 1]) < 0 ||
			    hex(s.p[i + 2]) < 0)
				return -1;
			c = (char)(hex(s.p[i + 1]) * 16 + hex(s.p[i + 2]));
			i += 2;
		}
		if (!c)
			return -1;
		p[n++] = c;
	}
	p[n] = '\0';
	*out = (struct str){ p, n };
	return 0;
}

/* What comes before c, which is taken off *s with it; all of *s if there is
 * none. */
static struct str before(struct str *s, char c)
{
	const ptrdiff_t at = str_chr(*s, c);
	const size_t n = at < 0 ? s->n : (size_t)at;
	struct str out = str_sub(*s, 0, n);

	*s = str_sub(*s, at < 0 ? n : n + 1, s->n);
	return out;
}

static int parse_user(struct arena *a, struct str text, struct pg_settings *out)
{
	struct str user = before(&text, ':'), value;

	if (decode(a, user, false, &value))
		return -1;
	if (value.n)
		put(a, out, STR("user"), value);
	if (decode(a, text, false, &value))
		return -1;
	if (value.n)
		put(a, out, STR("password"), value);
	return 0;
}

/* [::1]:5432, or HOST:PORT, either part of which may be missing. */
static int parse_host(struct arena *a, struct str one, struct buf *hosts,
		      struct buf *ports)
{
	struct str host, name;

	if (one.n && *one.p == '[') {
		if (str_chr(one, ']') < 0)
			return -1;
		one = str_sub(one, 1, one.n);
		host = before(&one, ']');
		before(&one, ':');
	} else {
		host = before(&one, ':');
	}
	if (decode(a, host, false, &name))
		return -1;
	buf_str(hosts, name);
	buf_str(ports, one);
	return 0;
}

static int parse_hosts(struct arena *a, struct str text,
		       struct pg_settings *out)
{
	struct buf hosts = BUF_INIT, ports = BUF_INIT;
	bool some_port = false;
	int rc = 0;

	while (text.n && !rc) {
		rc = parse_host(a, before(&text, ','), &hosts, &ports);
		some_port |= ports.len && ports.p[ports.len - 1] != ',';
		if (text.n) {
			buf_putc(&hosts, ',');
			buf_putc(&ports, ',');
		}
	}
	if (!rc && hosts.len)
		put(a, out, STR("host"), buf_dup(a, &hosts));
	if (!rc && some_port)
		put(a, out, STR("port"), buf_dup(a, &ports));
	buf_release(&hosts);
	buf_release(&ports);
	return rc;
}

static int parse_url(struct arena *a, struct str url, struct pg_settings *out)
{
	struct str query = url, rest = before(&query, '?');
	struct str authority = before(&rest, '/'), value, name;
	size_t at = authority.n;

	while (at > 0 && authority.p[at - 1] != '@')
		at--;
	if (at && parse_user(a, str_sub(authority, 0, at - 1), out))
		return -1;
	if (parse_hosts(a, str_sub(authority, at, authority.n), out) ||
	    decode(a, rest, false, &value))
		return -1;
	if (value.n)
		put(a, out, STR("dbname"), value);
	while (query.n) {
		struct str pair = before(&query, '&');

		if (decode(a, before(&pair, '='), true, &name) ||
		    decode(a, pair, true, &value))
			return -1;
		if (name.n)
			put(a, out, name, value);
	}
	return 0;
}

/* --- NAME=VALUE NAME='VALUE' --- */

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_space(struct str *s)
{
	while (s->n && is_space(*s->p))
		*s = str_sub(*s, 1, s->n);
}

static int take_value(struct arena *a, struct str *s, struct str *out)
{
	const bool quoted = s->n && *s->p == '\'';
	struct buf value = BUF_INIT;
	size_t i = quoted;

	while (i < s->n && (quoted ? s->p[i] != '\'' : !is_space(s->p[i]))) {
		if (s->p[i] == '\\' && ++i == s->n)
			break;
		buf_putc(&value, s->p[i++]);
	}
	*out = buf_take(a, &value);
	if (quoted && i++ >= s->n)
		return -1;
	*s = str_sub(*s, i, s->n);
	return 0;
}

static int parse_pairs(struct arena *a, struct str s, struct pg_settings *out)
{
	struct str name, value;
	size_t n;

	for (skip_space(&s); s.n; skip_space(&s)) {
		for (n = 0; n < s.n && s.p[n] != '=' && !is_space(s.p[n]); n++)
			;
		name = str_sub(s, 0, n);
		s = str_sub(s, n, s.n);
		skip_space(&s);
		if (!name.n || !str_take(&s, STR("=")))
			return -1;
		skip_space(&s);
		if (take_value(a, &s, &value))
			return -1;
		put(a, out, name, value);
	}
	return 0;
}

int pg_settings_parse(struct arena *a, struct str text, struct pg_settings *out)
{
	if (memchr(text.p ? text.p : "", '\0', text.n))
		return -1;
	if (str_take(&text, STR("postgres://")) ||
	    str_take(&text, STR("postgresql://")))
		return parse_url(a, text, out);
	return parse_pairs(a, text, out);
}
