# tests/tools/*.bats are run by tests/bats.sh once per file
