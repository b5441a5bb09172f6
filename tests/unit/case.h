/*
 * case.h - configurations from text, for the tests of graph and engine
 *
 * case_load writes main.tf, and m/main.tf where a module's text is given
 * (called as module "m", from "./m"), loads them and takes the files away.
 */
#ifndef TFPIPE_TESTS_UNIT_CASE_H
#define TFPIPE_TESTS_UNIT_CASE_H

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "addr/target.h"
#include "addr/walk.h"
#include "base/io.h"
#include "base/workdir.h"
#include "config/config.h"
#include "config/load/load.h"
#include "test.h"

static struct arena arena;

static inline void case_file(const char *path, const char *text)
{
	CHECK_ROW(io_replace_file(path, text, strlen(text), 0600) == 0, path);
}

static inline struct config *case_load(const char *text, const char *module)
{
	static const char manifest[] =
		"{\"Modules\":[{\"Key\":\"\",\"Source\":\"\",\"Dir\":\".\"},"
		"{\"Key\":\"m\",\"Source\":\"./m\",\"Dir\":\"m\"}]}";
	static const char *const paths[] = { "main.tf", "m/main.tf", "m",
					     "data/modules/modules.json",
					     "data/modules", "data" };
	char dir[] = "/tmp/case.XXXXXX", back[4096];
	struct diags ds = DIAGS_INIT(&arena);
	const struct workdir w = { .data_dir = STR("data") };
	const struct config_options o = { .dir = STR("."), .workdir = &w };
	struct config *c;

	CHECK(getcwd(back, sizeof(back)) && mkdtemp(dir) && !chdir(dir));
	case_file("main.tf", text);
	CHECK(!mkdir("m", 0700) && !mkdir("data", 0700) &&
	      !mkdir("data/modules", 0700));
	if (module) {
		case_file("m/main.tf", module);
		case_file("data/modules/modules.json", manifest);
	}
	c = config_load(&arena, &o, &ds);
	CHECK_ROW(!diags_failed(&ds), text);
	for (size_t i = 0; i < ds.len; i++)
		test_note("%.*s: %.*s", STR_ARG(ds.items[i].summary),
			  STR_ARG(ds.items[i].detail));
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		remove(paths[i]);
	CHECK(!chdir(back) && !rmdir(dir));
	return c;
}

static inline struct instance_addr case_address(const char *text)
{
	struct diags ds = DIAGS_INIT(&arena);
	struct instance_addr i = { .key = KEY_ABSENT };

	CHECK_ROW(instance_addr_parse(&arena, str_c(text), &i, &ds) == 0,
		  text);
	return i;
}

static inline struct target case_target(const char *text)
{
	struct diags ds = DIAGS_INIT(&arena);
	struct target t = { 0 };

	CHECK_ROW(target_parse(&arena, str_c(text), "target", &t, &ds) == 0,
		  text);
	return t;
}

#endif
