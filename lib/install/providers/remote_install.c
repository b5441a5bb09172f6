/*
 * remote_install.c - a package from a host; see providers_int.h
 *
 * Gets the offer, checks it, downloads, checks again, and only then unpacks.
 */
#include <unistd.h>

#include "config/source/url.h"
#include "install/providers/providers_int.h"
#include "addr/provider.h"
#include "install/package/unpack.h"

/* Larger than any provider, so that an archive without end does not fill the
 * disk. */
static const int64_t most_bytes = (int64_t)2 << 30;

static void end_job(struct install_job *j)
{
	if (j->archive.n)
		unlink(j->archive.p);
	j->done = true;
	job_goes_on(j);
}

static void fail(struct install_job *j, struct str why)
{
	struct installer *in = j->in;

	diag_error(&j->ds, NULL, "Failed to install provider",
		   "Error while installing %.*s v%.*s: %.*s.",
		   STR_ARG(provider_addr_display(in->a, j->r->provider,
						 in->o->default_host)),
		   STR_ARG(j->chosen->version_text),
		   STR_ARG(host_text(in->a, why)));
	end_job(j);
}

/* --- the archive --- */

const struct str_vec *job_allowed_hashes(const struct install_job *j)
{
	return j->old && (!j->in->put || j->in->by_lock) &&
			       str_eq(j->old->version, j->chosen->version_text)
		       ? &j->old->hashes
		       : NULL;
}

static void warn_expired(struct install_job *j)
{
	diag_warning(&j->ds, NULL, "Expired signing key",
		     "The key that signed the provider %.*s has expired. "
		     "OPENTOFU_ENFORCE_GPG_EXPIRATION=true refuses such "
		     "keys.",
		     STR_ARG(provider_addr_text(j->in->a, j->r->provider)));
}

static void on_checked(struct install_job *j, struct str why)
{
	struct installer *in = j->in;

	if (why.n)
		return fail(j, why);
	if (diags_failed(&j->ds))
		return end_job(j);
	if (j->auth.expired)
		warn_expired(j);
	if (!(in->put ? in->put(j) : job_install(j)) && j->auth.key_id.n)
		in->any_signed = true;
	end_job(j);
}

void job_unpack_beside(struct install_job *j)
{
	j->in->busy++;
	job_check(j, on_checked);
}

static void on_archive(void *data, const struct fetch_answer *answer)
{
	struct install_job *j = data;
	struct installer *in = j->in;
	struct str why = STR_NONE, host = url_host_port(in->a, j->offer.url);

	if (answer->error.n)
		why = str_printf(in->a, "%.*s: %.*s", STR_ARG(host),
				 STR_ARG(answer->error));
	else if (answer->status != 200)
		why = str_printf(in->a, "unsuccessful request to %.*s: %.*s",
				 STR_ARG(answer->url),
				 STR_ARG(fetch_status_text(in->a,
							   answer->status)));
	if (why.n)
		return fail(j, why);
	j->stage = STAGE_CHECK;
	job_check(j, on_checked);
}

/* Of all packages that are being fetched, or are fetched. */
static void on_progress(void *data, int64_t have, int64_t all)
{
	struct install_job *j = data;
	const struct installer *in = j->in;
	int64_t sum = 0, total = 0;
	size_t n = 0;

	j->have = have;
	j->of = all;
	for (size_t i = 0; i < in->njobs; i++) {
		if (!in->jobs[i].have)
			continue;
		n++;
		sum += in->jobs[i].have;
		if (in->jobs[i].of < 0 || total < 0)
			total = -1;
		else
			total += in->jobs[i].of;
	}
	in->o->hosts->progress(in->o->hosts->progress_data, n, sum, total);
}

static void download(struct install_job *j)
{
	struct installer *in = j->in;
	const struct fetch_request r = {
		.url = j->offer.url,
		.to = j->archive,
		.most = most_bytes,
		.retries = j->offer.retries,
	};

	fetch_progress_fn *progress =
		in->o->hosts->progress ? on_progress : NULL;

	if (j->offer.blob)
		oci_blob(j->offer.repository, j->offer.blob, j->archive,
			 j->offer.retries, on_archive, progress, j);
	else
		fetch_start_progress(in->remote.fetch, &r, on_archive, progress,
				     j);
	unpack_load(); /* here, while the archive comes, and once */
}

