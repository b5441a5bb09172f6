/*
 * encrypt_test.c - envelopes: those that OpenTofu 1.12.6 made are opened, and
 * what is sealed is opened again
 */
#include "base/workdir.h"
#include "encrypt/encrypt.h"
#include "test.h"

/* Made by OpenTofu 1.12.6: a state without resources, with an output o. */
static const char of_passphrase[] =
	"{\"serial\":1,\"lineage\":\"c1cc4c0d-3f4f-0573-ba57-9aa8578af38d\""
	",\"meta\":{\"al\":\"eyJzYWx0IjoicDRmenJST2tPSjA9IiwiaXRlcmF0aW9ucy"
	"I6MjAwMDAwLCJoYXNoX2Z1bmN0aW9uIjoic2hhMjU2Iiwia2V5X2xlbmd0aCI6MTZ9"
	"\"},\"encrypted_data\":\"dd1KSfpcb75g2D/DOwh9NCxFkp/58ROSDsaUgVIno"
	"W0EWIzrw3UR1O0MBM/bs82WFU3/yCDhquvgd9GuXZUZkJtjcJjWCxzNZwWK1/FVjNQ"
	"70Mrsy5YU3NEgIHXPG9RI1ZgWBjQdpuJxTcmQU3C5mxCr4jegXzR433YA+JF8SCQ8b"
	"BChBj38qlgQiMljOrNu4S7Owjln2COv5naXzS02Vt17lvdY23z5IAniIUZGnrwvmrD"
	"6m828+xpOPFI7Ep9og6SPMa6XZOmrYU0ALMpVfODiRg==\",\"encryption_versi"
	"on\":\"v0\"}";
static const char of_raw_keys[] =
	"{\"serial\":1,\"lineage\":\"c8133092-7ffd-5f01-38fa-7c1ef9f768e7\""
	",\"meta\":{},\"encrypted_data\":\"TyK8bRhx72Ilqsr7PADtqsGSITDFybnS"
	"gny2dnUsBvZ8Wd1GLbD7rckN7DryVkJHRYTgqsyKH2FesNwOAD9q56g5Fm4NI3QBSd"
	"DrK7pU8IYozxMEl8Au91nNRXB9Zr9TlY/vadBghBWkYm+2bEyORBsoQjqX5PRfDrcB"
	"MGyOkEAUfwr/MoYpDo/1PynlUGcDtV2sQuz8CORq5EFZaCkjMhzIGF9VIKki7+8NxS"
	"gHnUQUVFNS43vdT7EvAESHB0DmH/I/pd57Epoan1y8dnfmY23QFA==\",\"encrypt"
	"ion_version\":\"v0\"}";

#define PASSPHRASE \
	"key_provider \"pbkdf2\" \"k\" {\n" \
	"  passphrase = \"0123456789abcdef0123\"\n" \
	"  iterations = 200000\n hash_function = \"sha256\"\n" \
	"  salt_length = 8\n key_length = 16\n" \
	"  encrypted_metadata_alias = \"al\"\n}\n" \
	"method \"aes_gcm\" \"m\" {\n keys = key_provider.pbkdf2.k\n" \
	"  aad = [1, 2, 255]\n}\n"
#define BYTES "[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]"
#define RAW \
	"method \"aes_gcm\" \"raw\" {\n" \
	"  keys = { encryption_key = " BYTES ", decryption_key = " BYTES \
	" }\n}\n"
#define OTHER \
	"method \"aes_gcm\" \"other\" {\n" \
	"  keys = { encryption_key = [for n in " BYTES " : n + 1]\n" \
	"   decryption_key = [for n in " BYTES " : n + 1] }\n}\n"
#define PLAIN "method \"unencrypted\" \"u\" {}\n"

static struct arena arena = ARENA_INIT;
static struct diags ds = DIAGS_INIT(&arena);
static const struct workdir here = WORKDIR_INIT;
static const struct config_options options = { .workdir = &here };

static struct encryption *made(const char *settings)
{
	diags_clear(&ds);
	setenv("TF_ENCRYPTION", settings, 1);
	return encryption_new(&arena, NULL, &options, NULL, &ds);
}

static struct str said(void)
{
	for (size_t i = 0; i < ds.len; i++)
		if (ds.items[i].severity == SEV_ERROR)
			return ds.items[i].summary;
	return STR_NONE;
}

static struct str detail(void)
{
	return ds.len ? ds.items[ds.len - 1].detail : STR_NONE;
}

