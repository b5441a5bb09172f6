# options.sh - the options of the commands that are parts of tf
variables='  -var NAME=VALUE         Set a root variable
  -var-file FILE          Set root variables from a file'
state='  -lock=false             Do without the lock of the state
  -lock-timeout DURATION  How long to wait for it, as 10s
  -state FILE             State file (local backend)'
display='  -compact-warnings       Warnings without their detail
  -json                   Messages as JSON lines
  -no-color               No terminal colours'
run="  -concise                No lines about refreshing and progress
$display
  -input=false            Do not ask for missing variables
  -parallelism N          Operations at a time (default 10)
  -show-sensitive         Show sensitive values
$state
$variables"
select='  -exclude ADDRESS        Leave this and what depends on it out
  -exclude-file FILE      The same, addresses from a file
  -target ADDRESS         Only this and what it depends on
  -target-file FILE       The same, addresses from a file'
planning="  -destroy                Plan to destroy everything
$select
  -refresh=false          Do not look at the real objects first
  -refresh-only           Look at the real objects, plan nothing
  -replace ADDRESS        Replace this instance"
applying='  -auto-approve           Do not ask
  -backup FILE            Where the previous state is kept; - keeps none
  -state-out FILE         Write the state there instead
  -suppress-forget-errors Destroying may leave forgotten objects behind'

case $1 in
plan)
	echo "Usage: tf plan [options]

Shows what would change.

  -detailed-exitcode      Exit with 2 when there is something to apply
  -generate-config-out FILE
                          Write configuration for imports that have none
  -out FILE               Save the plan, for tf apply FILE
$planning
$run"
	;;
apply)
	echo "Usage: tf apply [options] [PLAN]

Plans, asks, and applies; or applies a saved plan.

$applying
$planning
$run"
	;;
destroy)
	echo "Usage: tf destroy [options]

Destroys all that is managed, after asking.

$applying
$select
$run"
	;;
refresh)
	echo "Usage: tf refresh [options]

Updates the state to match what exists.

  -backup FILE            Where the previous state is kept; - keeps none
  -state-out FILE         Write the state there instead
$select
$run"
	;;
import)
	echo "Usage: tf import [options] ADDRESS ID

Makes an object that exists the one of a resource instance.

  -config DIR             The configuration's directory
  -input=false            Do not ask for missing variables
$display
$state
$variables"
	;;
validate)
	echo "Usage: tf validate [options]

Checks the configuration, without state and variables' values.

  -json                   The result as JSON
  -no-color               No terminal colours
$variables"
	;;
*)
	. "$TF_LIB/help.sh"
	;;
esac
