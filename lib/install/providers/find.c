/* find.c - choosing the version of a provider; see providers_int.h */
#include <errno.h>
#include <sys/stat.h>

#include "install/providers/providers_int.h"
#include "addr/provider.h"
#include "base/product.h"
#include "install/hosts/login.h"

/* --- asking all places --- */

struct answer_of {
	struct install_job *job;
	size_t place;
};

static void answered(struct install_job *j)
{
	if (--j->asked == 0)
		job_goes_on(j);
}

static void on_namespace(void *data, struct str namespace)
{
	struct answer_of *of = data;

	of->job->answers[of->place].elsewhere = namespace;
	answered(of->job);
}

/* Is it the default address of a source without a namespace?  Often another
 * provider was meant. */
static bool is_assumed(const struct install_job *j)
{
	return str_is(j->r->provider.host, "registry.opentofu.org") &&
	       str_is(j->r->provider.namespace, "hashicorp");
}

/* Another provider of that type that is needed. */
static const struct requirement *namesake(const struct install_job *j)
{
	const struct installer *in = j->in;

	for (size_t i = 0; i < in->njobs; i++)
		if (&in->jobs[i] != j &&
		    str_eq(in->jobs[i].r->provider.type, j->r->provider.type) &&
		    !provider_addr_equal(in->jobs[i].r->provider,
					 j->r->provider))
			return in->jobs[i].r;
	return NULL;
}

static void on_versions(void *data, const struct versions_answer *answer)
{
	struct answer_of *of = data;
	struct install_job *j = of->job;

	j->answers[of->place] = *answer;
	if (answer->unknown && !j->in->put && is_assumed(j) && !namesake(j) &&
	    j->places.items[of->place]->kind == MIRROR_DIRECT)
		registry_namespace(&j->in->remote, j->r->provider, on_namespace,
				   of);
	else
		answered(j);
}

static void ask_place(struct install_job *j, size_t i)
{
	struct installer *in = j->in;
	const struct mirror *m = j->places.items[i];
	struct answer_of *of = ARENA_NEW(in->a, struct answer_of);

	*of = (struct answer_of){ j, i };
	if (j->asked++ == 0)
		in->busy++;
	if (m->kind == MIRROR_NETWORK)
		mirror_versions(&in->remote, m, j->r->provider, on_versions,
				of);
	else if (m->kind == MIRROR_OCI)
		oci_mirror_versions(&in->remote, m, j->r->provider, on_versions,
				    of);
	else
		registry_versions(&in->remote, j->r->provider, on_versions, of);
}

static void list_directories(struct install_job *j)
{
	struct installer *in = j->in;

	for (size_t i = 0; i < j->places.len; i++) {
		size_t from = j->all.len;

		if (j->places.items[i]->kind != MIRROR_DIR)
			continue;
		packages_list(in->a, j->places.items[i]->dir, j->r->provider,
			      j->platform, &j->all);
		for (; from < j->all.len; from++)
			j->all.items[from].place = i;
	}
}

static int lock_forbidden(struct install_job *j)
{
	struct arena *a = j->in->a;

	j->stage = STAGE_LOCK;
	return diag_error(
		&j->ds, NULL, "Failed to resolve provider packages",
		"The lock file has version %.*s of %.*s, which \"%.*s\" does not "
		"allow. Run \"%s init -upgrade\" to choose another.",
		STR_ARG(j->lock->version),
		STR_ARG(provider_addr_text(a, j->r->provider)),
		STR_ARG(requirement_text(a, j->r)), product_command());
}

/* Decides without a request: the locked version is installed, or not
 * allowed. */
static bool settled_by_lock(struct install_job *j)
{
	struct version v;

	if (!j->lock)
		return false;
	if (version_parse(j->lock->version, &v) &&
	    !version_allowed_of_provider(&j->r->all, &v)) {
		lock_forbidden(j);
		return true;
	}
	return !j->in->put && job_use_present(j, j->lock->version) <= 0;
}

/* Answers for another platform serve as well. */
static struct versions_answer *asked_before(const struct install_job *j)
{
	for (const struct install_job *o = j->in->jobs; o < j; o++)
		if (o->answers &&
		    provider_addr_equal(o->r->provider, j->r->provider))
			return o->answers;
	return NULL;
}

