/* browser.h - a page shown to the person at this computer */
#ifndef TFPIPE_INSTALL_BROWSER_H
#define TFPIPE_INSTALL_BROWSER_H

#include "base/loop.h"
#include "base/str.h"

/* Opens the address in a browser: the program that BROWSER names, or one of
 * the usual ones; waits for it in the loop.  false: there is none that
 * would. */
bool browser_open(struct loop *l, struct str address);

#endif