static bool opens(struct envelope *env, const char *text, bool stale)
{
	struct str plain;
	bool is_stale;

	return !envelope_open(env, &arena, ENVELOPE_STATE, str_c(text), &plain,
			      &is_stale, &ds) &&
	       str_find(plain, STR("terraform_version")) >= 0 &&
	       is_stale == stale;
}

static void test_peers(void)
{
	struct encryption *e =
		made(PASSPHRASE "state {\n method = method.aes_gcm.m\n}");

	CHECK(e && opens(encryption_state(e), of_passphrase, false));
	e = made(RAW "state {\n method = method.aes_gcm.raw\n}");
	CHECK(e && opens(encryption_state(e), of_raw_keys, false));
	CHECK(encryption_plan(e) == NULL);
	CHECK(envelope_is(str_c(of_raw_keys)));
	CHECK(!envelope_is(STR("{\"version\":4}")) && !envelope_is(STR("x")));
}

static void test_fallbacks(void)
{
	struct encryption *e = made(
		RAW OTHER "state {\n method = method.aes_gcm.other\n"
			  " fallback {\n method = method.aes_gcm.raw\n }\n}");

	CHECK(e && opens(encryption_state(e), of_raw_keys, true));
	e = made(OTHER "state {\n method = method.aes_gcm.other\n}");
	CHECK(e && !opens(encryption_state(e), of_raw_keys, false));
	CHECK(str_is(said(), "decryption failed for all provided methods"));
	diags_clear(&ds);
	CHECK(!opens(encryption_state(e), "{\"terraform_version\":\"1\"}",
		     false));
	CHECK(str_is(said(), "encountered unencrypted payload without "
			     "unencrypted method configured"));
	e = made(OTHER PLAIN "state {\n method = method.aes_gcm.other\n"
			     " fallback {\n method = method.unencrypted.u\n }\n}");
	CHECK(e && opens(encryption_state(e), "{\"terraform_version\":\"1\"}",
			 true));
	e = made(OTHER PLAIN "state {\n method = method.unencrypted.u\n"
			     " fallback {\n method = method.aes_gcm.other\n }\n}");
	CHECK(e && opens(encryption_state(e), "{\"terraform_version\":\"1\"}",
			 false));
	CHECK(!envelope_seals(encryption_state(e)));
}

static void test_round(void)
{
	static const char state[] = "{\"version\":4,\"serial\":7,"
				    "\"terraform_version\":\"1.12.6\","
				    "\"lineage\":\"l<1>\",\"secret\":1}";
	struct buf out = BUF_INIT, moved = BUF_INIT;
	struct encryption *e =
		made(PASSPHRASE "state {\n method = method.aes_gcm.m\n}");
	struct envelope *env = encryption_state(e);

	CHECK(env && !envelope_prepare(env, &ds));
	CHECK(!envelope_seal(env, ENVELOPE_STATE, str_c(state), &out, &ds));
	CHECK(str_find(buf_view(&out), STR("\"serial\": 7,")) > 0);
	CHECK(str_find(buf_view(&out), STR("\"al\": \"")) > 0);
	CHECK(str_find(buf_view(&out), STR("secret")) < 0);
	CHECK(opens(env, out.p, false));
	/* Other words around it. */
	buf_puts(&moved, "{\"serial\": 8,");
	buf_puts(&moved, strstr(out.p, "\"lineage\""));
	CHECK(!opens(env, moved.p, false));
	CHECK(str_is(said(), "invalid state metadata, serial field mismatch"));
	encryption_end(e);
	buf_release(&out);
	buf_release(&moved);
}

/* The state and the plan share a key: it is derived once. */
static void test_once(void)
{
	struct buf state = BUF_INIT, plan = BUF_INIT;
	struct encryption *e =
		made(PASSPHRASE "state {\n method = method.aes_gcm.m\n}\n"
				"plan {\n method = method.aes_gcm.m\n}");
	const char *x, *y;

	CHECK(!envelope_prepare(encryption_state(e), &ds));
	CHECK(!envelope_prepare(encryption_plan(e), &ds));
	CHECK(!envelope_seal(encryption_state(e), ENVELOPE_PLAIN, STR("s"),
			     &state, &ds));
	CHECK(!envelope_seal(encryption_plan(e), ENVELOPE_PLAIN, STR("p"),
			     &plan, &ds));
	x = strstr(state.p, "\"al\":");
	y = strstr(plan.p, "\"al\":");
	CHECK(x && y && !strncmp(x, y, 100));
	encryption_end(e);
	buf_release(&state);
	buf_release(&plan);
}

