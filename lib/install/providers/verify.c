/* verify.c - see providers_int.h */
#include <stdlib.h>
#include <sys/stat.h>

#include "install/providers/providers_int.h"
#include "install/package/hash.h"
#include "install/package/unpack.h"
#include "json/json.h"
#include "json/tree.h"

static bool is_default_host(struct provider_addr p)
{
	return str_is(p.host, "registry.opentofu.org");
}

static bool is_on(const char *name)
{
	return str_is(str_env(name), "true");
}

/* The registry of OpenTofu has providers without keys. */
static bool must_be_signed(struct provider_addr p)
{
	return !is_default_host(p) || is_on("OPENTOFU_ENFORCE_GPG_VALIDATION");
}

/* --- checksums of a registry: "HEX  NAME" lines --- */

struct sum_line {
	struct str hex, name;
};

static bool next_word(struct str *s, struct str *word)
{
	size_t from = 0, to;

	while (from < s->n && strchr(" \t\r", s->p[from]))
		from++;
	for (to = from; to < s->n && !strchr(" \t\r", s->p[to]);)
		to++;
	*word = str_sub(*s, from, to);
	*s = str_sub(*s, to, s->n);
	return word->n > 0;
}

static bool next_line(struct str *text, struct sum_line *out)
{
	ptrdiff_t nl = str_chr(*text, '\n');
	size_t n = nl < 0 ? text->n : (size_t)nl;
	struct str line = str_sub(*text, 0, n);

	if (!text->n)
		return false;
	*text = str_sub(*text, nl < 0 ? n : n + 1, text->n);
	*out = (struct sum_line){ .hex = STR_NONE };
	if (next_word(&line, &out->hex))
		next_word(&line, &out->name);
	return true;
}

bool verify_is_sha256(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!strchr("0123456789abcdefABCDEF", s.p[i]))
			return false;
	return s.n == 64;
}

static int check_sums(struct arena *a, const struct package_offer *offer,
		      struct str *why)
{
	struct str text = offer->sums;
	struct sum_line line;

	while (next_line(&text, &line)) {
		if (!line.name.n || !str_eq(line.name, offer->filename))
			continue;
		if (str_eq(str_lower(a, line.hex), str_lower(a, offer->sha256)))
			return 0;
		*why = str_printf(
			a,
			"checksum list has unexpected SHA-256 hash %.*s (expected %.*s)",
			STR_ARG(line.hex), STR_ARG(offer->sha256));
		return -1;
	}
	*why = str_printf(a, "checksum list has no SHA-256 hash for \"%.*s\"",
			  STR_ARG(offer->filename));
	return -1;
}

/* All of them, unless a line is of another kind: then it is no such list. */
static void vouch_sums(struct arena *a, struct str text, struct str_vec *out)
{
	struct sum_line line;
	size_t before = out->len;

	while (next_line(&text, &line)) {
		if (!verify_is_sha256(line.hex) || !line.name.n) {
			out->len = before;
			return;
		}
		vec_push(a, out,
			 str_printf(a, "zh:%.*s",
				    STR_ARG(str_lower(a, line.hex))));
	}
}

/* --- the member `packages` of a registry's answer --- */

static bool is_preferred(struct str hash)
{
	return str_starts(hash, "h1:") || str_starts(hash, "zh:");
}

static int check_package(struct arena *a, const struct package_offer *offer,
			 struct str platform, struct str *why)
{
	const struct json *mine =
		json_get(offer->packages, str_dup(a, platform).p);
	const struct json *list = json_get(mine, "hashes");
	bool found = false;

	if (!mine) {
		*why = str_printf(
			a,
			"registry response missing package with platform \"%.*s\"",
			STR_ARG(platform));
		return -1;
	}
	for (uint32_t i = 0; list && list->kind == JSON_ARRAY && i < list->len;
	     i++) {
		struct str h = list->items[i].kind == JSON_STRING
				       ? list->items[i].text
				       : STR_NONE;

		if (!str_starts(h, "zh:"))
			continue;
		found = true;
		if (str_eq(str_sub(h, 3, h.n), offer->sha256))
			continue;
		*why = str_printf(a,
				  "registry response expected sha256sum is "
				  "\"%.*s\", which does not match the "
				  "platform's value of \"%.*s\"",
				  STR_ARG(offer->sha256), STR_ARG(h));
		return -1;
	}
	if (!found)
		*why = STR("registry response does not contain matching "
			   "sha256sum package entry and is invalid");
	return found ? 0 : -1;
}

static void vouch_packages(struct arena *a, const struct package_offer *offer,
			   struct str_vec *out)
{
	const struct json *all = offer->packages;

	for (uint32_t i = 0; all && all->kind == JSON_OBJECT && i < all->len;
	     i++) {
		const struct json *list =
			json_get(&all->members[i].value, "hashes");

		for (uint32_t k = 0;
		     list && list->kind == JSON_ARRAY && k < list->len; k++)
			if (list->items[k].kind == JSON_STRING &&
			    is_preferred(list->items[k].text))
				vec_push(a, out, list->items[k].text);
	}
}

/* --- the offer --- */

static int check_signature(struct arena *a, struct provider_addr p,
			   const struct package_offer *offer,
			   struct str scratch, struct authentication *out,
			   struct str *why)
{
	int rc;

