# help.sh - what there is
if [ -n "${1-}" ]; then # tf -help NAME
	exec "$TF_SELF" "$@" -help
fi
cat <<'EOF'
Usage: tf [global options] <subcommand> [args]

Main commands:
  init          Prepare your working directory for other commands
  validate      Check whether the configuration is valid
  plan          Show changes required by the current configuration
  apply         Create or update infrastructure
  destroy       Destroy previously-created infrastructure

All other commands:
  console       Try expressions at an interactive prompt
  fmt           Reformat your configuration in the standard style
  force-unlock  Release a stuck lock on the current workspace
  get           Install the modules of the configuration
  graph         Generate a Graphviz graph of the steps in an operation
  import        Associate existing infrastructure with a resource
  metadata      Metadata related commands
  output        Show output values from your root module
  providers     Show the providers required for this configuration
  refresh       Update the state to match remote systems
  show          Show the current state or a saved plan
  state         Advanced state management
  taint         Mark a resource instance as not fully functional
  untaint       Remove the 'tainted' state from a resource instance
  version       Show the current version
  workspace     Workspace management

Not here: login, logout (there are no remote services) and test.

Global options (use these before the subcommand, if any):
  -chdir=DIR    Switch to a different working directory first
  -help         Show this help
  -version      An alias for the "version" subcommand

Any program tf-NAME on PATH is "tf NAME". The stages are programs, too:
  tf-parse | tf-eval | tf-graph | tf-plan | tf-apply
each with a manual page of its name; the stream between them is tf-stream(5).
EOF
