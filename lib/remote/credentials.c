/* credentials.c - tokens for hosts; see cli_hosts.c */
#include <stdlib.h>
#include <unistd.h>

#include "remote/credentials.h"
#include "base/io.h"
#include "remote/remote.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"

enum { LONGEST_ANSWER = 1 << 20 };

/* The host of TF_TOKEN_registry_example__x_org: registry.example-x.org */
static struct str host_of_variable(struct arena *a, struct str name)
{
	struct buf b = BUF_INIT;
	struct str out;

	for (size_t i = 0; i < name.n; i++) {
		if (name.p[i] != '_') {
			buf_putc(&b, name.p[i]);
		} else if (i + 1 < name.n && name.p[i + 1] == '_') {
			buf_putc(&b, '-');
			i++;
		} else {
			buf_putc(&b, '.');
		}
	}
	out = host_name(a, buf_view(&b));
	buf_release(&b);
	return out;
}

static bool token_of_environment(struct arena *a, struct str host,
				 struct str *token)
{
	static const char prefix[] = "TF_TOKEN_";
	bool found = false;

	for (char **e = environ; *e; e++) {
		struct str line = str_c(*e);
		ptrdiff_t eq = str_chr(line, '=');

		if (!str_starts(line, prefix) || eq < 0)
			continue;
		if (!str_eq(host_of_variable(a,
					     str_sub(line, sizeof(prefix) - 1,
						     (size_t)eq)),
			    host))
			continue;
		*token = str_sub(line, (size_t)eq + 1, line.n);
		found = true;
	}
	return found;
}

/* --- the helper --- */

/* Only where the user alone puts programs, never below a configuration. */
struct str host_helper(struct arena *a, const struct cli_hosts *h)
{
	const struct {
		const char *variable, *below;
	} dirs[] = { { "HOME", ".terraform.d/plugins" },
		     { "XDG_DATA_HOME", "opentofu/plugins" } };

	for (size_t i = 0; i < 2 * sizeof(dirs) / sizeof(*dirs); i++) {
		struct str top = str_env(dirs[i / 2].variable);
		struct str platform =
			i % 2 ? STR_CAT(a, STR("/"), platform_name(a))
			      : STR_NONE;
		struct str path =
			str_printf(a, "%.*s/%s%.*s/terraform-credentials-%.*s",
				   STR_ARG(top), dirs[i / 2].below,
				   STR_ARG(platform), STR_ARG(h->helper));

		if (h->helper.n && top.n && str_chr(h->helper, '/') < 0 &&
		    access(path.p, X_OK) == 0)
			return path;
	}
	return STR_NONE;
}

int host_helper_run(struct arena *a, const struct cli_hosts *h,
		    const char *verb, struct str host, struct str input,
		    struct buf *out, struct str *why)
{
	const size_t n = h->helper_args.len;
	const char **argv = ARENA_ARRAY(a, const char *, n + 4);
	struct buf unread = BUF_INIT;
	int rc;

	argv[0] = host_helper(a, h).p;
	for (size_t i = 0; i < n; i++)
		argv[i + 1] = str_dup(a, h->helper_args.items[i]).p;
	argv[n + 1] = verb;
	argv[n + 2] = str_dup(a, host).p;
	rc = secret_program_run(a, argv, input, out ? out : &unread, why);
	buf_release(&unread);
	return rc;
}

static int token_of_helper(struct arena *a, const struct cli_hosts *h,
			   struct str host, struct str *token, struct str *why)
{
	struct buf out = BUF_INIT;
	struct json_error wrong;
	const struct json *j = NULL;

	*why = STR_NONE;
	if (!host_helper(a, h).n) /* as if it were not named */
		return 0;
	if (!host_helper_run(a, h, "get", host, STR_NONE, &out, why) &&
	    !(j = json_parse(a, buf_view(&out), &wrong)))
		*why = str_printf(a, "%.*s answered what is no JSON",
				  STR_ARG(host_helper(a, h)));
	if (j)
		*token = json_get_str(j, "token");
	buf_release(&out);
	return j ? 0 : -1;
}

int host_token(struct arena *a, const struct cli_hosts *h, struct str host,
	       struct str *token, struct str *why)
{
	const struct str *set = map_get(&h->tokens, host);

	*token = STR_NONE;
	if (token_of_environment(a, host, token))
		return 0;
	if (set) {
		*token = *set;
		return 0;
	}
	return h->helper.n ? token_of_helper(a, h, host, token, why) : 0;
}
