/*
 * inputs.h - values of root variables from outside: -var, -var-file,
 * terraform.tfvars, *.auto.tfvars, TF_VAR_*
 *
 * Precedence, lowest first: environment, terraform.tfvars,
 * terraform.tfvars.json, *.auto.tfvars and *.auto.tfvars.json by name, then
 * -var and -var-file in the order given.
 */
#ifndef TFPIPE_ENGINE_INPUTS_H
#define TFPIPE_ENGINE_INPUTS_H

#include "base/opts.h"
#include "config/config.h"

enum input_source {
	INPUT_DEFAULT,
	INPUT_ENV,
	INPUT_AUTO_FILE, /* found by name */
	INPUT_FILE,      /* -var-file */
	INPUT_CLI,       /* -var */
	INPUT_STREAM,    /* a variable_value record */
};

struct input {
	struct str name;
	enum input_source source;
	struct str text;        /* as given: environment and -var */
	const struct value *value; /* evaluated: files, streams; else NULL */
	struct range at;        /* in a file; else absent */
};

struct inputs {
	struct map by_name; /* -> struct input *: the one that counts */
	/* what was given for undeclared names, in order */
	VEC(struct input *) undeclared;
};

/* One -var or -var-file, in command-line order. */
struct input_arg {
	bool file;
	struct str text; /* NAME=VALUE, or the file's name */
};

struct inputs_options {
	struct str dir;             /* where *.auto.tfvars are looked for */
	char **environ;             /* TF_VAR_* are taken from it */
	const struct input_arg *args;
	size_t nargs;
	struct sources *sources;    /* gets the files read, for snippets */
};

/* Reads everything; diagnoses unreadable files, wrong -var, undeclared names
 * (warnings from files, errors from -var).  Values stay raw. */
int inputs_collect(struct arena *a, const struct inputs_options *o,
		   const struct config *c, struct inputs *in,
		   struct diags *ds);

/* The order of -var and -var-file among argv (struct opts keeps each list, not
 * their order). */
size_t inputs_args(struct arena *a, int argc, char **argv,
		   struct input_arg **out);

/* The value of one variable before validation: raw text parsed as its type
 * demands, converted, defaults applied, nullability checked, marks added.
 * in NULL: not given (default, or the error "No value for required variable").
 * Always returns a value. */
const struct value *input_value(struct arena *a, const struct cfg_variable *v,
				const struct input *in, struct diags *ds);

const char *input_source_name(enum input_source s);

#endif
