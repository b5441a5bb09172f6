/* ssh_test.c - requests of tf-ssh, keys as people write them, quoting */
#include "ssh/ssh_int.h"
#include "test.h"

static struct arena arena = ARENA_INIT;

/* Reads a request; what is wrong, or "". */
static const char *wrong(const char *text, struct ssh_request *r)
{
	struct ssh_failure f = { STR_NONE, STR_NONE };

	if (!ssh_request_read(&arena, str_c(text), r, &f))
		return "";
	return str_dup(&arena, f.what).p;
}

#define FILE_TO(connection) \
	"{\"provisioner\":\"file\",\"connection\":" connection \
	",\"config\":{\"content\":\"x\",\"destination\":\"/d\"}}"

static void test_defaults(void)
{
	struct ssh_request r;

	unsetenv("SSH_AUTH_SOCK");
	CHECK_STR(str_c(wrong(FILE_TO("{\"host\":\"h\"}"), &r)), "");
	CHECK(!r.agent && !r.windows && !r.runs);
	CHECK(r.timeout == 300000);
	CHECK_STR(r.script_path, "/tmp/terraform_%RAND%.sh");
	CHECK_STR(r.content, "x");
	setenv("SSH_AUTH_SOCK", "/x", 1);
	wrong(FILE_TO("{\"host\":\"[::1]\",\"timeout\":\"1m30s\"}"), &r);
	CHECK(r.agent && r.timeout == 90000);
	CHECK_STR(r.target.host, "::1");
	wrong(FILE_TO("{\"host\":\"h\",\"agent\":false,\"timeout\":\"soon\","
		      "\"target_platform\":\"windows\"}"), &r);
	CHECK(!r.agent && r.windows && r.timeout == 300000);
	CHECK_STR(r.script_path, "C:/windows/temp/terraform_%RAND%.cmd");
	unsetenv("SSH_AUTH_SOCK");
}

static void test_bastion_has_what_the_target_has(void)
{
	struct ssh_request r;

	wrong(FILE_TO("{\"host\":\"h\",\"user\":\"u\",\"port\":2,"
		      "\"password\":\"p\",\"private_key\":\"k\",\"certificate\":\"c\","
		      "\"host_key\":\"hk\",\"bastion_host\":\"b\"}"), &r);
	CHECK_STR(r.bastion.user, "u");
	CHECK_STR(r.bastion.password, "p");
	CHECK_STR(r.bastion.private_key, "k");
	CHECK_STR(r.bastion.certificate, "c");
	CHECK_STR(r.bastion.host_key, "");
	CHECK(r.bastion.port == 2);
	wrong(FILE_TO("{\"host\":\"h\",\"user\":\"u\",\"port\":2,"
		      "\"bastion_host\":\"b\",\"bastion_user\":\"v\",\"bastion_port\":3}"),
	      &r);
	CHECK_STR(r.bastion.user, "v");
	CHECK(r.bastion.port == 3);
}

