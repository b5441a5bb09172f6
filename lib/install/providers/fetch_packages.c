/* fetch_packages.c - see providers_int.h */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "install/providers/providers_int.h"
#include "base/io.h"
#include "install/package/copy_tree.h"
#include "install/package/unpack.h"
#include "json/tree.h"

static void add(struct install_job *j, const struct str_vec *hashes)
{
	for (size_t i = 0; i < hashes->len; i++)
		vec_push(j->in->a, &j->hashes, hashes->items[i]);
}

/* Only hashes the package: nothing runs it here. */
static int hash_alone(struct install_job *j)
{
	return unpack_zip(j->archive, STR_NONE, &j->found.hash, &j->ds);
}

static int put_hashes(struct install_job *j)
{
	if (!j->found.hash.n)
		return -1;
	vec_push(j->in->a, &j->hashes, j->found.hash);
	add(j, &j->auth.local);
	add(j, &j->auth.vouched);
	job_tell(j, PROVIDER_INSTALLED, j->chosen->version_text);
	return 0;
}

/* --- archives that are kept --- */

/* Adds the hashes that the registry lists for this platform's package. */
static void add_told(struct install_job *j)
{
	const struct json *list =
		json_get(json_get(j->offer.packages, j->platform.p), "hashes");

	for (uint32_t i = 0; list && list->kind == JSON_ARRAY && i < list->len;
	     i++)
		if (list->items[i].kind == JSON_STRING)
			vec_push(j->in->a, &j->hashes, list->items[i].text);
}

static int copy(struct str from, struct str to)
{
	struct buf all = BUF_INIT;
	int rc = io_read_file(from.p, &all, 0) ||
		 io_replace_file(to.p, all.p, all.len, 0644);

	buf_release(&all);
	return rc ? -1 : 0;
}

/* The destination of a package, packed or unpacked. */
struct spot {
	struct str dir; /* of its provider */
	struct str packed, unpacked;
};

static struct spot spot_of(const struct install_job *j)
{
	const struct fetch_packages_options *o = j->in->put_data;
	struct provider_addr p = j->r->provider;
	const struct str version = j->chosen->version_text;
	struct spot t;

	t.dir = str_printf(j->in->a, "%.*s/%.*s/%.*s/%.*s",
			   STR_ARG(o->archives), STR_ARG(p.host),
			   STR_ARG(p.namespace), STR_ARG(p.type));
	t.packed = str_printf(j->in->a,
			      "%.*s/terraform-provider-%.*s_%.*s_%.*s.zip",
			      STR_ARG(t.dir), STR_ARG(p.type), STR_ARG(version),
			      STR_ARG(j->platform));
	t.unpacked =
		package_dir(j->in->a, o->archives, p, version, j->platform);
	return t;
}

static int cannot_put(struct install_job *j, struct str to)
{
	return diag_error(&j->ds, NULL, "Failed to install provider",
			  "%.*s cannot be written: %s.", STR_ARG(to),
			  strerror(errno));
}

/* Puts a package from a directory as it is, packed or not. */
static int put_local(struct install_job *j, const struct spot *t)
{
	const struct package *p = j->chosen;
	struct arena *a = j->in->a;
	const struct str tmp = STR_CAT(a, t->unpacked, STR(".new"));
	const struct str hash =
		p->dir.n ? package_hash(a, p->dir) : unpack_hash(a, p->archive);

	j->stage = STAGE_CHECK;
	if (job_check_hash(j, hash))
		return -1;
	j->stage = STAGE_DOWNLOAD;
	if (p->archive.n)
		return io_make_dirs(t->dir.p, 0777) ||
				       copy(p->archive, t->packed)
			       ? cannot_put(j, t->packed)
			       : 0;
	if (!io_remove_tree(tmp.p) && !io_make_dirs(tmp.p, 0777) &&
	    !copy_tree(str_dup(a, p->dir).p, tmp.p, copy_followed) &&
	    !io_remove_tree(t->unpacked.p) && !rename(tmp.p, t->unpacked.p))
		return 0;
	cannot_put(j, t->unpacked);
	io_remove_tree(tmp.p);
	return -1;
}

