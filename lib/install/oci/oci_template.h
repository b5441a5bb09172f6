/*
 * oci_template.h - repository_template of an oci_mirror: the repository of a
 * provider
 *
 * A template of the language in which ${hostname}, ${namespace} and ${type} are
 * the parts of the provider's address.
 */
#ifndef TFPIPE_INSTALL_OCI_TEMPLATE_H
#define TFPIPE_INSTALL_OCI_TEMPLATE_H

#include "addr/addr.h"
#include "base/opts.h"
#include "install/oci/oci_address.h"
#include "lang/syntax/ast.h"

/* Is it one that can name a repository for each provider of the patterns?  0,
 * or -1 with a diagnostic at `at`. */
int oci_template_check(struct arena *a, struct str text,
		       const struct str_vec *include, const struct range *at,
		       struct diags *ds);
/* 0, or -1 with *why: a sentence without its full stop. */
int oci_template_address(struct arena *a, struct str text,
			 struct provider_addr p, struct oci_address *out,
			 struct str *why);

#endif
