/* cli_hosts.c - see credentials.h */
#include <limits.h>
#include <stdlib.h>

#include "remote/credentials.h"
#include "json/json.h"
#include "json/read.h"
#include "json/write.h"
#include "lang/eval/eval.h"
#include "value/codec_json.h"
#include "value/number.h"

enum {
	DEFAULT_RETRIES = 1,
	DEFAULT_SECONDS = 10,
	LONGEST_LABEL = 63,
	LAST_PORT = 65535
};

struct hosts_reader {
	struct arena *a;
	struct cli_hosts *out;
	struct diags *ds;
};

static int wrong(struct hosts_reader *r, struct range at, const char *why)
{
	return diag_error(r->ds, &at, "Invalid CLI configuration", "%s", why);
}

static const struct value *read_value(struct hosts_reader *r,
				      struct expression e)
{
	size_t errors = r->ds->errors;
	const struct value *v = eval_expression(r->a, NULL, e, r->ds);

	return r->ds->errors > errors ? NULL : v;
}

static int read_string(struct hosts_reader *r, struct expression e,
		       struct str *out)
{
	const struct value *v = read_value(r, e);

	if (!v)
		return -1;
	if (v->type != &type_string || !value_usable(v))
		return wrong(r, expression_range(e),
			     "A string is needed here.");
	*out = v->string;
	return 0;
}

int cli_count(struct arena *a, struct expression e, int *out, struct diags *ds)
{
	struct hosts_reader r = { a, NULL, ds };
	const struct value *v = read_value(&r, e);
	struct str text = STR_NONE;
	char *end;
	long n;

	if (!v)
		return -1;
	if (value_usable(v) && v->type == &type_string)
		text = str_dup(a, v->string);
	else if (value_usable(v) && v->type == &type_number)
		text = value_number_text(a, v);
	n = text.n ? strtol(text.p, &end, 10) : -1;
	if (n < 0 || n > INT_MAX || *end)
		return wrong(&r, expression_range(e),
			     "A whole number is needed here.");
	*out = (int)n;
	return 0;
}

static int read_count(struct hosts_reader *r, const struct attribute *at,
		      int *out)
{
	return at ? cli_count(r->a, at->expr, out, r->ds) : 0;
}

struct str host_name(struct arena *a, struct str text)
{
	text = str_lower(a, text);
	if (str_ends(text, ":443"))
		text.n -= strlen(":443");
	return text;
}

/* Letters, digits and dashes inside. */
static bool is_label(struct str s)
{
	if (!s.n || s.n > LONGEST_LABEL || s.p[0] == '-' ||
	    s.p[s.n - 1] == '-' || str_starts(s, "xn--"))
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789-", s.p[i]))
			return false;
	return true;
}

static bool is_port(struct str s)
{
	long n = 0;

	for (size_t i = 0; i < s.n && n <= LAST_PORT; i++)
		n = s.p[i] < '0' || s.p[i] > '9' ? LAST_PORT + 1
						 : n * 10 + s.p[i] - '0';
	return s.n && n <= LAST_PORT;
}

int host_check(struct arena *a, struct str text, struct str *out,
	       struct str *why)
{
	ptrdiff_t colon = str_chr(text, ':');
	struct str rest;

	*out = host_name(a, text);
	if (str_find(text, STR("://")) >= 0) {
		*why = STR(
			"it is a whole address, of which only the host is needed");
		return -1;
	}
	if (colon >= 0 && !is_port(str_sub(text, (size_t)colon + 1, text.n))) {
		*why = STR("what follows the colon is no port");
		return -1;
	}
	rest = str_sub(*out, 0,
		       colon < 0 || (size_t)colon > out->n ? out->n
							   : (size_t)colon);
	for (ptrdiff_t dot = 0; dot >= 0;) {
		dot = str_chr(rest, '.');
		if (!is_label(dot < 0 ? rest : str_sub(rest, 0, (size_t)dot))) {
			*why = STR(
				"between its dots are letters, digits and dashes alone");
			return -1;
		}
		rest = str_sub(rest, dot < 0 ? rest.n : (size_t)dot + 1,
			       rest.n);
	}
	return 0;
}

