/* oci_credentials.c - see oci.h */
#include <errno.h>
#include <stdlib.h>

#include "install/oci/oci.h"
#include "base/base64.h"
#include "base/io.h"
#include "remote/credentials.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"

enum { LARGEST_FILE = 16 << 20 };

/* How well something fits a repository: the more, the better. */
enum { FITS_NOT, FITS_ALL, FITS_DOMAIN /* + 1 for each step of a path */ };

/* The best fit so far. */
struct choice {
	struct arena *a;
	struct oci_address at;
	size_t fit;
	struct oci_credentials known;
	struct str helper;
	struct buf wrong; /* what fits, too, and cannot be used */
};

/* Fits a repository, a part of its path or its registry; anything else is for
 * other programs. */
static size_t fit_of(struct arena *a, struct str prefix, struct oci_address at)
{
	struct oci_address p;
	struct str why;
	size_t steps = 1;

	if (str_chr(prefix, '/') < 0)
		return prefix.n && str_eq(prefix, at.domain) ? FITS_DOMAIN
							     : FITS_NOT;
	if (oci_address_parse(a, prefix, &p, &why) ||
	    !str_eq(p.domain, at.domain) || p.name.n > at.name.n ||
	    !str_eq(p.name, str_sub(at.name, 0, p.name.n)) ||
	    (at.name.n > p.name.n && at.name.p[p.name.n] != '/'))
		return FITS_NOT;
	for (size_t i = 0; i < p.name.n; i++)
		steps += p.name.p[i] == '/';
	return FITS_DOMAIN + steps;
}

static void choose(struct choice *c, size_t fit,
		   const struct oci_credentials *known, struct str helper)
{
	if (fit <= c->fit)
		return;
	c->fit = fit;
	c->known = known ? *known : (struct oci_credentials){ STR_NONE };
	c->helper = helper;
}

/* --- files as Docker's client writes them --- */

static bool is_object(const struct json *j)
{
	return !j || j->kind == JSON_OBJECT || j->kind == JSON_NULL;
}

/* "auth" of each of "auths" is base64 of USER:PASSWORD, or nothing. */
static bool is_valid(struct arena *a, const struct json *j)
{
	const struct json *auths = json_get(j, "auths");
	const struct json *store = json_get(j, "credsStore");
	struct str plain;

	if (j->kind != JSON_OBJECT || !is_object(auths) ||
	    !is_object(json_get(j, "credHelpers")) ||
	    (store && store->kind != JSON_STRING && store->kind != JSON_NULL))
		return false;
	for (uint32_t i = 0;
	     auths && auths->kind == JSON_OBJECT && i < auths->len; i++) {
		const struct json *one = &auths->members[i].value;
		const struct json *auth = json_get(one, "auth");

		if (!is_object(one) ||
		    (auth && auth->kind != JSON_NULL &&
		     (auth->kind != JSON_STRING ||
		      !base64_decode(a, auth->text, &plain))))
			return false;
	}
	return true;
}

static void take_auth(struct choice *c, const struct json_member *m,
		      struct str path)
{
	const size_t fit = fit_of(c->a, m->name, c->at);
	struct str coded = json_get_str(&m->value, "auth"), plain;
	struct oci_credentials known = { STR_NONE };
	ptrdiff_t colon;

	/* Without "auth" a helper has the credentials. */
	if (!fit || !coded.n || !base64_decode(c->a, coded, &plain))
		return;
	colon = str_chr(plain, ':');
	if (colon < 0) {
		buf_addf(&c->wrong,
			 "%s\"%.*s\" in %.*s has no name and password",
			 c->wrong.len ? "; " : "", STR_ARG(m->name),
			 STR_ARG(path));
		return;
	}
	known.user = str_sub(plain, 0, (size_t)colon);
	known.password = str_sub(plain, (size_t)colon + 1, plain.n);
	choose(c, fit, &known, STR_NONE);
}

static void take_file(struct choice *c, const struct json *j, struct str path)
{
	const struct json *auths = json_get(j, "auths");
	struct str domain = str_dup(c->a, c->at.domain), helper;

	for (uint32_t i = 0;
	     auths && auths->kind == JSON_OBJECT && i < auths->len; i++)
		take_auth(c, &auths->members[i], path);
	helper = json_get_str(json_get(j, "credHelpers"), domain.p);
	if (helper.n)
		choose(c, FITS_DOMAIN, NULL, helper);
	helper = json_get_str(j, "credsStore");
	if (helper.n)
		choose(c, FITS_ALL, NULL, helper);
}

