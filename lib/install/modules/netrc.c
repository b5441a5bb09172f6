/* netrc.c - names and passwords for hosts, from the file of ftp(1) */
#include <stdlib.h>

#include "install/modules/modules_int.h"
#include "base/io.h"

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static struct str word(struct str *rest)
{
	size_t from = 0, to;

	while (from < rest->n && is_space(rest->p[from]))
		from++;
	to = from;
	while (to < rest->n && !is_space(rest->p[to]))
		to++;
	*rest = str_sub(*rest, to, rest->n);
	return (struct str){ rest->p - (to - from), to - from };
}

/* A macro ends with an empty line. */
static void skip_macro(struct str *rest)
{
	ptrdiff_t end = str_find(*rest, STR("\n\n"));

	*rest = end < 0 ? STR_NONE : str_sub(*rest, (size_t)end + 2, rest->n);
}

bool netrc_find(struct arena *a, struct str host, struct str *user,
		struct str *password)
{
	const char *path = getenv("NETRC"), *home = getenv("HOME");
	struct str text, w;
	bool here = false, found = false;

	*user = *password = STR("");
	if (!path || !*path)
		path = home ? arena_printf(a, "%s/.netrc", home) : NULL;
	if (!path || io_read_regular(a, path, 1 << 20, &text))
		return false;
	while ((w = word(&text)).n) {
		const bool any = str_is(w, "default");

		if (any || str_is(w, "machine")) {
			if (found)
				break;
			here = any || str_eq(word(&text), host);
			found = here;
		} else if (str_is(w, "login") || str_is(w, "password")) {
			struct str value = word(&text);

			if (here)
				*(w.p[0] == 'l' ? user : password) = value;
		} else if (str_is(w, "macdef")) {
			skip_macro(&text);
		}
	}
	return found;
}