static void test_merged(void)
{
	struct encryption *e = made(
		"{\"key_provider\":{\"pbkdf2\":{\"k\":{\"passphrase\":"
		"\"0123456789abcdef0123\",\"encrypted_metadata_alias\":\"al\","
		"\"hash_function\":\"sha256\",\"iterations\":200000,"
		"\"salt_length\":8,\"key_length\":16}}},\"method\":{"
		"\"aes_gcm\":{\"m\":{\"keys\":\"key_provider.pbkdf2.k\","
		"\"aad\":[1,2,255]}}},\"state\":{\"method\":"
		"\"method.aes_gcm.m\"}}");

	CHECK(e && opens(encryption_state(e), of_passphrase, false));
	encryption_end(e);
	CHECK(!made("{\"state\":{\"method\":\"${method.aes_gcm.m}\"}}"));
}

struct wrong_row {
	const char *settings, *summary;
};

static void test_wrong(void)
{
	static const struct wrong_row rows[] = {
		{ "state {\n method = method.aes_gcm.x\n}",
		  "Reference to undeclared encryption method" },
		{ "state {\n method = x.y\n}",
		  "Invalid encryption method identifier" },
		{ PLAIN "state {\n enforced = true\n"
			" method = method.unencrypted.u\n}",
		  "Unencrypted method is forbidden" },
		{ RAW PLAIN "state {\n enforced = true\n"
			    " method = method.aes_gcm.raw\n"
			    " fallback {\n method = method.unencrypted.u\n }\n}",
		  "Unencrypted method is forbidden" },
		{ "method \"aes_gcm\" \"m\" {\n keys = key_provider.no.k\n}\n"
		  "state {\n method = method.aes_gcm.m\n}",
		  "Reference to undeclared key provider" },
		{ "key_provider \"no\" \"k\" {}\n"
		  "method \"aes_gcm\" \"m\" {\n keys = key_provider.no.k\n}\n"
		  "state {\n method = method.aes_gcm.m\n}",
		  "Unknown key_provider type" },
		{ "method \"no\" \"m\" {}\n"
		  "state {\n method = method.no.m\n}",
		  "Unknown encryption method type" },
		{ "key_provider \"pbkdf2\" \"k\" {\n passphrase = \"tooshort\"\n}\n"
		  "method \"aes_gcm\" \"m\" {\n keys = key_provider.pbkdf2.k\n}\n"
		  "state {\n method = method.aes_gcm.m\n}",
		  "Unable to build encryption key data" },
		{ "key_provider \"pbkdf2\" \"k\" {\n chain = key_provider.pbkdf2.k\n}\n"
		  "method \"aes_gcm\" \"m\" {\n keys = key_provider.pbkdf2.k\n}\n"
		  "state {\n method = method.aes_gcm.m\n}",
		  "Circular reference detected" },
		{ "method \"aes_gcm\" \"m\" {\n keys = { encryption_key = [1] }\n}\n"
		  "state {\n method = method.aes_gcm.m\n}",
		  "Invalid method configuration" },
		{ "method \"aes_gcm\" \"m\" {\n keys = { }\n}\n"
		  "state {\n method = method.aes_gcm.m\n}",
		  "Missing encryption_key value" },
		{ "method \"aes_gcm\" \"m\" {\n keys = 1\n}\n"
		  "state {\n method = method.aes_gcm.m\n}",
		  "Expected key_provider value" },
		{ "key_provider \"external\" \"k\" {\n command = [\"false\"]\n}\n"
		  "method \"aes_gcm\" \"m\" {\n keys = key_provider.external.k\n}\n"
		  "state {\n method = method.aes_gcm.m\n}",
		  "Unable to fetch encryption key data" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct encryption *e = made(rows[i].settings);
		bool failed = !e || envelope_prepare(encryption_state(e), &ds);

		CHECK(failed && str_is(said(), rows[i].summary));
		if (!str_is(said(), rows[i].summary))
			test_note("%zu: %.*s: %.*s", i, STR_ARG(said()),
				  STR_ARG(detail()));
		CHECK(str_find(detail(), STR("tooshort")) < 0);
		encryption_end(e);
	}
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_peers());
	RUN(test_fallbacks());
	RUN(test_round());
	RUN(test_once());
	RUN(test_merged());
	RUN(test_wrong());
	arena_release(&arena);
	return test_done("encrypt");
}
