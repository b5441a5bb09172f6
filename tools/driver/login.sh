# tf login - not here, and says so
fail "The login command is not supported" \
	"OpenTofu has this command for credentials for remote services: there are none that this version talks to."
