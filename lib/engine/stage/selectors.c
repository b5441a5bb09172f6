/* selectors.c - see selectors.h */
#include <errno.h>
#include <sys/stat.h>

#include "addr/target.h"
#include "engine/stage/selectors.h"
#include "addr/walk.h"
#include "json/tree.h"
#include "json/write.h"
#include "stream/stream.h"
#include "stream/record.h"

void selector_opts(struct selector_options *o, struct opt table[])
{
	const struct opt all[SELECTOR_OPTS] = {
		{ "destroy", OPT_FLAG, &o->destroy, NULL,
		  "plan to destroy everything" },
		{ "exclude", OPT_LIST, &o->exclude, "ADDRESS",
		  "leave this and what depends on it out" },
		{ "exclude-file", OPT_LIST, &o->exclude_files, "FILE",
		  "the same, addresses from a file" },
		{ "minimal-refresh", OPT_FLAG, &o->minimal_refresh, NULL,
		  "look at those objects alone that are to change" },
		{ "refresh", OPT_WORD, &o->refresh, NULL,
		  "look at the real objects first: true, false or older-than=AGE" },
		{ "refresh-only", OPT_FLAG, &o->refresh_only, NULL,
		  "look at the real objects, plan nothing" },
		{ "replace", OPT_LIST, &o->replace, "ADDRESS",
		  "replace this instance" },
		{ "replace-file", OPT_LIST, &o->replace_files, "FILE",
		  "the same, addresses from a file" },
		{ "target", OPT_LIST, &o->target, "ADDRESS",
		  "plan only this and what it depends on" },
		{ "target-file", OPT_LIST, &o->target_files, "FILE",
		  "the same, addresses from a file" },
		{ NULL, 0, NULL, NULL, NULL },
	};

	memcpy(table, all, sizeof(all));
}

static bool is_comment(struct str line)
{
	return !line.n || line.p[0] == '#' || str_starts(line, "//");
}

static bool is_regular(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* A list that comes through a pipe is empty when the program that should write
 * it has failed.  To go on as if the option had not been given would do to
 * everything what was meant for a few, or leave undone what was asked for. */
static int refuse_empty_list(struct str path, bool regular, const char *option,
			     struct diags *ds)
{
	if (regular)
		return diag_error(
			ds, NULL, "No address in the file",
			"-%s-file=%.*s names a file without an address. Leave the option out to plan %s.",
			option, STR_ARG(path),
			strcmp(option, "replace") == 0 ? "without it"
						       : "everything");
	return diag_error(ds, NULL, "No address in the file",
			  "The list for -%s-file is empty. Either there is "
			  "nothing to do, or the program that should write the "
			  "list has failed.",
			  option);
}

/* One address a line; empty lines and comments do not count. */
static int read_list(struct arena *a, struct str path, const char *option,
		     struct str_vec *out, struct diags *ds)
{
	const char *name = arena_strndup(a, path.p, path.n);
	const bool regular = is_regular(name);
	const size_t before = out->len;
	struct buf b = BUF_INIT;
	struct str text;

	if (io_read_file(name, &b, 0)) {
		buf_release(&b);
		return diag_error(ds, NULL, "Failed to read file",
				  "Cannot read %.*s: %s.", STR_ARG(path),
				  strerror(errno));
	}
	text = buf_dup(a, &b);
	buf_release(&b);
	while (text.n) {
		ptrdiff_t end = str_chr(text, '\n');
		size_t n = end < 0 ? text.n : (size_t)end;
		struct str line = str_trim(str_sub(text, 0, n));

		if (!is_comment(line))
			vec_push(a, out, line);
		text = str_sub(text, end < 0 ? n : n + 1, text.n);
	}
	/* A file may well hold no exclusion at present. */
	if (out->len > before || (regular && strcmp(option, "exclude") == 0))
		return 0;
	return refuse_empty_list(path, regular, option, ds);
}

/* All that an option and its files name. */
static int read_addresses(struct arena *a, const struct str_vec *given,
			  const struct str_vec *files, const char *option,
			  struct str_vec *out, struct diags *ds)
{
	int rc = 0;

	for (size_t i = 0; i < given->len; i++)
		vec_push(a, out, given->items[i]);
	for (size_t i = 0; i < files->len; i++)
		rc |= read_list(a, files->items[i], option, out, ds);
	return rc;
}

static int parse_targets(struct arena *a, const struct str_vec *given,
			 const struct str_vec *files, bool excludes,
			 struct target_set *out, struct diags *ds)
{
	const char *option = excludes ? "exclude" : "target";
	struct str_vec texts = { 0 };
	int rc = read_addresses(a, given, files, option, &texts, ds);

	for (size_t i = 0; i < texts.len; i++) {
		struct target t;

		if (selector_parse(a, texts.items[i], option, &t, ds))
			rc = -1;
		else if (excludes)
			vec_push(a, &out->excludes, t);
		else
			vec_push(a, &out->targets, t);
	}
	return rc;
}

/* In quotes, what would end them escaped. */
static struct str quoted(struct arena *a, struct str s)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	jw_str(&w, s);
	return buf_take(a, &b);
}

