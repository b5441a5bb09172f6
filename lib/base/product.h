/*
 * product.h - the program's name, and the version it is compatible with
 */
#ifndef TFPIPE_BASE_PRODUCT_H
#define TFPIPE_BASE_PRODUCT_H

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

#define PRODUCT "tfpipe"
#define COMMAND "tf" /* the command users type */

/* The version of OpenTofu whose language, providers, states and messages these
 * are: programs decide by it. */
#define COMPATIBLE_VERSION "1.12.6"

#endif