static bool is_ascii(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] > 127)
			return false;
	return true;
}

/* The host that a block is for.  A name with letters beyond ASCII is no error,
 * though such a host is never asked here. */
static int read_name(struct hosts_reader *r, const struct block *b,
		     struct str *out)
{
	const struct range at = source_range(b->src, b->labels[0].span);
	struct str name = b->labels[0].text, why;

	*out = host_name(r->a, name);
	if (str_ends(name, ".")) /* of the root zone */
		name.n--;
	if (!is_ascii(name) || !host_check(r->a, name, &name, &why))
		return 0;
	return diag_error(
		r->ds, &at,
		arena_printf(r->a,
			     "The %.*s \"%.*s\" block has an invalid hostname",
			     STR_ARG(b->type), STR_ARG(b->labels[0].text)),
		"This is no host: %.*s.", STR_ARG(why));
}

/* Addresses are texts, login.v1 is an object. */
static int write_services(struct hosts_reader *r, struct expression e,
			  struct jw *w)
{
	struct expression *keys, *values;
	size_t n = 0;

	if (expression_map(r->a, e, &keys, &values, &n, r->ds))
		return -1;
	for (size_t i = 0; i < n; i++) {
		const struct value *v;
		struct str name;

		if (read_string(r, keys[i], &name) ||
		    !(v = read_value(r, values[i])))
			return -1;
		if (!value_usable(v) ||
		    (v->type != &type_string && v->type->kind != TYPE_OBJECT))
			return wrong(r, expression_range(values[i]),
				     "A string or an object is needed here.");
		jw_key_str(w, name);
		value_to_json(w, v, v->type);
	}
	return 0;
}

static int read_host(struct hosts_reader *r, const struct block *b)
{
	static const struct attr_schema attrs[] = { { "services", false },
						    { NULL, false } };
	static const struct block_schema blocks[] = { { NULL, { NULL } } };
	static const struct body_schema schema = { attrs, blocks };
	struct buf text = BUF_INIT;
	struct jw w = JW_INIT(&text);
	const struct attribute *at;
	struct json_error wrong;
	struct body_content c;
	const struct json *services = NULL;
	struct str host;

	if (read_name(r, b, &host) ||
	    body_content(r->a, b->body, &schema, &c, r->ds))
		return -1;
	at = content_attr(&c, "services");
	jw_object(&w);
	if (!at || !write_services(r, at->expr, &w)) {
		jw_object_end(&w);
		services = json_parse(r->a, buf_view(&text), &wrong);
	}
	buf_release(&text);
	if (!services)
		return -1;
	map_put(r->a, &r->out->services, host, (void *)services);
	return 0;
}

/* Only tokens are known, but what else a block may hold is no error. */
static int read_credentials(struct hosts_reader *r, const struct block *b)
{
	static const struct attr_schema attrs[] = { { "token", false },
						    { NULL, false } };
	static const struct block_schema blocks[] = { { NULL, { NULL } } };
	static const struct body_schema schema = { attrs, blocks };
	struct str *token = ARENA_NEW(r->a, struct str);
	const struct attribute *at;
	struct body_content c;
	struct str host;

	if (read_name(r, b, &host) ||
	    body_partial(r->a, b->body, &schema, &c, NULL, r->ds))
		return -1;
	at = content_attr(&c, "token");
	if (at && read_string(r, at->expr, token))
		return -1;
	map_put(r->a, &r->out->tokens, host, token);
	return 0;
}

