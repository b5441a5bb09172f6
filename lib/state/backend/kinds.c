/* kinds.c - see backend.h */
#include "state/backend/backend.h"
#include "state/backend/backend_int.h"

static const struct backend_ops *const kinds[] = {
	&backend_local,      &backend_http,   &backend_inmem, &backend_s3,
	&backend_azurerm,    &backend_pg,     &backend_gcs,   &backend_consul,
	&backend_kubernetes, &backend_remote, &backend_cloud, &backend_cos,
	&backend_oss,
};
enum { NKINDS = sizeof(kinds) / sizeof(*kinds) };

const struct backend_ops *backend_kind(struct str type)
{
	if (!type.n)
		return &backend_local;
	for (size_t i = 0; i < NKINDS; i++)
		if (str_is(type, kinds[i]->type))
			return kinds[i];
	return NULL;
}

bool backend_one_workspace(struct str type)
{
	return backend_kind(type)->one_workspace;
}

bool backend_is_local(struct str type)
{
	return !backend_kind(type)->remote;
}

bool backend_shares_names(struct str type)
{
	return backend_kind(type)->shares_names;
}

bool backend_saved_first(struct str type)
{
	return backend_kind(type)->saved_first;
}