void job_find(struct install_job *j)
{
	struct installer *in = j->in;

	job_tell(j, j->lock ? PROVIDER_REUSING : PROVIDER_FINDING,
		 requirement_text(in->a, j->r));
	j->done = settled_by_lock(j);
	if (j->done)
		return;
	places_of(in->a, &in->cli, &in->o->plugin_dirs, j->r->provider,
		  &j->places);
	list_directories(j);
	/* The implied registry serves only providers that no directory has, and
	 * a locked version needs no list. */
	if ((in->cli.implied && j->all.len) ||
	    (j->lock && package_choose(j->r, j->lock, &j->all)))
		return;
	j->answers = asked_before(j);
	if (j->answers)
		return;
	j->answers = ARENA_ARRAY(in->a, struct versions_answer, j->places.len);
	for (size_t i = 0; i < j->places.len; i++) {
		if (!place_is_remote(j->places.items[i]))
			continue;
		j->done = installer_ready(in, &j->ds) != 0;
		if (j->done)
			return;
		ask_place(j, i);
	}
}

/* --- choosing --- */

static void warn(struct install_job *j, const struct str_vec *warnings)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < warnings->len; i++)
		buf_addf(&b, "\n- %.*s",
			 STR_ARG(host_text(j->in->a, warnings->items[i])));
	if (b.len)
		diag_warning(&j->ds, NULL,
			     "Additional provider information from registry",
			     "The registry returned warnings for %.*s:%.*s",
			     STR_ARG(provider_addr_text(j->in->a,
							j->r->provider)),
			     STR_ARG(buf_view(&b)));
	buf_release(&b);
}

/* Is the release too new?  Locked versions have been reviewed. */
static bool pass_over(struct install_job *j, const struct version_offer *v,
		      const struct package *p)
{
	struct arena *a = j->in->a;
	const struct cli_config *cli = &j->in->cli;

	if (!release_too_new(a, cli->least_seconds, v->published) ||
	    (j->lock && str_eq(j->lock->version, p->version_text)))
		return false;
	if (!j->lock && version_allowed_of_provider(&j->r->all, &p->version))
		diag_warning(
			&j->ds, NULL, "Release passed over",
			"Version %.*s of %.*s was published at %.*s, which "
			"is less than minimum_release_age (%.*s) ago.",
			STR_ARG(p->version_text),
			STR_ARG(provider_addr_text(a, j->r->provider)),
			STR_ARG(host_text(a, v->published)),
			STR_ARG(cli->least_age));
	return true;
}

/* What a user names must be there, as a name that is misspelt would lead to the
 * next place without a word. */
static int directories_exist(struct install_job *j)
{
	for (size_t i = 0; i < j->places.len; i++) {
		const struct mirror *m = j->places.items[i];
		struct stat st;

		if (m->kind != MIRROR_DIR || !m->named ||
		    !lstat(arena_strndup(j->in->a, m->dir.p, m->dir.n), &st))
			continue;
		return diag_error(
			&j->ds, NULL, "Failed to resolve provider packages",
			"There may be packages of the provider %.*s in %.*s, "
			"which cannot be searched: %s.",
			STR_ARG(provider_addr_text(j->in->a, j->r->provider)),
			STR_ARG(m->dir), strerror(errno));
	}
	return 0;
}

/* Adds the answers of the places; the first that failed is an error.  *unknown:
 * a registry does not know the provider. */
static int take_answers(struct install_job *j, bool *unknown)
{
	for (size_t i = 0; j->answers && i < j->places.len; i++) {
		const struct versions_answer *v = &j->answers[i];

		if (v->problem.summary)
			return diag_error(
				&j->ds, NULL, v->problem.summary, "%.*s",
				STR_ARG(host_text(j->in->a,
						  v->problem.detail)));
		*unknown |=
			v->unknown && j->places.items[i]->kind == MIRROR_DIRECT;
		warn(j, &v->warnings);
		for (size_t k = 0; k < v->versions.len; k++) {
			struct package p = { .place = i };

			version_parse(v->versions.items[k].version, &p.version);
			p.version_text = version_text(j->in->a, &p.version);
			if (pass_over(j, &v->versions.items[k], &p))
				continue;
			p.protocols = v->versions.items[k].protocols;
			vec_push(j->in->a, &j->all, p);
		}
	}
	return 0;
}

/* The provider that may have been meant; empty: none is known. */
static struct str meant(struct install_job *j)
{
	struct provider_addr p = j->r->provider;
	const struct requirement *other = is_assumed(j) ? namesake(j) : NULL;

