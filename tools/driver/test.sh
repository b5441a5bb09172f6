# tf test - not here, and says so
fail "The test command is not supported" \
	"OpenTofu has this command for tests of modules (.tftest.hcl files)."
