/*
 * oci.c - what registries of containers say: challenges, realms, descriptors; and
 * the names that people write of them
 */
#include "fuzz.h"
#include "install/oci/oci_int.h"
#include "json/read.h"

static void descriptor(struct arena *a, struct str text)
{
	struct json_error wrong;
	const struct json *j = json_parse(a, text, &wrong);
	struct oci_descriptor d;
	struct str why = STR_NONE;

	if (!j || oci_descriptor_read(a, j, &d, &why)) {
		FUZZ_HOLDS(!j || why.n);
		return;
	}
	FUZZ_HOLDS(d.size > 0 && oci_digest_valid(d.digest));
	FUZZ_HOLDS(!oci_digest_matches(a, d.digest, text));
}

static void address(struct arena *a, struct str text)
{
	struct oci_address at, again;
	struct str why = STR_NONE, written;

	if (oci_address_parse(a, text, &at, &why)) {
		FUZZ_HOLDS(why.n);
		return;
	}
	if (!at.name.n)
		return;
	written = oci_address_text(a, at);
	FUZZ_HOLDS(oci_address_parse(a, written, &again, &why) == 0);
	FUZZ_HOLDS(str_eq(written, oci_address_text(a, again)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct str text = { (const char *)data, size };
	struct oci_challenge c;

	oci_challenge_read(&a, text, &c);
	oci_realm_refusal(&a, c.realm, c.service);
	oci_realm_refusal(&a, text, STR("registry.test"));
	descriptor(&a, text);
	address(&a, text);
	arena_release(&a);
	return 0;
}