	if (other)
		p = other->provider;
	for (size_t i = 0; !other && j->answers && i < j->places.len; i++)
		if (j->answers[i].elsewhere.n)
			p.namespace = j->answers[i].elsewhere;
	return provider_addr_equal(p, j->r->provider)
		       ? STR_NONE
		       : provider_addr_display(j->in->a, p,
					       j->in->o->default_host);
}

/* Advice if a registry does not know the provider. */
static struct str hint(struct install_job *j)
{
	struct arena *a = j->in->a;
	struct str other = meant(j), text;

	if (other.n)
		text = str_printf(
			a,
			"its registry does not know it. Did you intend to use %.*s? Then "
			"each module that needs it has to say so in required_providers; "
			"\"%s providers\" shows which do",
			STR_ARG(other), product_command());
	else
		text = str_printf(
			a,
			"its registry does not know it. Each module says in "
			"required_providers which provider it means; \"%s providers\" "
			"shows which need this one",
			product_command());
	if (str_is(j->r->provider.host, "registry.opentofu.org"))
		text = STR_CAT(
			a, text,
			STR(". A provider that is missing there "
			    "can be asked for at https://github.com/opentofu/"
			    "registry/issues/new/choose"));
	return STR_CAT(a, STR(": "), text);
}

/* Warns that the provider, which does not exist, comes from the name of a
 * resource type. */
static void warn_inferred(struct install_job *j)
{
	const struct requirement *r = j->r;
	const struct str type = r->provider.type;

	if (r->declared || !r->inferred.of.n)
		return;
	diag_warning(
		&j->ds, &r->inferred.at,
		"Automatically-inferred provider dependency",
		"By the prefix of its type %.*s belongs to a provider with "
		"the local name \"%.*s\". required_providers of its "
		"module does not have that name, so it is taken for %.*s, "
		"which does not exist.\n\nOne of these says which provider "
		"is meant:\n- an entry \"%.*s\" in required_providers of "
		"the module, with the provider's source;\n- another type of "
		"the resource, if \"%.*s\" lacks the prefix of its "
		"provider;\n- an argument \"provider\" in the resource.",
		STR_ARG(r->inferred.of), STR_ARG(type),
		STR_ARG(provider_addr_display(j->in->a, r->provider,
					      j->in->o->default_host)),
		STR_ARG(type), STR_ARG(r->inferred.type));
}

static int not_found(struct install_job *j, bool unknown)
{
	struct arena *a = j->in->a;
	struct str name = provider_addr_text(a, j->r->provider), places;
	struct buf searched = BUF_INIT;

	for (size_t i = 0; i < j->places.len; i++)
		buf_addf(&searched, "\n  - %.*s",
			 STR_ARG(place_text(a, j->places.items[i],
					    j->r->provider)));
	places = searched.len ? buf_dup(a, &searched) : STR(" none");
	buf_release(&searched);
	if (unknown && !j->all.len)
		warn_inferred(j);
	if (!j->all.len && !j->in->cli.mirrors.len &&
	    !j->in->o->plugin_dirs.len)
		return diag_error(&j->ds, NULL,
				  "Failed to resolve provider packages",
				  "There is no package of the provider %.*s: "
				  "provider_installation has no methods.",
				  STR_ARG(name));
	if (!j->all.len)
		return diag_error(
			&j->ds, NULL,
			"Failed to query available provider packages",
			"There is no package of the provider %.*s%.*s. Searched:%.*s",
			STR_ARG(name), STR_ARG(unknown ? hint(j) : STR_NONE),
			STR_ARG(places));
	if (j->lock) {
		j->stage = STAGE_OFFER;
		return diag_error(&j->ds, NULL,
				  "Failed to resolve provider packages",
				  "Version %.*s of %.*s, which the lock file "
				  "selects, is not there any more. "
				  "Searched:%.*s",
				  STR_ARG(j->lock->version), STR_ARG(name),
				  STR_ARG(places));
	}
	return diag_error(
		&j->ds, NULL, "Failed to resolve provider packages",
		"No version of %.*s that is there satisfies \"%.*s\". Searched:%.*s",
		STR_ARG(name), STR_ARG(requirement_text(a, j->r)),
		STR_ARG(places));
}

void job_choose(struct install_job *j)
{
	bool unknown = false;

	j->done = true;
	if (directories_exist(j) || take_answers(j, &unknown))
		return;
	j->chosen = package_choose(j->r, j->lock, &j->all);
	if (!j->chosen) {
		not_found(j, unknown);
		return;
	}
	if (j->lock || j->in->put ||
	    job_use_present(j, j->chosen->version_text) > 0)
		j->done = false;
}
