/* encrypt_asked.c - whether anything asks for encryption, see encrypt.h */
#include <stdlib.h>

#include "encrypt/encrypt_int.h"
#include "config/load/load.h"

struct str encrypt_environment(void)
{
	return str_trim(str_env(ENCRYPT_VARIABLE));
}

bool encryption_asked(const struct config *c)
{
	return encrypt_environment().n || (c && c->root && c->root->encryption);
}

bool encryption_mentioned(void)
{
	static const char *const words[] = { "encryption", NULL };

	return encrypt_environment().n || files_mention(".", words);
}
