/* checksum.c - ?checksum= of the archives that modules travel in */
#include "base/file_path.h"
#include "install/modules/modules_int.h"
#include "install/package/hash.h"

/* By length, where no name is given. */
static const struct {
	const char *name;
	size_t hex;
} kinds[] = {
	{ "md5", 32 }, { "sha1", 40 }, { "sha256", 64 }, { "sha512", 128 }
};

static int check(struct module_store *s, struct str kind, struct str want,
		 struct str file, struct str *why)
{
	struct str hex;
	size_t i = 0;

	kind = str_lower(s->a, kind);
	want = str_lower(s->a, want);
	while (i < sizeof(kinds) / sizeof(*kinds) &&
	       (kind.n ? !str_is(kind, kinds[i].name) : want.n != kinds[i].hex))
		i++;
	if (i == sizeof(kinds) / sizeof(*kinds)) {
		*why = kind.n ? str_printf(s->a,
					   "unsupported checksum type: %.*s",
					   STR_ARG(kind))
			      : str_printf(s->a,
					   "unknown type for checksum %.*s",
					   STR_ARG(want));
		return -1;
	}
	hex = package_file_digest(s->a, file, kinds[i].name);
	if (!hex.n) {
		*why = STR("its checksum cannot be computed");
		return -1;
	}
	if (str_eq(want, hex))
		return 0;
	*why = str_printf(s->a,
			  "Checksums did not match: expected %.*s, got %.*s",
			  STR_ARG(want), STR_ARG(hex));
	return -1;
}

/* --- files of checksums --- */

/* KIND (NAME) = HEX, or HEX [*?]NAME, or HEX alone. */
static bool read_line(struct str line, struct str name, struct str *kind,
		      struct str *want)
{
	ptrdiff_t open = str_chr(line, '('), eq = str_find(line, STR(") = "));
	ptrdiff_t space = str_chr(line, ' ');
	struct str of;

	if (open > 0 && eq > open) {
		*kind = str_trim(str_sub(line, 0, (size_t)open));
		of = str_sub(line, (size_t)open + 1, (size_t)eq);
		*want = str_trim(str_sub(line, (size_t)eq + 4, line.n));
		return str_eq(file_path_name(of), name);
	}
	*kind = STR_NONE;
	*want = space < 0 ? line : str_sub(line, 0, (size_t)space);
	if (space < 0)
		return line.n > 0;
	of = str_trim(str_sub(line, (size_t)space, line.n));
	if (of.n && (of.p[0] == '*' || of.p[0] == '?'))
		of = str_sub(of, 1, of.n);
	return str_eq(file_path_name(of), name);
}

static int check_file(struct module_store *s, const struct package_request *r,
		      struct str url, struct str file, struct str *why)
{
	const struct fetch_request ask = { .url = url };
	struct str name = file_path_name(r->parts.path), text, kind, want;
	struct fetch_answer answer;

	if (fetch_wait(module_store_hosts(s), &ask, &answer)) {
		*why = STR_CAT(s->a, STR("the file of checksums: "),
			       answer.error);
		return -1;
	}
	if (answer.status != 200) {
		*why = str_printf(
			s->a, "the file of checksums: bad response code: %d",
			answer.status);
		return -1;
	}
	for (text = answer.body; text.n;) {
		ptrdiff_t end = str_chr(text, '\n');
		size_t n = end < 0 ? text.n : (size_t)end;

		if (read_line(str_trim(str_sub(text, 0, n)), name, &kind,
			      &want))
			return check(s, kind, want, file, why);
		text = str_sub(text, n + (end >= 0), text.n);
	}
	*why = str_printf(s->a, "no checksum found in %.*s for %.*s",
			  STR_ARG(url), STR_ARG(name));
	return -1;
}

int checksum_check(struct module_store *s, const struct package_request *r,
		   struct str file, struct str *why)
{
	ptrdiff_t colon = str_chr(r->checksum, ':');
	struct str kind = STR_NONE, want = r->checksum;

	if (!want.n)
		return 0;
	if (colon >= 0) {
		kind = str_sub(want, 0, (size_t)colon);
		want = str_sub(want, (size_t)colon + 1, want.n);
	}
	return str_is(kind, "file") ? check_file(s, r, want, file, why)
				    : check(s, kind, want, file, why);
}
