/* azure_settings.c - settings that may be in files; see azure.h */
#include "base/base64.h"
#include "base/io.h"
#include "crypto/crypto.h"
#include "remote/azure.h"

enum { MOST_FILE = 1 << 20 };

static const char *read_file(struct arena *a, struct str file, struct str *out)
{
	if (!file.n || !io_read_regular(a, str_dup(a, file).p, MOST_FILE, out))
		return NULL;
	return arena_printf(a, "names %.*s, which cannot be read: %s",
			    STR_ARG(file), io_why());
}

const char *azure_text(struct arena *a, struct str *text, struct str file)
{
	struct str has = STR_NONE;
	const char *wrong = read_file(a, file, &has);

	if (!wrong && text->n && has.n && !str_eq(*text, has))
		return "names a file that has another value";
	if (!text->n)
		*text = has;
	return wrong;
}

const char *azure_certificate(struct arena *a, struct azure_settings *s,
			      struct str text, struct str file,
			      struct str password, bool *of_file)
{
	struct buf key = BUF_INIT, certificate = BUF_INIT;
	struct str bytes = STR_NONE;
	const char *wrong;
	int rc;

	*of_file = false;
	if (text.n && !base64_decode(a, text, &bytes))
		return "is not base64";
	*of_file = true;
	wrong = azure_text(a, &bytes, file);
	if (wrong || !bytes.n)
		return wrong;
	*of_file = !text.n;
	rc = rsa_key_pkcs12(bytes, str_dup(a, password).p, &key, &certificate);
	s->key = buf_take(a, &key);
	s->certificate = buf_take(a, &certificate);
	return rc ? "is no PKCS #12 with a certificate and a key that "
		    "client_certificate_password opens"
		  : NULL;
}
