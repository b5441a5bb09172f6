/*
 * saved.c - the backend that `init` chose, as saved in the data directory
 *
 * DATA_DIR/terraform.tfstate has the old state format with a "backend" member:
 * {"version":3,…,"backend":{"type":"local","config":{"path":"x"},"hash":1}}
 */
#include "state/backend/saved.h"

#include "json/read.h"
#include "json/tree.h"
#include "state/backend/backend.h"

#include <errno.h>
#include "value/codec_json_read.h"

int backend_saved(struct arena *a, struct backend_options *o, struct diags *ds)
{
	struct str dir = o->data_dir.n ? o->data_dir : STR(".terraform");
	struct str path = str_printf(a, "%.*s/terraform.tfstate", STR_ARG(dir));
	struct json_error err;
	struct str text;
	const struct json *j, *backend, *config;

	if (io_read_regular(a, path.p, 1 << 20, &text))
		return errno == ENOENT || errno == ENOTDIR
			       ? 0
			       : diag_error(ds, NULL,
					    "Error loading backend state",
					    "Cannot read %.*s: %s.",
					    STR_ARG(path), strerror(errno));
	j = json_parse(a, text, &err);
	if (!j)
		return diag_error(ds, NULL, "Error loading backend state",
				  "%.*s is not valid JSON: %s.", STR_ARG(path),
				  err.message);
	backend = json_get(j, "backend");
	config = json_get(backend, "config");
	o->backend_type = json_get_str(backend, "type");
	if (config && config->kind == JSON_OBJECT)
		o->config = value_from_json_implied(a, config);
	return 0;
}