static int read_helper(struct hosts_reader *r, const struct block *b)
{
	static const struct attr_schema attrs[] = { { "args", false },
						    { NULL, false } };
	static const struct block_schema blocks[] = { { NULL, { NULL } } };
	static const struct body_schema schema = { attrs, blocks };
	const struct attribute *at;
	struct expression *items;
	struct body_content c;
	size_t n = 0;

	if (r->out->helper.n)
		return wrong(r, source_range(b->src, b->header),
			     "There is another credentials_helper already.");
	if (body_content(r->a, b->body, &schema, &c, r->ds))
		return -1;
	at = content_attr(&c, "args");
	if (at && expression_list(r->a, at->expr, &items, &n, r->ds))
		return -1;
	r->out->helper = b->labels[0].text;
	for (size_t i = 0; i < n; i++) {
		struct str arg;

		if (read_string(r, items[i], &arg))
			return -1;
		vec_push(r->a, &r->out->helper_args, arg);
	}
	return 0;
}

static int read_protocols(struct hosts_reader *r, const struct block *b)
{
	static const struct attr_schema attrs[] = {
		{ "retry_count", false },
		{ "request_timeout_seconds", false },
		{ NULL, false },
	};
	static const struct block_schema blocks[] = { { NULL, { NULL } } };
	static const struct body_schema schema = { attrs, blocks };
	struct body_content c;
	int retries = -1, seconds = -1;

	if (body_content(r->a, b->body, &schema, &c, r->ds) ||
	    read_count(r, content_attr(&c, "retry_count"), &retries) ||
	    read_count(r, content_attr(&c, "request_timeout_seconds"),
		       &seconds))
		return -1;
	if (r->out->retries < 0)
		r->out->retries = retries;
	if (r->out->seconds < 0)
		r->out->seconds = seconds;
	return 0;
}

static const struct {
	const char *type;
	int (*read)(struct hosts_reader *r, const struct block *b);
} kinds[] = {
	{ "host", read_host },
	{ "credentials", read_credentials },
	{ "credentials_helper", read_helper },
	{ "registry_protocols", read_protocols },
};

int cli_hosts_read(struct arena *a, const struct body *b, struct cli_hosts *out,
		   struct diags *ds)
{
	static const struct attr_schema attrs[] = { { NULL, false } };
	static const struct block_schema blocks[] = {
		{ "host", { "name" } },
		{ "credentials", { "host" } },
		{ "credentials_helper", { "name" } },
		{ "registry_protocols", { NULL } },
		{ NULL, { NULL } },
	};
	static const struct body_schema schema = { attrs, blocks };
	struct hosts_reader r = { a, out, ds };
	struct body_content c;
	int rc = body_partial(a, b, &schema, &c, NULL, ds);

	for (size_t i = 0; !rc && i < c.blocks.len; i++)
		for (size_t k = 0; !rc && k < sizeof(kinds) / sizeof(*kinds);
		     k++)
			if (str_is(c.blocks.items[i].type, kinds[k].type))
				rc = kinds[k].read(&r, &c.blocks.items[i]);
	return rc;
}

int cli_environment_count(const char *name, int otherwise)
{
	const char *text = getenv(name);
	char *end;
	long n = text && *text ? strtol(text, &end, 10) : 0;

	return n > 0 && n <= INT_MAX && !*end ? (int)n : otherwise;
}

void cli_hosts_finish(struct cli_hosts *h)
{
	h->retries = cli_environment_count("TF_REGISTRY_DISCOVERY_RETRY",
					   h->retries < 0 ? DEFAULT_RETRIES
							  : h->retries);
	h->seconds = cli_environment_count("TF_REGISTRY_CLIENT_TIMEOUT",
					   h->seconds < 0 ? DEFAULT_SECONDS
							  : h->seconds);
}

int cli_hosts_load(struct arena *a, struct cli_hosts *out, struct diags *ds)
{
	struct str_vec files = { 0 };
	struct body *b;
	int rc = 0;

	*out = (struct cli_hosts)CLI_HOSTS_INIT;
	cli_files(a, &files, ds);
	for (size_t i = 0; !rc && i < files.len; i++) {
		struct cli_file f;
		size_t before;

		rc = cli_file_read(a, files.items[i], &f, &b, ds);
		before = ds->len;
		if (!rc && b)
			rc = cli_hosts_read(a, b, out, ds);
		cli_file_told(&f, b, ds, before);
	}
	cli_hosts_finish(out);
	return rc;
}
