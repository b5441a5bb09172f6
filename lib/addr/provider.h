/* provider.h - provider addresses: reading source strings, printing, order */
#ifndef TFPIPE_ADDR_PROVIDER_H
#define TFPIPE_ADDR_PROVIDER_H

#include "addr/addr.h"

/* The registry of sources that name none: TFPIPE_DEFAULT_REGISTRY, else
 * OpenTofu's. */
struct str provider_default_host(void);
/* A source string: "random", "hashicorp/random", "host/ns/type".  default_host
 * fills what is missing. */
int provider_addr_parse(struct arena *a, struct str source,
			struct str default_host, struct provider_addr *out,
			struct str *why);
/* As records have it: also what no source string may be, as the provider that
 * the type terraform-x_y implies. */
int provider_addr_recorded(struct arena *a, struct str source,
			   struct str default_host, struct provider_addr *out);
/* Parses a source string; ds gets the problem, with OpenTofu's summary. */
int provider_addr_read(struct arena *a, struct str source,
		       struct str default_host, const struct range *at,
		       struct provider_addr *out, struct diags *ds);
/* One namespace or type: letters, digits and dashes, lowered.  NULL, or why it
 * is not valid. */
const char *provider_part_check(struct arena *a, struct str part,
				struct str *out);
/* Without the host when that is default_host. */
struct str provider_addr_display(struct arena *a, struct provider_addr p,
				 struct str default_host);
int provider_addr_cmp(struct provider_addr a, struct provider_addr b);
bool provider_addr_equal(struct provider_addr a, struct provider_addr b);
/* Are they of one configuration, whatever their keys? */
bool provider_config_same(const struct provider_config_addr *a,
			  const struct provider_config_addr *b);
bool provider_config_equal(const struct provider_config_addr *a,
			   const struct provider_config_addr *b);
struct str provider_config_text(struct arena *a,
				const struct provider_config_addr *p);

struct str provider_addr_text(struct arena *a, struct provider_addr p);

/* provider.c: provider configuration addresses as states write them */

int provider_config_parse(struct arena *a, struct str text,
			  struct provider_config_addr *out, struct diags *ds);

#endif
