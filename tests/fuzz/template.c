/*
 * template.c - templates: parsed, evaluated, and as a heredoc and a string
 */
#include "fuzz_scope.h"

static void evaluate(struct arena *a, struct str text, bool template)
{
	struct diags ds = DIAGS_INIT(a);
	struct scope sc = fuzz_scope();
	struct source *src = source_new(a, STR("t"), text);
	struct expression e = template ? parse_template(a, src, &ds)
				       : parse_expression(a, src, &ds);
	struct buf out = BUF_INIT;

	if (e.root) {
		const struct value *v = eval_expression(a, &sc, e, &ds);

		FUZZ_HOLDS(v != NULL);
		value_render(&out, v);
	}
	fuzz_diags(a, &ds, src);
	buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct str text = { (const char *)data, size };

	evaluate(&a, text, true);
	evaluate(&a, str_printf(&a, "\"%.*s\"", STR_ARG(text)), false);
	evaluate(&a, str_printf(&a, "<<-E\n%.*s\nE\n", STR_ARG(text)), false);
	arena_release(&a);
	return 0;
}