/* NULL with *why; both NULL: there is no such file. */
static const struct json *read_file(struct arena *a, struct str path,
				    struct str *why)
{
	struct json_error wrong;
	const struct json *j;
	struct str text;

	*why = STR_NONE;
	if (io_read_regular(a, path.p, LARGEST_FILE, &text)) {
		*why = str_printf(a, "%.*s: %s", STR_ARG(path),
				  strerror(errno));
		return NULL;
	}
	j = json_parse(a, text, &wrong);
	if (j && is_valid(a, j))
		return j;
	*why = str_printf(a, "%.*s is no configuration file of Docker's kind",
			  STR_ARG(path));
	errno = EINVAL; /* it is there */
	return NULL;
}

/* Lists where container programs look for credentials:
 * containers-auth.json(5). */
static void usual_files(struct arena *a, struct str_vec *out)
{
	struct str run = str_env("XDG_RUNTIME_DIR");
	struct str config = str_env("XDG_CONFIG_HOME");
	struct str home = str_env("HOME");

	if (run.n)
		vec_push(a, out, STR_CAT(a, run, STR("/containers/auth.json")));
	if (!config.n)
		config = STR_CAT(a, home, STR("/.config"));
	vec_push(a, out, STR_CAT(a, config, STR("/containers/auth.json")));
	vec_push(a, out, STR_CAT(a, home, STR("/.docker/config.json")));
	vec_push(a, out, STR_CAT(a, home, STR("/.dockercfg")));
}

/* Files that the user names must exist and be valid.  Of the usual ones none
 * counts if one is invalid: they are for other programs. */
static int take_files(struct choice *c, const struct oci_settings *s,
		      struct str *why)
{
	struct str_vec files = s->files;
	const struct json **all;

	if (!s->named_files)
		usual_files(c->a, &files);
	all = ARENA_ARRAY(c->a, const struct json *, files.len + 1);
	for (size_t i = 0; i < files.len; i++) {
		all[i] = read_file(c->a, files.items[i], why);
		if (all[i] || (!s->named_files && errno == ENOENT))
			continue;
		return s->named_files ? -1 : 0;
	}
	for (size_t i = 0; i < files.len; i++)
		if (all[i])
			take_file(c, all[i], files.items[i]);
	return 0;
}

/* --- helpers --- */

static bool knows_none(struct str said)
{
	return str_is(said, "credentials not found in native keychain");
}

static int ask_helper(struct arena *a, struct str helper, struct str domain,
		      struct oci_credentials *out, struct str *why)
{
	const char *const argv[] = {
		STR_CAT(a, STR("docker-credential-"), helper).p, "get", NULL
	};
	struct buf text = BUF_INIT;
	struct json_error wrong;
	const struct json *j = NULL;
	int rc =
		secret_program_run(a, argv, STR_CAT(a, STR("https://"), domain),
				   &text, why);
	bool none = rc && knows_none(str_trim(buf_view(&text)));

	if (!rc)
		j = json_parse(a, buf_view(&text), &wrong);
	if (rc) /* which is how they say why */
		*why = STR_CAT(a, *why,
			       str_ends(*why, " ") ? STR("") : STR("; "),
			       str_trim(buf_dup(a, &text)));
	else if (!j)
		*why = str_printf(a, "%s answered what is no JSON", argv[0]);
	buf_release(&text);
	if (none)
		return 0;
	out->user = json_get_str(j, "Username");
	out->password = json_get_str(j, "Secret");
	if (j && str_is(out->user, "<token>")) {
		*why = str_printf(
			a,
			"%s answered with a token; a name and a password are needed",
			argv[0]);
		j = NULL;
	}
	return j ? 0 : -1;
}

int oci_credentials_find(struct arena *a, const struct oci_settings *s,
			 struct oci_address at, struct oci_credentials *out,
			 struct str *why)
{
	struct choice c = { .a = a, .at = at, .wrong = BUF_INIT };
	int rc = 0;

	*out = (struct oci_credentials){ STR_NONE };
	for (size_t i = 0; i < s->blocks.len; i++)
		choose(&c, fit_of(a, s->blocks.items[i].prefix, at),
		       &s->blocks.items[i].known, s->blocks.items[i].helper);
	if (s->helper.n)
		choose(&c, FITS_ALL, NULL, s->helper);
	if (!s->no_files)
		rc = take_files(&c, s, why);
	if (!rc && c.fit && c.wrong.len) {
		*why = buf_dup(a, &c.wrong);
		rc = -1;
	}
	buf_release(&c.wrong);
	if (rc)
		return -1;
	*out = c.known;
	return c.helper.n ? ask_helper(a, c.helper, at.domain, out, why) : 0;
}
