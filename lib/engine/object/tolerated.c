/* tolerated.c - see resource_object.h */
#include "engine/object/resource_object.h"
#include "provider/plugin/plugin_log.h"

const char tolerated_legacy[] =
	", tolerated because it uses the legacy plugin SDK";

bool tolerated_logged(void)
{
	struct plugin_log log;
	bool on;

	plugin_log_open_core(&log);
	on = log.level <= LOG_WARN;
	plugin_log_close(&log);
	return on;
}

void tolerated_log(struct arena *a, struct str provider, const char *what,
		   struct str address, const char *why,
		   const struct verror_vec *wrong)
{
	struct plugin_log log;
	struct buf b = BUF_INIT;

	if (!wrong->len)
		return;
	buf_addf(&b, "Provider %.*s produced %s %.*s%s:", STR_ARG(provider),
		 what, STR_ARG(address), why);
	for (size_t i = 0; i < wrong->len; i++) {
		struct str text = verror_text(a, &wrong->items[i]);

		buf_addf(&b, "%s %.*s", i ? ";" : "", STR_ARG(text));
	}
	plugin_log_open_core(&log);
	plugin_log_write(&log, LOG_WARN, STR("core"), buf_view(&b));
	plugin_log_close(&log);
	buf_release(&b);
}
