/* encryption.c - see encryption.h */
#include "state/backend/encryption.h"

#include <stdlib.h>

static const char summary[] = "State encryption is not supported";

bool encryption_in_environment(void)
{
	const char *s = getenv("TF_ENCRYPTION");

	return s && s[strspn(s, " \t\n\v\f\r")];
}

int encryption_refuse(const struct config *c, struct diags *ds)
{
	int rc = 0;

	if (c && c->root && c->root->encryption)
		rc = diag_error(ds, &c->root->encryption_at, summary,
				"This version would store states and plans as "
				"plain text, so it does nothing while the "
				"configuration has an encryption block.");
	if (encryption_in_environment()) /* its value holds keys */
		rc = diag_error(ds, NULL, summary,
				"This version would store states and plans as "
				"plain text, so it does nothing while the "
				"environment variable TF_ENCRYPTION is set.");
	return rc;
}
