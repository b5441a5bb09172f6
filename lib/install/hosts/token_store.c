/* token_store.c - see login.h */
#include <errno.h>
#include <stdlib.h>

#include "install/hosts/login.h"
#include "base/io.h"
#include "remote/credentials.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"

enum { LARGEST_FILE = 1 << 24, INDENT = 2 };

struct str token_file(struct arena *a)
{
	struct str dir = cli_dir(a);

	return dir.n ? str_printf(a, "%.*s/credentials.tfrc.json", STR_ARG(dir))
		     : STR_NONE;
}

/* --- the file --- */

/* NULL with an empty *why: there is none, or nothing in it. */
static const struct json *read_file(struct arena *a, struct str path,
				    struct str *why)
{
	const struct json *j = NULL;
	struct json_error wrong;
	struct str text = STR_NONE;

	*why = STR_NONE;
	if (io_read_regular(a, path.p, LARGEST_FILE, &text)) {
		if (errno != ENOENT)
			*why = str_printf(a, "%.*s cannot be read: %s",
					  STR_ARG(path), strerror(errno));
		return NULL;
	}
	if (!text.n)
		return NULL;
	j = json_parse(a, text, &wrong);
	if (!j || j->kind != JSON_OBJECT)
		*why = str_printf(a, "%.*s is no JSON object", STR_ARG(path));
	else if (json_get(j, "credentials") &&
		 json_get(j, "credentials")->kind != JSON_OBJECT)
		*why = str_printf(
			a, "the \"credentials\" of %.*s are no JSON object",
			STR_ARG(path));
	return why->n ? NULL : j;
}

static bool file_has(struct arena *a, struct str host)
{
	struct str path = token_file(a), why;
	const struct json *j = path.n ? read_file(a, path, &why) : NULL;
	const struct json *all = json_get(j, "credentials");

	for (uint32_t i = 0; all && i < all->len; i++)
		if (str_eq(host_name(a, all->members[i].name), host))
			return true;
	return false;
}

struct member {
	struct str name;
	const struct json *value; /* NULL: {"token": token} */
};
struct members VEC_OF(struct member);

static int by_name(const void *x, const void *y)
{
	return str_cmp(((const struct member *)x)->name,
		       ((const struct member *)y)->name);
}

/* All but those of the host. */
static void list_members(struct arena *a, const struct json *j, struct str host,
			 struct members *out)
{
	for (uint32_t i = 0; j && i < j->len; i++)
		if (!host.n || !str_eq(host_name(a, j->members[i].name), host))
			vec_push(a, out,
				 (struct member){ j->members[i].name,
						  &j->members[i].value });
}

static void write_credentials(struct arena *a, struct jw *w,
			      const struct json *old, struct str host,
			      struct str token)
{
	struct members all = { 0 };

	list_members(a, old, host, &all);
	if (token.n)
		vec_push(a, &all, (struct member){ host, NULL });
	if (all.len)
		qsort(all.items, all.len, sizeof(*all.items), by_name);
	jw_object(w);
	for (size_t i = 0; i < all.len; i++) {
		jw_key_str(w, all.items[i].name);
		if (all.items[i].value) {
			jw_json(w, all.items[i].value);
			continue;
		}
		jw_object(w);
		jw_member_str(w, "token", token);
		jw_object_end(w);
	}
	jw_object_end(w);
}

static void write_all(struct arena *a, struct jw *w, const struct json *old,
		      struct str host, struct str token)
{
	static const struct json none = { .kind = JSON_NULL };
	struct members all = { 0 };

	list_members(a, old, STR_NONE, &all);
	if (!json_get(old, "credentials"))
		vec_push(a, &all, (struct member){ STR("credentials"), &none });
	qsort(all.items, all.len, sizeof(*all.items), by_name);
	jw_object(w);
	for (size_t i = 0; i < all.len; i++) {
		jw_key_str(w, all.items[i].name);
		if (str_is(all.items[i].name, "credentials"))
			write_credentials(a, w, json_get(old, "credentials"),
					  host, token);
		else
			jw_json(w, all.items[i].value);
	}
	jw_object_end(w);
}

/* An empty token: the host's is taken out. */
static int change_file(struct arena *a, struct str host, struct str token,
		       struct str *why)
{
	struct str path = token_file(a), dir = cli_dir(a);
	struct buf text = BUF_INIT;
	struct jw w = JW_INIT(&text);
	const struct json *old;
	int rc;

	if (!path.n) {
		*why = STR("there is no home directory");
		return -1;
	}
	old = read_file(a, path, why);
	if (why->n)
		return -1;
	w.indent = INDENT;
	w.html = true;
	write_all(a, &w, old, host, token);
	rc = io_make_dirs(dir.p, 0777) ||
	     io_replace_file(path.p, text.p, text.len, 0600);
	if (rc)
		*why = str_printf(a, "%.*s cannot be written: %s",
				  STR_ARG(path), strerror(errno));
	buf_release(&text);
	return rc ? -1 : 0;
}

/* --- both --- */

enum token_place token_place(struct arena *a, const struct cli_hosts *h,
			     struct str host)
{
	if (map_has(&h->tokens, host))
		return file_has(a, host) ? TOKEN_FILE : TOKEN_OTHER;
	return host_helper(a, h).n ? TOKEN_HELPER : TOKEN_NOWHERE;
}

int token_store(struct arena *a, const struct cli_hosts *h, struct str host,
		struct str token, struct str *why)
{
	struct buf text = BUF_INIT;
	struct jw w = JW_INIT(&text);
	int rc;

	if (token_place(a, h, host) != TOKEN_HELPER)
		return change_file(a, host, token, why);
	jw_object(&w);
	jw_member_str(&w, "token", token);
	jw_object_end(&w);
	rc = host_helper_run(a, h, "store", host, buf_view(&text), NULL, why);
	buf_release(&text);
	return rc;
}

int token_forget(struct arena *a, const struct cli_hosts *h, struct str host,
		 struct str *why)
{
	if (token_place(a, h, host) != TOKEN_HELPER)
		return change_file(a, host, STR_NONE, why);
	return host_helper_run(a, h, "forget", host, STR_NONE, NULL, why);
}
