/* azure_settings.c - settings that may be in files; see azure.h */
#include "base/base64.h"
#include "base/io.h"
#include "crypto/crypto.h"
#include "remote/azure.h"

enum { MOST_FILE = 1 << 20 };

const char *azure_text(struct arena *a, const char *name, struct str *text,
		       struct str file)
{
	struct str has = STR_NONE;

	if (file.n && io_read_regular(a, str_dup(a, file).p, MOST_FILE, &has))
		return arena_printf(a,
				    "%s names %.*s, which cannot be read: %s",
				    name, STR_ARG(file), io_why());
	if (text->n && has.n && !str_eq(*text, has))
		return arena_printf(a, "%s names a file that has another value",
				    name);
	if (!text->n)
		*text = has;
	return NULL;
}

void azure_certificate(struct arena *a, struct azure_settings *s,
		       struct str text, struct str file, struct str password)
{
	struct buf key = BUF_INIT, certificate = BUF_INIT;
	struct str bytes = STR_NONE;

	if (text.n && !base64_decode(a, text, &bytes)) {
		s->certificate_wrong = "client_certificate is not base64";
		return;
	}
	s->certificate_wrong =
		azure_text(a, "client_certificate_path", &bytes, file);
	if (s->certificate_wrong || !bytes.n)
		return;
	if (rsa_key_pkcs12(bytes, str_dup(a, password).p, &key, &certificate))
		s->certificate_wrong = arena_printf(
			a,
			"%s is no PKCS #12 with a certificate and a key that "
			"client_certificate_password opens",
			text.n ? "client_certificate"
			       : "client_certificate_path");
	s->key = buf_take(a, &key);
	s->certificate = buf_take(a, &certificate);
}