static int parse_replace(struct arena *a, struct str text,
			 struct instance_addr *out, struct diags *ds)
{
	struct diags inner = DIAGS_INIT(a);
	const char *summary =
		arena_printf(ds->arena, "Invalid force-replace address %.*s",
			     STR_ARG(quoted(ds->arena, text)));

	if (instance_addr_parse(a, text, out, &inner)) {
		for (size_t i = 0; i < inner.len; i++)
			diag_error(ds, NULL, summary, "%.*s",
				   STR_ARG(inner.items[i].detail));
		return -1;
	}
	if (out->resource.mode != MODE_MANAGED)
		return diag_error(ds, NULL, summary,
				  "Only managed resources can be replaced.");
	return 0;
}

static int parse_replaces(struct arena *a, const struct selector_options *o,
			  struct target_set *out, struct diags *ds)
{
	struct str_vec texts = { 0 };
	int rc = read_addresses(a, &o->replace, &o->replace_files, "replace",
				&texts, ds);

	for (size_t i = 0; i < texts.len; i++) {
		struct instance_addr r;

		if (parse_replace(a, texts.items[i], &r, ds))
			rc = -1;
		else
			vec_push(a, &out->replace, r);
	}
	return rc;
}

/* Whatever goes with whatever. */
static int parse(struct arena *a, const struct selector_options *o,
		 struct selectors *out, struct diags *ds)
{
	int rc = 0;

	*out = (struct selectors){ .refresh = true };
	if (o->destroy && o->refresh_only)
		rc = diag_error(
			ds, NULL, "Incompatible plan mode options",
			"-destroy and -refresh-only exclude each other.");
	out->mode = o->destroy        ? RUN_DESTROY
		    : o->refresh_only ? RUN_REFRESH_ONLY
				      : RUN_NORMAL;
	rc |= selectors_refresh(o, out, ds);
	rc |= parse_targets(a, &o->target, &o->target_files, false, &out->set,
			    ds);
	rc |= parse_targets(a, &o->exclude, &o->exclude_files, true, &out->set,
			    ds);
	rc |= parse_replaces(a, o, &out->set, ds);
	return rc;
}

int selectors_parse(struct arena *a, const struct selector_options *o,
		    struct selectors *out, struct diags *ds)
{
	if (parse(a, o, out, ds) || selectors_check(out, ds))
		return -1;
	if (out->mode != RUN_NORMAL && out->set.replace.len &&
	    !o->replace_later)
		return diag_error(ds, NULL, "Unsupported plan mode",
				  "-replace goes with normal planning only.");
	return 0;
}

int selectors_refresh(const struct selector_options *o, struct selectors *s,
		      struct diags *ds)
{
	bool on;

	s->minimal_refresh |= o->minimal_refresh;
	if (refresh_option(o->refresh, &on, &s->refresh_older_than, ds))
		return -1;
	s->refresh &= on;
	return 0;
}

bool selectors_read_all(const struct selectors *s)
{
	return s->refresh && !s->minimal_refresh && !s->refresh_older_than;
}

int selectors_check(const struct selectors *s, struct diags *ds)
{
	if (s->mode == RUN_REFRESH_ONLY && s->minimal_refresh)
		return diag_error(
			ds, NULL, "Incompatible plan mode options",
			"-minimal-refresh reads what is to change, and "
			"-refresh-only plans no change.");
	if (s->minimal_refresh && !s->refresh)
		return diag_error(
			ds, NULL, "Incompatible refresh options",
			"-refresh=false leaves unread what -minimal-refresh reads.");
	if (s->mode == RUN_REFRESH_ONLY && !s->refresh)
		return diag_error(
			ds, NULL, "Incompatible refresh options",
			"-refresh-only makes no sense with -refresh=false.");
	return 0;
}