/* --- the offer --- */

static void ask_next(struct install_job *j);

/* Reports that the version has no protocol that we support, and the newest
 * version that has one. */
static void fail_incompatible(struct install_job *j)
{
	struct arena *a = j->in->a;
	const struct package *other = NULL;
	struct str name = provider_addr_text(a, j->r->provider);

	for (size_t i = 0; i < j->all.len; i++) {
		const struct package *p = &j->all.items[i];

		if (p->protocols.len &&
		    registry_protocols_spoken(&p->protocols) &&
		    (!other || version_cmp(&p->version, &other->version) > 0))
			other = p;
	}
	diag_error(&j->ds, NULL, "Incompatible provider version",
		   "Version %.*s of %.*s has no protocol that is spoken here "
		   "(5 and 6). %s%.*s",
		   STR_ARG(j->chosen->version_text), STR_ARG(name),
		   other ? "The newest version that has one is "
			 : "No other version has one.",
		   STR_ARG(other ? other->version_text : STR_NONE));
	end_job(j);
}

static void fail_absent(struct install_job *j)
{
	struct installer *in = j->in;

	diag_error(&j->ds, NULL, "Incompatible provider version",
		   "Version %.*s of %.*s has no package for this platform, "
		   "%.*s, in %.*s. Other versions may have one.",
		   STR_ARG(j->chosen->version_text),
		   STR_ARG(provider_addr_text(in->a, j->r->provider)),
		   STR_ARG(j->platform),
		   STR_ARG(place_text(in->a, j->places.items[j->place],
				      j->r->provider)));
	end_job(j);
}

static struct str scratch_of(struct install_job *j)
{
	return str_printf(j->in->a, "%.*s/%zu", STR_ARG(j->in->scratch),
			  (size_t)(j - j->in->jobs));
}

static void on_offer(void *data, const struct package_offer *offer)
{
	struct install_job *j = data;
	struct installer *in = j->in;
	struct str why = STR_NONE;

	j->offer = *offer;
	j->stage = STAGE_OFFER;
	if (offer->problem.summary) {
		diag_error(&j->ds, NULL, offer->problem.summary, "%.*s",
			   STR_ARG(host_text(in->a, offer->problem.detail)));
		end_job(j);
		return;
	}
	if (offer->incompatible)
		return fail_incompatible(j);
	if (offer->absent) /* of this place */
		return ask_next(j);
	job_tell(j,
		 in->cli.plugin_cache.n ? PROVIDER_INSTALLING_TO_CACHE
					: PROVIDER_INSTALLING,
		 j->chosen->version_text);
	j->stage = STAGE_CHECK;
	if (verify_offer(in->a, offer, j->platform, &why))
		return fail(j, why);
	j->archive = scratch_of(j);
	j->stage = STAGE_DOWNLOAD;
	download(j);
}

/* Does the place have the chosen version? */
static bool has_version(const struct install_job *j, size_t place)
{
	for (size_t i = 0; i < j->all.len; i++)
		if (j->all.items[i].place == place &&
		    version_cmp(&j->all.items[i].version,
				&j->chosen->version) == 0)
			return true;
	return false;
}

/* Asks the next place that has the version. */
static void ask_next(struct install_job *j)
{
	struct installer *in = j->in;
	const struct mirror *m;
	size_t i = j->place + 1;

	while (i < j->places.len &&
	       (!place_is_remote(j->places.items[i]) || !has_version(j, i)))
		i++;
	if (i == j->places.len)
		return fail_absent(j);
	j->place = i;
	m = j->places.items[i];
	if (m->kind == MIRROR_NETWORK)
		mirror_package(&in->remote, m, j->r->provider,
			       j->chosen->version_text, j->platform, on_offer,
			       j);
	else if (m->kind == MIRROR_OCI)
		oci_mirror_package(&in->remote, m, j->r->provider,
				   j->chosen->version_text, j->platform,
				   on_offer, j);
	else
		registry_package(&in->remote, j->r->provider,
				 j->chosen->version_text, j->platform,
				 m->retries, on_offer, j);
}

void job_fetch(struct install_job *j)
{
	j->in->busy++;
	j->place = j->chosen->place - 1; /* wraps: the first is asked next */
	ask_next(j);
}
