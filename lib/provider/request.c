/* request.c - what all providers do with requests */
#include <stdarg.h>

#include "provider/request.h"
#include "provider/provider.h"

void request_diag(struct provider_request *r, enum severity severity,
		  struct path path, const char *summary, struct str detail)
{
	struct diag d = {
		.severity = severity,
		.summary = str_dup(r->arena, str_c(summary)),
		.detail = detail,
		.subject = RANGE_NONE,
		.context = RANGE_NONE,
	};

	if (!r->diags.arena)
		r->diags.arena = r->arena;
	/* Diagnostics that came from elsewhere have no path. */
	while (r->diag_paths.len < r->diags.len)
		vec_push(r->arena, &r->diag_paths, (struct path){ NULL, 0 });
	diags_push(&r->diags, d);
	vec_push(r->arena, &r->diag_paths, path);
}

void request_error(struct provider_request *r, struct path path,
		   const char *summary, const char *detail_fmt, ...)
{
	struct str detail = STR_NONE;
	va_list ap;

	if (detail_fmt) {
		va_start(ap, detail_fmt);
		detail = str_c(arena_vprintf(r->arena, detail_fmt, ap));
		va_end(ap);
	}
	request_diag(r, SEV_ERROR, path, summary, detail);
}
