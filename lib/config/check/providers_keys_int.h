/*
 * providers_keys_int.h - references to instances of provider configurations:
 * for_each of provider blocks
 */
#ifndef TFPIPE_CONFIG_PROVIDERS_KEYS_INT_H
#define TFPIPE_CONFIG_PROVIDERS_KEYS_INT_H

#include "config/check/providers_int.h"

/* providers_keys.c: a key where there are instances, and only there. */
void check_provider_key(struct check_view *v,
			const struct cfg_provider_ref *ref, const char *type);
/* Warns where a resource and its provider have the same for_each: an instance
 * goes when its objects still need it. */
void check_same_for_each(struct check_view *v, struct expression of,
			 const struct cfg_provider_ref *ref, const char *type,
			 struct str target);
/* Both, of all resources of that mode. */
void check_provider_keys(struct check_view *v, const struct map *resources);

#endif