	if (!offer->keys.len && !must_be_signed(p)) {
		out->skipped = true;
		out->how = STR("signing skipped");
		return 0;
	}
	rc = gpgv_verify(a, offer->sums, offer->signature, &offer->keys,
			 scratch, &out->key_id, &out->expired, why);
	if (rc > 0 ||
	    (!rc && out->expired && is_on("OPENTOFU_ENFORCE_GPG_EXPIRATION"))) {
		*why = STR("authentication signature from unknown issuer");
		rc = -1;
	}
	if (rc < 0)
		*why = str_printf(a,
				  "the provider is not signed with a valid "
				  "signing key; please contact the provider "
				  "author (%.*s)",
				  STR_ARG(*why));
	out->how = STR("signed");
	return rc;
}

int verify_offer(struct arena *a, const struct package_offer *offer,
		 struct str platform, struct str *why)
{
	if (!offer->sha256.n) /* a mirror */
		return 0;
	return (offer->packages && offer->packages->kind == JSON_OBJECT &&
		offer->packages->len &&
		check_package(a, offer, platform, why)) ||
			       check_sums(a, offer, why)
		       ? -1
		       : 0;
}

/* --- the archive --- */

static int wrong_size(struct arena *a, const struct package_offer *offer,
		      struct str platform, struct str archive, struct str *why)
{
	const struct json *mine =
		json_get(offer->packages, str_dup(a, platform).p);
	int64_t want = json_get_int(mine, "package_size", 0);
	struct stat st;

	if (!mine || stat(archive.p, &st) || st.st_size == want)
		return 0;
	*why = str_printf(a,
			  "registry response indicates a package of size "
			  "%lld, but received a package of size %lld",
			  (long long)want, (long long)st.st_size);
	return -1;
}

/* Hashes the files in it only if the archive's own hash is not locked. */
static bool is_allowed(struct arena *a, const struct str_vec *locked,
		       struct str archive, struct str zip_hash)
{
	struct str files;

	if (!locked || !locked->len || str_vec_has(locked, zip_hash))
		return true;
	files = unpack_hash(a, archive);
	return files.n && str_vec_has(locked, files);
}

static int check_mirror(struct arena *a, struct provider_addr p,
			const struct package_offer *offer, struct str archive,
			struct authentication *out, struct str *why)
{
	struct str_vec wanted = { 0 };
	struct str files;

	for (size_t i = 0; i < offer->hashes.len; i++)
		if (is_preferred(offer->hashes.items[i]))
			vec_push(a, &wanted, offer->hashes.items[i]);
	if (!offer->hashes.len)
		return 0;
	if (!wanted.len) {
		*why = STR(
			"none of the checksum formats given for this provider is supported");
		return -1;
	}
	files = unpack_hash(a, archive);
	if (str_vec_has(&wanted, out->zip_hash))
		vec_push(a, &out->local, out->zip_hash);
	if (files.n && str_vec_has(&wanted, files))
		vec_push(a, &out->local, files);
	if (!out->local.len) {
		*why = wanted.len == 1
			       ? str_printf(
					 a,
					 "provider package doesn't match the expected checksum \"%.*s\"",
					 STR_ARG(wanted.items[0]))
			       : STR("provider package doesn't match any of the expected checksums");
		return -1;
	}
	out->how = STR("verified checksum");
	if (!offer->trust_all_hashes)
		return 0;
	for (size_t i = 0; i < wanted.len; i++)
		out->skipped |= !str_vec_has(&out->local, wanted.items[i]);
	if (!must_be_signed(p)) /* a mirror does not sign */
		out->vouched = wanted;
	return 0;
}

/* Is the archive the one that the registry had signed? */
static int check_signed(struct arena *a, struct provider_addr p,
			const struct package_offer *offer, struct str archive,
			struct str sum, struct authentication *out,
			struct str *why)
{
	const struct str scratch = STR_CAT(a, archive, STR(".gpg"));

	if (!str_eq(sum, str_lower(a, offer->sha256))) {
		*why = str_printf(
			a,
			"archive has incorrect checksum zh:%.*s (expected zh:%.*s)",
			STR_ARG(sum), STR_ARG(offer->sha256));
		return -1;
	}
	if (check_signature(a, p, offer, scratch, out, why))
		return -1;
	vec_push(a, &out->local, out->zip_hash);
	vouch_sums(a, offer->sums, &out->vouched);
	if (!must_be_signed(p))
		vouch_packages(a, offer, &out->vouched);
	return 0;
}

int verify_archive(struct arena *a, struct provider_addr p,
		   const struct package_offer *offer, struct str platform,
		   struct str archive, const struct str_vec *allowed,
		   struct authentication *out, struct str *why)
{
	struct str sum = package_file_digest(a, archive, "sha256");

	*out = (struct authentication){ .how = STR_INIT("unauthenticated") };

	if (!sum.n) {
		*why = STR("the archive cannot be read");
		return -1;
	}
	if (wrong_size(a, offer, platform, archive, why))
		return -1;
	out->zip_hash = STR_CAT(a, STR("zh:"), sum);
	if (offer->sha256.n ? check_signed(a, p, offer, archive, sum, out, why)
			    : check_mirror(a, p, offer, archive, out, why))
		return -1;
	if (is_allowed(a, allowed, archive, out->zip_hash))
		return 0;
	*why = STR("the package does not match any of the checksums that the "
		   "dependency lock file has for it");
	return -1;
}