/* Puts a package that was fetched. */
static int put_fetched(struct install_job *j, const struct spot *t)
{
	if (io_make_dirs(t->dir.p, 0777) ||
	    (rename(j->archive.p, t->packed.p) && copy(j->archive, t->packed)))
		return cannot_put(j, t->packed);
	add(j, &j->auth.local);
	add_told(j);
	return 0;
}

static int put_archive(struct install_job *j)
{
	const struct spot t = spot_of(j);
	const bool unpacked = j->chosen->dir.n > 0;
	const struct str other = unpacked ? t.packed : t.unpacked;

	if (unpacked || j->chosen->archive.n ? put_local(j, &t)
					     : put_fetched(j, &t))
		return -1;
	/* An earlier one is not the one that was chosen. */
	if (io_remove_tree(other.p))
		return cannot_put(j, other);
	job_tell(j, PROVIDER_INSTALLED, j->chosen->version_text);
	return 0;
}

/* --- all of them --- */

static void set_place(struct installer *in, struct str net_mirror)
{
	struct mirror m = { .kind = net_mirror.n ? MIRROR_NETWORK
						 : MIRROR_DIRECT,
			    .dir = net_mirror };

	m.retries = cli_environment_count("TF_PROVIDER_DOWNLOAD_RETRY", 2);
	in->cli.implied = false;
	in->cli.mirrors = (struct mirror_vec){ 0 };
	vec_push(in->a, &in->cli.mirrors, m);
}

static void make_jobs(struct installer *in,
		      const struct fetch_packages_options *o)
{
	in->jobs = ARENA_ARRAY(in->a, struct install_job,
			       o->reqs->len * o->platforms->len);
	for (size_t p = 0; p < o->platforms->len; p++)
		for (size_t i = 0; i < o->reqs->len; i++) {
			struct install_job *j = &in->jobs[in->njobs++];

			j->in = in;
			j->claim = -1;
			j->r = o->reqs->items[i];
			j->platform = str_dup(in->a, o->platforms->items[p]);
			j->old = lockfile_find(o->locks, j->r->provider);
			j->lock = j->old && j->old->version.n ? j->old : NULL;
			j->ds = (struct diags)DIAGS_INIT(in->a);
		}
}

static void take_job(struct install_job *j,
		     const struct fetch_packages_options *o,
		     struct fetched_packages *out, struct diags *ds)
{
	const char *const summaries[] = {
		[STAGE_FIND] = o->summaries.find,
		[STAGE_LOCK] = o->summaries.lock,
		[STAGE_OFFER] = o->summaries.offer,
		[STAGE_DOWNLOAD] = o->summaries.download,
		[STAGE_CHECK] = o->summaries.check,
	};

	for (size_t i = 0; i < j->ds.len; i++)
		if (j->ds.items[i].severity == SEV_ERROR)
			j->ds.items[i].summary = str_c(summaries[j->stage]);
	diags_append(ds, &j->ds);
	if (diags_failed(&j->ds) || !j->chosen)
		return;
	vec_push(j->in->a, out,
		 (struct fetched_package){ .r = j->r,
					   .version = j->chosen->version_text,
					   .platform = j->platform,
					   .hashes = j->hashes });
}

int fetch_packages(struct arena *a, const struct fetch_packages_options *o,
		   struct fetched_packages *out, struct diags *ds)
{
	struct hosts hosts = { .services = NULL };
	const struct install_providers_options io = {
		.hosts = &hosts,
		.default_host = o->default_host,
		.event = o->event,
		.data = o->data,
	};
	struct installer in = { .a = a,
				.o = &io,
				.ds = ds,
				.put = o->archives.n ? put_archive : put_hashes,
				.unpack = o->archives.n ? NULL : hash_alone,
				.put_data = (void *)o };
	int rc;

	owned_dir_sweep(a);
	in.platform = platform_name(a);
	if (o->cli) {
		in.cli = *o->cli;
		in.by_lock = true;
	} else {
		if (cli_config_read(a, &in.cli, ds))
			return -1;
		set_place(&in, o->net_mirror);
	}
	in.cli.plugin_cache = STR_NONE;
	make_jobs(&in, o);
	rc = installer_run(&in);
	installer_end(&in);
	for (size_t i = 0; i < in.njobs; i++)
		take_job(&in.jobs[i], o, out, ds);
	return rc;
}
