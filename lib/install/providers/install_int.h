/* install_int.h - putting a package into its place; see providers_int.h */
#ifndef TFPIPE_INSTALL_INSTALL_INT_H
#define TFPIPE_INSTALL_INSTALL_INT_H

#include "install/providers/providers_int.h"

/* install.c */
bool job_has_hash(const struct lock *l, struct str hash);
/* May the chosen package, whose files hash to this, be used by the lock? */
int job_check_hash(struct install_job *j, struct str hash);
/* Uses the locked package if it is installed or in the plugin cache; 1: it is
 * not. */
int job_use_present(struct install_job *j, struct str version);
/* The directory to unpack the archive in: beside its place. */
struct str job_temporary(struct install_job *j);
/* Unpacks and checks an archive in j->tmp; on failure nothing is left. */
int job_unpack(struct install_job *j);
/* Removes what was unpacked and not put in its place. */
void job_drop(struct install_job *j);
/* Puts the package where it belongs, a directory's or the archive (which is
 * unpacked unless it is already), and remembers its hashes. */
int job_install(struct install_job *j);

#endif