static void test_refusals(void)
{
	static const char *const rows[][2] = {
		{ FILE_TO("{\"host\":\"\"}"),
		  "host for provisioner cannot be empty" },
		{ FILE_TO("null"),
		  "Missing connection configuration for provisioner" },
		{ FILE_TO("{\"host\":\"h\",\"type\":\"winrm\"}"),
		  "connections of type winrm are not supported; Windows has a "
		  "server of ssh" },
		{ FILE_TO("{\"host\":\"h\",\"type\":\"telnet\"}"),
		  "there is no such type of connections" },
		{ FILE_TO("{\"host\":\"h\",\"port\":65536}"),
		  "port is no whole number up to 65535" },
		{ FILE_TO("{\"host\":\"h\",\"bastion_port\":1.5}"),
		  "bastion_port is no whole number up to 65535" },
		{ FILE_TO("{\"host\":\"h x\"}"),
		  "host is no name or address of a host" },
		{ FILE_TO("{\"host\":\"-h\"}"),
		  "host is no name or address of a host" },
		{ FILE_TO("{\"host\":\"h\",\"bastion_host\":\"$(x)\"}"),
		  "bastion_host is no name or address of a host" },
		{ FILE_TO("{\"host\":\"h\",\"user\":\"a\\nProxyCommand x\"}"),
		  "user holds a control character" },
		{ FILE_TO("{\"host\":\"h\",\"target_platform\":\"plan9\"}"),
		  "target_platform for provisioner has to be either unix or "
		  "windows" },
		{ FILE_TO("{\"host\":\"h\",\"proxy_host\":\"p\","
			  "\"proxy_scheme\":\"gopher\"}"),
		  "proxy_scheme is not http, https or socks5" },
		{ "nonsense", "the request is no JSON" },
		{ "{\"provisioner\":\"x\",\"connection\":{\"host\":\"h\"}}",
		  "the request names no provisioner that there is" },
		{ "{\"provisioner\":\"remote-exec\",\"connection\":{\"host\":"
		  "\"h\"},\"config\":{\"inline\":[\"a\",\"\"]}}",
		  "inline holds an empty text or null" },
		{ "{\"provisioner\":\"file\",\"connection\":{\"host\":\"h\"},"
		  "\"config\":{\"source\":\"~x/y\",\"destination\":\"d\"}}",
		  "the home directory of another user is not looked up" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct ssh_request r;

		CHECK_STR(str_c(wrong(rows[i][0], &r)), rows[i][1]);
	}
}

static void test_scripts(void)
{
	struct ssh_request r;

	wrong("{\"provisioner\":\"remote-exec\",\"connection\":{\"host\":\"h\"},"
	      "\"config\":{\"inline\":[\"a\",\"b\"],\"script\":null}}", &r);
	CHECK(r.runs && r.scripts.len == 1);
	CHECK_STR(r.scripts.items[0].text, "a\nb\n");
	wrong("{\"provisioner\":\"remote-exec\",\"connection\":{\"host\":\"h\"},"
	      "\"config\":{\"scripts\":[\"x\",\"y\"]}}", &r);
	CHECK(r.scripts.len == 2);
	CHECK_STR(r.scripts.items[1].path, "y");
}

/* The bytes are "\0\0\0\1x" and more. */
static void test_public_keys(void)
{
	struct str type, key;

	CHECK(!ssh_key_public(&arena, STR("x AAAAAXh6 a comment\r"), &type, &key));
	CHECK_STR(type, "x");
	CHECK_STR(key, "AAAAAXh6");
	CHECK(ssh_key_public(&arena, STR("y AAAAAXh6"), &type, &key));
	CHECK(ssh_key_public(&arena, STR("x"), &type, &key));
	CHECK(ssh_key_public(&arena, STR("x AAAA"), &type, &key));
	CHECK(ssh_key_public(&arena, STR("x /////3h6"), &type, &key));
	CHECK(ssh_key_public(&arena, STR(""), &type, &key));
	/* x, nonce n, zz; x, zz; x, zy */
	CHECK(ssh_key_certifies(&arena, STR("AAAAAXgAAAABbnp6"),
				STR("AAAAAXh6eg==")));
	CHECK(!ssh_key_certifies(&arena, STR("AAAAAXgAAAABbnp6"),
				 STR("AAAAAXh6eQ==")));
	CHECK(!ssh_key_certifies(&arena, STR("AAAAAXg="), STR("AAAAAXg=")));
}

static void test_private_keys(void)
{
	CHECK_STR(ssh_key_private(&arena,
				  STR("said: x\n-----BEGIN A-----\r\nq\r\n"
				      "-----END A-----")),
		  "-----BEGIN A-----\nq\n-----END A-----\n");
	CHECK_STR(ssh_key_private(&arena, STR("-----BEGIN A-----\nq\n"
					      "-----END A-----\nmore")),
		  "-----BEGIN A-----\nq\n-----END A-----\n");
	CHECK_STR(ssh_key_private(&arena, STR("-----BEGIN A-----\nq\n")), "");
	CHECK_STR(ssh_key_private(&arena, STR("q")), "");
}

static void test_words(void)
{
	struct ssh_request r = { 0 };
	const char *unix_words[] = { "scp", "-t", "/a b/it's" };
	const char *words[] = { "scp", "-t", "C:\\a b\\", "q\"\\\"" };

	CHECK_STR(ssh_words(&arena, &r, unix_words, 3),
		  "scp '-t' '/a b/it'\\''s'");
	r.windows = true;
	CHECK_STR(ssh_words(&arena, &r, words, 4),
		  "scp \"-t\" \"C:\\a b\\\\\" \"q\\\"\\\\\\\"\"");
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_defaults());
	RUN(test_bastion_has_what_the_target_has());
	RUN(test_refusals());
	RUN(test_scripts());
	RUN(test_public_keys());
	RUN(test_private_keys());
	RUN(test_words());
	arena_release(&arena);
	return test_done("ssh");
}
