/*
 * source.c - sources of modules: what is normal stays so, comes apart and goes
 * together again; nothing secret is left in what people are told
 */
#include "config/source/source.h"
#include "config/source/url.h"
#include "fuzz.h"

static struct str read(struct arena *a, struct str text, bool versioned,
		       enum source_kind *kind)
{
	const char *summary = NULL;
	struct str why = STR_NONE;
	struct str s = source_read(a, text, versioned, kind, &summary, &why);

	FUZZ_HOLDS(s.p ? *kind != SOURCE_UNKNOWN
		       : *kind == SOURCE_UNKNOWN && summary && why.n);
	return s;
}

static bool is_url(struct arena *a, struct str package)
{
	struct str rest;
	struct url u;

	module_address_getter(package, &rest);
	return !url_parse(a, rest, &u);
}

/* What no URL can say is found out when it is fetched. */
static void normal(struct arena *a, struct str one, enum source_kind kind)
{
	enum source_kind again;
	struct str two = read(a, one, false, &again);
	struct module_address m;

	if (kind == SOURCE_LOCAL) {
		FUZZ_HOLDS(str_eq(one, two));
		return;
	}
	module_address_split(a, one, &m);
	/* In three slashes the subdirectory may begin at two places. */
	if (str_find(one, STR("///")) >= 0 && !str_starts(one, "file:///"))
		return;
	FUZZ_HOLDS(str_eq(module_address_text(a, &m), one));
	FUZZ_HOLDS(!str_starts(m.subdir, "../"));
	if (kind == SOURCE_REGISTRY || is_url(a, m.package))
		FUZZ_HOLDS(again == kind && str_eq(one, two));
}

static void secrets(struct arena *a, struct str text)
{
	struct str rest, shown = url_redacted(a, text);
	struct url u;

	module_address_getter(shown, &rest);
	if (url_parse(a, rest, &u) || !u.has_password)
		return;
	FUZZ_HOLDS(str_is(u.password, "redacted"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct str text = { (const char *)data, size }, one;
	enum source_kind kind;

	read(&a, text, true, &kind);
	one = read(&a, text, false, &kind);
	if (one.p) {
		normal(&a, one, kind);
		secrets(&a, one);
	}
	secrets(&a, text);
	arena_release(&a);
	return 0;
}