const char *run_mode_name(enum run_mode m)
{
	static const char *const names[] = {
		[RUN_NORMAL] = "normal",
		[RUN_DESTROY] = "destroy",
		[RUN_REFRESH_ONLY] = "refresh-only",
	};

	return names[m];
}

static void targets_member(struct jw *w, const char *name,
			   const struct target *ts, size_t n)
{
	struct buf b = BUF_INIT;

	jw_key(w, name);
	jw_array(w);
	for (size_t i = 0; i < n; i++) {
		buf_set_len(&b, 0);
		target_print(&b, &ts[i]);
		jw_str(w, buf_view(&b));
	}
	jw_array_end(w);
	buf_release(&b);
}

static void instances_member(struct jw *w, const char *name,
			     const struct instance_addr *all, size_t n)
{
	struct buf b = BUF_INIT;

	jw_key(w, name);
	jw_array(w);
	for (size_t i = 0; i < n; i++) {
		buf_set_len(&b, 0);
		instance_addr_print(&b, &all[i]);
		jw_str(w, buf_view(&b));
	}
	jw_array_end(w);
	buf_release(&b);
}

void target_set_members(struct jw *w, const struct target_set *s)
{
	targets_member(w, "targets", s->targets.items, s->targets.len);
	targets_member(w, "excludes", s->excludes.items, s->excludes.len);
	instances_member(w, "replace", s->replace.items, s->replace.len);
}

void selectors_refresh_members(struct jw *w, const struct selectors *s)
{
	jw_member_bool(w, "refresh", s->refresh);
	if (s->minimal_refresh)
		jw_member_bool(w, "minimal_refresh", true);
	if (s->refresh_older_than)
		jw_member_int(w, "refresh_older_than", s->refresh_older_than);
}

void selectors_write(struct stream_out *o, const struct selectors *s)
{
	struct jw w = stream_record(o, "options", STR_NONE);

	jw_member_str(&w, "mode", str_c(run_mode_name(s->mode)));
	target_set_members(&w, &s->set);
	selectors_refresh_members(&w, s);
	stream_record_end(o, &w);
}

/* A selector that cannot be read must not be ignored: without it more would be
 * planned than was asked for. */
static int take_targets(struct arena *a, const struct json *j,
			struct str_vec *out, struct diags *ds)
{
	return json_texts(a, j, out)
		       ? record_invalid(ds,
					"a selector is not a list of addresses")
		       : 0;
}

static int take_mode(struct str mode, struct selector_options *o,
		     struct diags *ds)
{
	o->destroy = str_is(mode, run_mode_name(RUN_DESTROY));
	o->refresh_only = str_is(mode, run_mode_name(RUN_REFRESH_ONLY));
	if (!o->destroy && !o->refresh_only &&
	    !str_is(mode, run_mode_name(RUN_NORMAL)))
		return record_invalid(ds, "the mode is not known");
	return 0;
}

int selectors_take(struct arena *a, const struct json *j, struct selectors *out,
		   struct diags *ds)
{
	struct selector_options o = { .refresh = STR_NONE };
	int64_t age = json_get_int(j, "refresh_older_than", 0);

	if (age < 0)
		return record_invalid(ds, "\"refresh_older_than\" is negative");
	if (take_mode(json_get_str(j, "mode"), &o, ds) ||
	    take_targets(a, json_get(j, "targets"), &o.target, ds) ||
	    take_targets(a, json_get(j, "excludes"), &o.exclude, ds) ||
	    take_targets(a, json_get(j, "replace"), &o.replace, ds))
		return -1;
	if (parse(a, &o, out, ds))
		return -1;
	out->refresh = json_get_bool(j, "refresh", true);
	out->minimal_refresh = json_get_bool(j, "minimal_refresh", false);
	out->refresh_older_than = age;
	return 0;
}

int selectors_read(struct arena *a, struct str line, struct selectors *out,
		   struct diags *ds)
{
	const struct json *j = stream_parse(a, line, ds);

	return !j || selectors_take(a, j, out, ds) || selectors_check(out, ds)
		       ? -1
		       : 0;
}
