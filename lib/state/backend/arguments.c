/* arguments.c - see backend_int.h */
#include <stdarg.h>
#include <stdlib.h>

#include "state/backend/backend_int.h"
#include "schema/schema.h"
#include "state/backend/backend.h"
#include "value/number.h"

const struct value *argument_member(const struct value *object,
				    const char *name)
{
	const struct value *v = object && value_usable(object)
					? value_get(object, str_c(name))
					: NULL;

	return v && value_usable(v) ? v : NULL;
}

const struct value *argument_value(const struct backend *b, const char *name)
{
	return argument_member(b->opts.config, name);
}

struct str argument_string(const struct value *v)
{
	return v && value_usable(v) && v->type->kind == TYPE_STRING ? v->string
								    : STR_NONE;
}

struct str argument_text(const struct backend *b, const char *name)
{
	const struct str text = argument_string(argument_value(b, name));

	return text.p ? text
		      : backend_default(b->arena, str_c(b->ops->type),
					str_c(name));
}

int argument_error(const struct backend *b, struct diags *ds, const char *name,
		   const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = arena_vprintf(b->arena, format, args);
	va_end(args);
	return diag_error(ds, NULL, "Invalid backend configuration",
			  "The argument \"%s\" of the backend \"%s\" %s.", name,
			  b->ops->type, text);
}

int argument_flag(const struct backend *b, const char *name, bool *out,
		  struct diags *ds)
{
	/* strconv.ParseBool's */
	static const char *const words[] = {
		"1", "t", "T", "TRUE",  "true",  "True",
		"0", "f", "F", "FALSE", "false", "False"
	};
	enum { NWORDS = sizeof(words) / sizeof(*words) };
	const struct value *v = argument_value(b, name);
	struct str text;

	*out = v && v->boolean;
	if (v)
		return 0;
	text = backend_default(b->arena, str_c(b->ops->type), str_c(name));
	for (size_t i = 0; text.n && i < NWORDS; i++)
		if (str_is(text, words[i])) {
			*out = i < NWORDS / 2;
			return 0;
		}
	return text.n ? argument_error(
				b, ds, name,
				"is neither true nor false in the environment")
		      : 0;
}

int argument_number(const struct backend *b, const char *name, int64_t *out,
		    struct diags *ds)
{
	const struct value *v = argument_value(b, name);
	struct str text;
	char *end;

	*out = 0;
	if (v)
		return value_get_int(v, out)
			       ? 0
			       : argument_error(b, ds, name,
						"is no whole number");
	text = backend_default(b->arena, str_c(b->ops->type), str_c(name));
	if (!text.n)
		return 0;
	*out = strtoll(arena_strndup(b->arena, text.p, text.n), &end, 10);
	return *end ? argument_error(b, ds, name,
				     "is no whole number in the environment")
		    : 0;
}

int arguments_required(const struct backend *b, struct diags *ds)
{
	const struct schema_block *schema =
		backend_schema(b->arena, str_c(b->ops->type));
	const size_t errors = ds->errors;

	for (size_t i = 0; i < schema->nattrs; i++) {
		const struct str at = schema->attrs[i].name;
		const char *name = arena_strndup(b->arena, at.p, at.n);

		if (schema->attrs[i].required && !argument_value(b, name) &&
		    !argument_text(b, name).n)
			argument_error(b, ds, name, "is required");
	}
	return ds->errors > errors ? -1 : 0;
}
