/* gpgv.c - OpenPGP signatures, by gpgv(1); see verify.c */
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "install/providers/providers_int.h"
#include "base/base64.h"
#include "base/child.h"
#include "base/io.h"

enum { LONGEST_STATUS = 1 << 20, KEY_ID = 16 };

enum verdict { GOOD, EXPIRED, REVOKED, BAD, UNKNOWN };

/* The bytes of an armored block: base64 between the empty line behind the
 * headers and the checksum. */
static bool dearmor(struct arena *a, struct str text, struct str *out)
{
	ptrdiff_t at = str_find(text, STR("-----BEGIN PGP PUBLIC KEY BLOCK"));
	struct buf body = BUF_INIT;
	bool in_body = false, ended = false, good;

	if (at < 0)
		return false;
	text = str_sub(text, (size_t)at, text.n);
	while (text.n && !ended) {
		ptrdiff_t nl = str_chr(text, '\n');
		size_t n = nl < 0 ? text.n : (size_t)nl;
		struct str line = str_trim(str_sub(text, 0, n));

		if (in_body && line.n && (line.p[0] == '=' || line.p[0] == '-'))
			ended = true;
		else if (in_body)
			buf_str(&body, line);
		else if (!line.n)
			in_body = true;
		text = str_sub(text, nl < 0 ? n : n + 1, text.n);
	}
	good = ended && body.len && base64_decode(a, buf_dup(a, &body), out);
	buf_release(&body);
	return good;
}

static int put(struct str dir, const char *name, struct str bytes,
	       struct arena *a, const char **path)
{
	int fd, rc;

	*path = arena_printf(a, "%.*s/%s", STR_ARG(dir), name);
	fd = open(*path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	rc = io_write_all(fd, bytes.p, bytes.n);
	return close(fd) || rc ? -1 : 0;
}

/* Runs gpgv; *status gets its machine-readable output.  -1: it cannot be
 * run. */
static int run_gpgv(struct str dir, const char *keyring, const char *signature,
		    const char *document, struct buf *status)
{
	const char *home = dir.p;
	const char *const argv[] = { "gpgv",        "--homedir", home,
				     "--status-fd", "1",         "--keyring",
				     keyring,       "--",        signature,
				     document,      NULL };
	const struct child_options o = { .argv = argv,
					 .in = CHILD_NULL,
					 .out = CHILD_PIPE,
					 .err = CHILD_NULL };
	struct child c;

	if (child_start(&o, &c))
		return -1;
	buf_putc(status, '\n'); /* before each line is one */
	io_read_fd(c.out, status, LONGEST_STATUS);
	close(c.out);
	while (waitpid(c.pid, NULL, 0) < 0 && errno == EINTR)
		;
	return 0;
}

/* Does a line begin with that?  The name of a key, which its owner chose, may
 * say the same within a line. */
static bool says(struct str status, const char *what)
{
	struct arena a = ARENA_INIT;
	bool yes =
		str_find(status, str_printf(&a, "\n[GNUPG:] %s ", what)) >= 0;

	arena_release(&a);
	return yes;
}

/* The last word of VALIDSIG is the primary key's fingerprint. */
static struct str key_id_of(struct arena *a, struct str status)
{
	ptrdiff_t at = str_find(status, STR("\n[GNUPG:] VALIDSIG "));
	struct str line;
	size_t n = 1;

	if (at < 0)
		return STR("n/a");
	line = str_sub(status, (size_t)at, status.n);
	while (n < line.n && line.p[n] != '\n')
		n++;
	line = str_trim(str_sub(line, 0, n));
	return line.n < KEY_ID
		       ? STR("n/a")
		       : str_dup(a, str_sub(line, line.n - KEY_ID, line.n));
}

static enum verdict judge(struct str status)
{
	if (says(status, "REVKEYSIG"))
		return REVOKED;
	if (says(status, "BADSIG"))
		return BAD;
	if (says(status, "EXPKEYSIG") || says(status, "EXPSIG"))
		return EXPIRED;
	if (says(status, "GOODSIG") && says(status, "VALIDSIG"))
		return GOOD;
	return says(status, "NO_PUBKEY") ? UNKNOWN : BAD;
}

static int cannot(struct arena *a, struct str *why, const char *what)
{
	*why = str_printf(a, "%s: %s", what, strerror(errno));
	return -1;
}

static int try_key(struct arena *a, struct str dir, struct str key,
		   const char *signature, const char *document,
		   enum verdict *verdict, struct str *key_id, struct str *why)
{
	struct buf status = BUF_INIT;
	struct str bytes;
	const char *ring;

	if (!dearmor(a, key, &bytes)) {
		*why = STR(
			"error decoding signing key: it is no armored OpenPGP key");
		return -1;
	}
	if (put(dir, "keyring", bytes, a, &ring))
		return cannot(a, why, "the key cannot be written");
	if (run_gpgv(dir, ring, signature, document, &status))
		return cannot(a, why,
			      "gpgv, which verifies signatures, cannot be run");
	*verdict = judge(buf_view(&status));
	*key_id = key_id_of(a, buf_view(&status));
	buf_release(&status);
	return 0;
}

int gpgv_verify(struct arena *a, struct str document, struct str signature,
		const struct str_vec *keys, struct str scratch,
		struct str *key_id, bool *expired, struct str *why)
{
	const char *files[2];

	*expired = false;
	/* Packets begin with a byte above 127; a text is armored. */
	if (!signature.n || !(signature.p[0] & 0x80)) {
		*why = STR(
			"error checking signature: it is no OpenPGP signature");
		return -1;
	}
	if (io_make_dirs(scratch.p, 0700) ||
	    put(scratch, "document", document, a, &files[0]) ||
	    put(scratch, "signature", signature, a, &files[1]))
		return cannot(a, why, "the signature cannot be written");
	for (size_t i = 0; i < keys->len; i++) {
		enum verdict v = UNKNOWN;
		struct str id;

		if (try_key(a, scratch, keys->items[i], files[1], files[0], &v,
			    &id, why))
			return -1;
		if (v == GOOD) {
			*expired = false;
			*key_id = id;
			return 0;
		}
		if (v == REVOKED || v == BAD) {
			*why = v == BAD
				       ? STR("error checking signature: it does not fit the checksums")
				       : STR("error checking signature: its key is revoked");
			return -1;
		}
		if (v == EXPIRED && !*expired) {
			*expired = true;
			*key_id = id;
		}
	}
	return *expired ? 0 : 1;
}
