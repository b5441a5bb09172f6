/* refresh_option.c - what -refresh says; apart, for tf's words */
#include "base/clock.h"
#include "base/opts.h"
#include "engine/stage/selectors.h"

static const char older_than[] = "older-than=";

/* In seconds; 0: it is no age. */
static int64_t read_age(struct str text)
{
	struct arena a = ARENA_INIT; /* for what is wrong */
	int64_t age = 0;

	if (!str_starts(text, older_than) ||
	    clock_duration(&a, str_sub(text, sizeof(older_than) - 1, text.n),
			   &age) ||
	    age < 0)
		age = 0;
	arena_release(&a);
	return age / 1000000000;
}

static int bad_refresh(struct str text, struct diags *ds)
{
	return diag_error(
		ds, NULL, "Failed to parse command-line flags",
		str_starts(text, "older-than")
			? "-refresh=older-than=AGE takes an age such as 1h or "
			  "1h30m, of a second or more, not \"%.*s\"."
			: "invalid boolean value \"%.*s\" for -refresh: parse error",
		STR_ARG(text));
}

int refresh_option(struct str text, bool *on, int64_t *age, struct diags *ds)
{
	int64_t given;

	*on = true;
	if (!text.p || !opts_bool(text, on))
		return 0;
	given = read_age(text);
	if (!given)
		return bad_refresh(text, ds);
	*age = given;
	return 0;
}
