/*
 * product.c - the name that is spoken
 */
#include <stdlib.h>
#include <string.h>

#include "base/product.h"

struct names {
	const char *command, *product;
};

enum { OURS, OPENTOFU, TERRAFORM };

static const struct names known[] = {
	[OURS] = { "tf", PRODUCT },
	[OPENTOFU] = { "tofu", "OpenTofu" },
	[TERRAFORM] = { "terraform", "Terraform" },
};

/* NULL: what the environment names is nobody. */
static const struct names *named(void)
{
	const char *who = getenv(SPEAK_AS);

	if (!who || !*who)
		return &known[OURS];
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i].command, who) == 0)
			return &known[i];
	return NULL;
}

static const struct names *spoken(void)
{
	static const struct names *names;

	if (!names && !(names = named()))
		names = &known[OURS];
	return names;
}

const char *product_name(void)
{
	return spoken()->product;
}

const char *product_command(void)
{
	return spoken()->command;
}

const char *product_peer(void)
{
	return product_is_own() ? known[OPENTOFU].product : product_name();
}

bool product_known(void)
{
	return named() != NULL;
}

bool product_is_terraform(void)
{
	return spoken() == &known[TERRAFORM];
}

bool product_is_own(void)
{
	return spoken() == &known[OURS];
}
