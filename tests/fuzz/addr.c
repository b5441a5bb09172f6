/*
 * addr.c - addresses of all kinds: what is printed reads back as the same
 */
#include "addr/addr.h"
#include "addr/provider.h"
#include "addr/target.h"
#include "addr/walk.h"
#include "fuzz.h"

static void instances(struct arena *a, struct str text, struct diags *ds)
{
	struct instance_addr one, two;

	if (instance_addr_parse(a, text, &one, ds))
		return;
	FUZZ_HOLDS(instance_addr_parse(a, instance_addr_text(a, &one), &two,
				       ds) == 0);
	FUZZ_HOLDS(instance_addr_equal(&one, &two));
	FUZZ_HOLDS(instance_addr_cmp(&one, &two) == 0);
}

static void modules(struct arena *a, struct str text, struct diags *ds)
{
	struct buf b = BUF_INIT;
	struct module_addr one, two;

	if (module_addr_parse(a, text, &one, ds))
		return;
	module_addr_print(&b, one);
	FUZZ_HOLDS(module_addr_parse(a, buf_view(&b), &two, ds) == 0);
	FUZZ_HOLDS(module_addr_equal(one, two));
	buf_release(&b);
}

static void targets(struct arena *a, struct str text, struct diags *ds)
{
	struct buf b = BUF_INIT;
	struct target one, two;

	if (target_parse(a, text, "target", &one, ds))
		return;
	target_print(&b, &one);
	FUZZ_HOLDS(target_parse(a, buf_view(&b), "target", &two, ds) == 0);
	FUZZ_HOLDS(one.kind == two.kind);
	FUZZ_HOLDS(target_contains(&one, &two.addr) ==
		   target_contains(&two, &one.addr));
	buf_release(&b);
}

static void providers(struct arena *a, struct str text, struct diags *ds)
{
	struct provider_config_addr one, two;
	struct provider_addr p, q;
	struct str why;

	if (provider_addr_parse(a, text, STR("registry.opentofu.org"), &p,
				&why) == 0) {
		/* the namespace "-" is on the host of the default alone */
		FUZZ_HOLDS(provider_addr_parse(a, provider_addr_text(a, p),
					       str_is(p.namespace, "-")
						       ? p.host
						       : STR("x.example"), &q,
					       &why) == 0);
		FUZZ_HOLDS(provider_addr_equal(p, q));
	}
	if (provider_config_parse(a, text, &one, ds))
		return;
	FUZZ_HOLDS(provider_config_parse(a, provider_config_text(a, &one),
					 &two, ds) == 0);
	FUZZ_HOLDS(provider_addr_equal(one.provider, two.provider) &&
		   str_eq(one.alias, two.alias) &&
		   inst_key_equal(one.key, two.key));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct str text = { (const char *)data, size };

	instances(&a, text, &ds);
	modules(&a, text, &ds);
	targets(&a, text, &ds);
	providers(&a, text, &ds);
	fuzz_diags(&a, &ds, NULL);
	arena_release(&a);
	return 0;
}
