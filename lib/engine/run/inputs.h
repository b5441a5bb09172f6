/*
 * inputs.h - values of root variables from outside: -var, -var-file,
 * terraform.tfvars, *.auto.tfvars, TF_VAR_*
 *
 * Precedence, lowest first: environment, terraform.tfvars,
 * terraform.tfvars.json, *.auto.tfvars and *.auto.tfvars.json by name, then
 * -var and -var-file in the order given.
 */
#ifndef TFPIPE_ENGINE_RUN_INPUTS_H
#define TFPIPE_ENGINE_RUN_INPUTS_H

#include "config/config.h"

enum input_source {
	INPUT_DEFAULT, /* a variable_value record that says so */
	INPUT_ENV,
	INPUT_AUTO_FILE, /* found by name */
	INPUT_FILE,      /* -var-file */
	INPUT_CLI,       /* -var */
	INPUT_PROMPT,    /* an answer to the driver's question */
	INPUT_STREAM,    /* a variable_value record, or a plan's variables */
};

struct input {
	struct str name;
	enum input_source source;
	struct str text;        /* as given: environment and -var */
	struct expression expr; /* in a file */
	/* Of INPUT_STREAM, for people: where it had come from, and where it is
	 * in a file, if that is known. */
	enum input_source origin;
	struct range at;
	/* Parsed, not converted to the variable's type; NULL until
	 * inputs_parse, and when the text was wrong. */
	const struct value *value;
	bool bad; /* the text was wrong; reported */
	/* The value that tf-eval converted `value` to, if that differs; may be
	 * NULL. */
	const struct value *converted;
};

struct inputs {
	struct map by_name; /* -> struct input *: the one that counts */
};

/* One -var or -var-file, in command-line order, or an answer. */
struct input_arg {
	enum input_source source; /* INPUT_CLI, INPUT_FILE, INPUT_PROMPT */
	struct str text;          /* NAME=VALUE, or the file's name */
};

struct inputs_options {
	struct str dir; /* where *.auto.tfvars are looked for */
	char **environ; /* TF_VAR_* are taken from it */
	const struct input_arg *args;
	size_t nargs;
	struct sources *sources; /* gets the files read, for snippets */
};

/* What is given to a program in its directory: files there, the environment and
 * these arguments. */
struct inputs_options inputs_given(const struct input_arg *args, size_t nargs,
				   struct sources *sources);

/* Reads everything into in (which may hold inputs already: what is read counts
 * more); diagnoses unreadable files and wrong -var.  Values stay raw.  Needs
 * no configuration. */
int inputs_collect(struct arena *a, const struct inputs_options *o,
		   struct inputs *in, struct diags *ds);

/* Can o->args be read?  For commands that need no values. */
int inputs_args_check(struct arena *a, const struct inputs_options *o,
		      struct diags *ds);

/* Are given values unreadable?  Then ds has only those errors.  For use when ds
 * has errors of the configuration: OpenTofu checks given values first. */
bool inputs_unreadable(struct arena *a, const struct inputs_options *o,
		       struct diags *ds);

/* The given values of root variables that early evaluation may use (module
 * sources, backends): name -> const struct value *, for config_options. */
int inputs_early(struct arena *a, const struct cfg_module *root,
		 const struct inputs_options *o, struct map *out,
		 struct diags *ds);
/* The values of inputs that were read already. */
void inputs_values(struct arena *a, const struct cfg_module *root,
		   struct inputs *in, struct map *out, struct diags *ds);

/* A record variable_value: sets the root module's input.  Returns 1 if the
 * record is of another kind, -1 after a diagnostic. */
int inputs_read(struct arena *a, struct str kind, struct str line,
		struct inputs *in, struct diags *ds);
/* A value that another record brought. */
void inputs_set(struct arena *a, struct inputs *in, struct str name,
		const struct value *v);

struct input_arg_vec VEC_OF(struct input_arg);

/* The order of -var and -var-file: those that the driver hands on in the
 * environment, where other users do not see them (TFPIPE_INPUT_1 and so on,
 * which are removed), then those among argv (struct opts keeps each list, not
 * their order).  Once a process. */
size_t inputs_args(struct arena *a, int argc, char **argv,
		   struct input_arg **out);

const char *input_source_name(enum input_source s);
/* INPUT_STREAM: there is no such name. */
enum input_source input_source_find(struct str name);

/*
 * inputs.c: the list of variables that have no value, for callers that
 * can ask
 */

/* Writes a file for callers that can ask for values: a line for each of these
 * variables, by name. */
int inputs_write_missing(struct str file, const struct cfg_module *root,
			 struct str_vec *names, struct diags *ds);

/* inputs_parse.c: given texts to values of variables */

/* Parses the texts as the variables' types demand; diagnoses names that are not
 * declared (warnings from files, errors from -var) and required variables
 * without a value. */
int inputs_parse(struct arena *a, struct inputs *in,
		 const struct cfg_module *root, struct diags *ds);
/* Variables with `const` must have a value wherever a configuration is read. */
int inputs_check_constants(struct arena *a, const struct inputs *in,
			   const struct cfg_module *root, struct diags *ds);
/* One of them alone: sets i->value (not converted yet) or i->bad. */
void input_parse(struct arena *a, struct input *i, const struct cfg_variable *v,
		 struct diags *ds);
/* The value of a root variable after inputs_parse, before validation:
 * converted, defaults applied, nullability checked.  in NULL: not given.
 * Always returns a value; marks are not added. */
const struct value *input_value(struct arena *a, const struct cfg_variable *v,
				const struct input *in, struct diags *ds);

#endif
