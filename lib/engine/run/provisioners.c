/* provisioners.c - see worker.h */
#include "engine/run/worker.h"
#include "lang/syntax/body.h"

enum attr_type { STRING, NUMBER, BOOL, STRINGS, STRING_MAP };

struct attr_row {
	const char *name;
	enum attr_type type;
	bool required;
};

static const struct attr_row local_exec[] = {
	{ "command", STRING, true },       { "environment", STRING_MAP, false },
	{ "interpreter", STRINGS, false }, { "quiet", BOOL, false },
	{ "working_dir", STRING, false },  { NULL, 0, false },
};

static const struct attr_row file[] = {
	{ "content", STRING, false },
	{ "destination", STRING, true },
	{ "source", STRING, false },
	{ NULL, 0, false },
};

static const struct attr_row remote_exec[] = {
	{ "inline", STRINGS, false },
	{ "script", STRING, false },
	{ "scripts", STRINGS, false },
	{ NULL, 0, false },
};

/* Of ssh and of winrm. */
static const struct attr_row connection[] = {
	{ "agent", BOOL, false },
	{ "agent_identity", STRING, false },
	{ "bastion_certificate", STRING, false },
	{ "bastion_host", STRING, false },
	{ "bastion_host_key", STRING, false },
	{ "bastion_password", STRING, false },
	{ "bastion_port", NUMBER, false },
	{ "bastion_private_key", STRING, false },
	{ "bastion_user", STRING, false },
	{ "cacert", STRING, false },
	{ "certificate", STRING, false },
	{ "host", STRING, true },
	{ "host_key", STRING, false },
	{ "https", BOOL, false },
	{ "insecure", BOOL, false },
	{ "password", STRING, false },
	{ "port", NUMBER, false },
	{ "private_key", STRING, false },
	{ "proxy_host", STRING, false },
	{ "proxy_port", NUMBER, false },
	{ "proxy_scheme", STRING, false },
	{ "proxy_user_name", STRING, false },
	{ "proxy_user_password", STRING, false },
	{ "script_path", STRING, false },
	{ "target_platform", STRING, false },
	{ "timeout", STRING, false },
	{ "type", STRING, false },
	{ "use_ntlm", BOOL, false },
	{ "user", STRING, false },
	{ NULL, 0, false },
};

static const struct type *type_of(enum attr_type t)
{
	switch (t) {
	case STRING:
		return &type_string;
	case NUMBER:
		return &type_number;
	case BOOL:
		return &type_bool;
	case STRINGS:
		return type_list(&type_string);
	case STRING_MAP:
		return type_map(&type_string);
	}
	return &type_dynamic;
}

static const struct schema_block *schema_of(struct arena *a,
					    const struct attr_row *rows)
{
	struct schema_block *b = ARENA_NEW(a, struct schema_block);
	struct schema_attr *attrs;
	size_t n = 0;

	while (rows[n].name)
		n++;
	attrs = ARENA_ARRAY(a, struct schema_attr, n);
	for (size_t i = 0; i < n; i++) {
		attrs[i].name = str_c(rows[i].name);
		attrs[i].type = type_of(rows[i].type);
		attrs[i].required = rows[i].required;
		attrs[i].optional = !rows[i].required;
	}
	b->attrs = attrs;
	b->nattrs = n;
	schema_block_finish(a, b);
	return b;
}

static const struct attr_row *rows_of(struct str type)
{
	return str_is(type, "local-exec")    ? local_exec
	       : str_is(type, "file")        ? file
	       : str_is(type, "remote-exec") ? remote_exec
					     : NULL;
}

bool provisioner_exists(struct str type)
{
	return rows_of(type) != NULL;
}

const struct schema_block *provisioner_schema(struct arena *a, struct str type)
{
	const struct attr_row *rows = rows_of(type);

	return rows ? schema_of(a, rows) : NULL;
}

const struct schema_block *provisioner_connection_schema(struct arena *a)
{
	return schema_of(a, connection);
}

struct body *provisioner_connection(struct arena *a, struct body *resources,
				    struct body *own)
{
	if (!own || !resources)
		return own ? own : resources;
	return body_merge(a, BODY_OVERRIDE, resources, own);
}

static bool is_given(const struct value *config, const char *name)
{
	const struct value *v = value_get(config, str_c(name));

	return v && !value_is_null(v);
}

static bool is_empty(const struct value *config, const char *name)
{
	const struct value *v = value_get(config, str_c(name));

	return value_is_null(v) || (value_is_known(v) && !v->string.n);
}

static void check_file(const struct value *v, struct diags *ds)
{
	if (is_empty(v, "destination"))
		diag_error(ds, NULL, "Invalid file provisioner configuration",
			   "The destination must not be empty.");
	/* The message alone, as the summary. */
	if (is_given(v, "source") && is_given(v, "content"))
		diag_error(ds, NULL, "Cannot set both 'source' and 'content'",
			   "%s", "");
	else if (!is_given(v, "source") && !is_given(v, "content"))
		diag_error(ds, NULL,
			   "Must provide one of 'source' or 'content'", "%s",
			   "");
}

void provisioner_check(struct str type, const struct value *config,
		       struct diags *ds)
{
	if (str_is(type, "local-exec")) {
		if (is_empty(config, "command"))
			diag_error(ds, NULL,
				   "Invalid local-exec provisioner command",
				   "The command must not be empty.");
	} else if (str_is(type, "file")) {
		check_file(config, ds);
	} else if (is_given(config, "inline") + is_given(config, "script") +
			   is_given(config, "scripts") !=
		   1) {
		diag_error(
			ds, NULL,
			"Invalid remote-exec provisioner configuration",
			"One of inline, script and scripts must be set, and only one.");
	}
}
