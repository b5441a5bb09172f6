#!/usr/bin/env bats
# backend-pg.bats - states in PostgreSQL, beside OpenTofu where it is on PATH

load common
load servers
load backend

setup_file() {
	no_clouds
	start_server postgres
	psql_at="host=127.0.0.1 port=$postgres_port user=tests dbname=state"
	export psql_at PGPASSWORD=secret CHECKPOINT_DISABLE=1
}

teardown_file() {
	stop_servers
}

setup() {
	schema=s$BATS_TEST_NUMBER
	cd "$BATS_TEST_TMPDIR"
	configure
}

# configure [PORT [ARGUMENT...]]: a resource whose input is var.v
configure() {
	local port=${1:-$postgres_port}
	shift || true
	{
		cat <<-END
		terraform {
		  backend "pg" {
		    conn_str = "postgres://tests:secret@127.0.0.1:$port/state"
		    schema_name = "$schema"
		END
		printf '    %s\n' "$@"
		printf '  }\n}\n'
		resource
	} >main.tf
}

sql() {
	PGPASSWORD=secret psql "$psql_at sslmode=require" -Atc "$1"
}

locks() {
	sql "select count(*) from pg_locks where locktype = 'advisory'"
}

# bats test_tags=once
@test "a state is a row, and workspaces are rows of the same table" {
	begin one
	[ "$(cli output -raw o)" = one ]
	[ "$(sql "select name, data::json->>'serial' from $schema.states")" = 'default|1' ]
	cli workspace new w >/dev/null
	[ "$(sql "select data::json->>'resources' from $schema.states where name = 'w'")" = '[]' ]
	cli apply -auto-approve -var v=two >/dev/null
	[ "$(cli output -raw o)" = two ]
	[ "$(cli workspace list | tr -d ' \n')" = 'default*w' ]
	cli destroy -auto-approve >/dev/null
	cli workspace select default >/dev/null
	cli workspace delete w >/dev/null
	[ "$(sql "select name from $schema.states")" = default ]
	[ "$(cli output -raw o)" = one ]
}

@test "names are quoted, and what is to be skipped is not made" {
	configure '' 'table_name = "Ta\"ble"' 'index_name = "In dex"'
	begin one
	[ "$(sql "select data::json->'outputs'->'o'->>'value' from $schema.\"Ta\"\"ble\"")" = one ]
	[ "$(sql "select count(*) from pg_indexes where indexname = 'In dex'")" = 1 ]
	schema=${schema}_none
	configure '' 'skip_schema_creation = true' 'skip_table_creation = true' 'skip_index_creation = true'
	run -1 cli init -input=false -reconfigure
	[[ ${output//$'\n'/ } == *'does not exist'*'42P01'* ]]
	[ "$(sql "select count(*) from pg_namespace where nspname = '$schema'")" = 0 ]
}

@test "settings come from the environment; TLS is required by default" {
	cat >main.tf <<-'END'
	terraform {
	  backend "pg" {}
	}
	variable "v" { default = "1" }
	output "o" { value = var.v }
	END
	export PG_SCHEMA_NAME=$schema PGHOST=127.0.0.1 PGPORT=$postgres_port PGUSER=tests PGDATABASE=state
	begin e
	[ "$(sql "select name from $schema.states")" = default ]
	[ "$(cli output -raw o)" = e ]
	ours || return 0
	sql 'alter system set ssl = off' >/dev/null
	sql 'select pg_reload_conf()' >/dev/null
	run -1 cli output
	PGSSLMODE=prefer run -0 cli output -raw o
	psql "$psql_at" -Atc 'alter system reset ssl' -c 'select pg_reload_conf()' >/dev/null
	[[ $output == e ]]
	PG_CONN_STR='postgres://u:p%zz@h/' run -1 cli output
	[[ $output == *'"conn_str"'* ]]
	[[ $output != *zz* ]]
}

# bats test_tags=once
@test "what is wrong is told without the password" {
	begin one
	PGSSLMODE=disable PGPASSWORD='' configure 1
	run -1 cli init -input=false -reconfigure
	[[ $output == *refused* ]]
	[[ $output != *secret* ]]
	sed -i "s/:secret@127.0.0.1:1/:wrongsecret@127.0.0.1:$postgres_port/" main.tf
	run -1 cli init -input=false -reconfigure
	[[ $output == *'password authentication failed'* ]]
	[[ $output != *wrongsecret* ]]
}

# bats test_tags=once
@test "a lock that is held is told with its holder; reading needs none" {
	begin one
	slow_apply "${TF_TEST_CLI-tf}"
	without_slow
	run -1 cli plan
	[[ $output == *'Error acquiring the state lock'* ]]
	[[ $output == *'Workspace is already locked: default'* ]]
	[ "$(cli output -raw o)" = one ]
	if ours; then
		[[ $output == *'tests@127.0.0.1'* ]]
	fi
	touch go
	wait "$slow"
	cli plan >/dev/null
}

@test "a state that is made is locked for others, too" {
	cli init -input=false >/dev/null
	slow_apply "${TF_TEST_CLI-tf}"
	without_slow
	run -1 cli plan
	[[ $output == *'Already locked for workspace creation: default'* ]]
	touch go
	wait "$slow"
}

# bats test_tags=once
@test "a workspace that is locked keeps nobody from making another" {
	begin one
	slow_apply "${TF_TEST_CLI-tf}"
	without_slow
	TF_WORKSPACE=other run -0 cli plan
	touch go
	wait "$slow"
}

@test "while a workspace is made no other is locked" {
	begin one
	TF_WORKSPACE=other slow_apply "${TF_TEST_CLI-tf}"
	without_slow
	run -1 cli plan
	[[ $output == *'Cannot lock workspace'* ]]
	touch go
	wait "$slow"
}

# bats test_tags=once
@test "who waits for one lock holds no other meanwhile" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'which queries ours makes'
	local asked id tries=0 waiting

	begin one
	id=$(sql "select id from $schema.states where name = 'default'")
	TF_WORKSPACE=other slow_apply tf
	without_slow
	tf plan -lock-timeout=60s >waited 3>&- &
	waiting=$!
	# after a try it has asked who holds the lock
	asked="select count(*) from pg_stat_activity where state = 'idle' and
		query like '%a.usename%l.granted%' and pid <> pg_backend_pid()"
	until [ "$(sql "$asked")" = 1 ]; do
		((++tries < 200))
		sleep 0.1
	done
	[ "$(sql "select count(*) from pg_locks where locktype = 'advisory' and
		granted and (classid::bigint << 32 | objid::bigint) = $id")" = 0 ]
	touch go
	wait "$slow"
	wait "$waiting"
	[[ $(<waited) == *'terraform_data'* ]]
}

# bats test_tags=once
@test "kill -9 leaves no lock, and the journal has what was done" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'our journal'
	begin one
	slow_apply tf
	without_slow
	children=$(pgrep -P "$slow")
	[ -n "$children" ]
	kill -9 $children
	wait "$slow" || true
	touch go
	cli plan -lock-timeout=10s >/dev/null
}

@test "force-unlock ends the holder's session, which notices it" {
	[ -z "${TF_TEST_CLI-}" ] || skip "OpenTofu's does nothing"
	forced_away 'somebody else has'
}

# bats test_tags=once
@test "a lock that was lost is taken again where nobody wrote" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'our guard'
	begin one
	slow_apply tf
	sql "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'"
	touch go
	wait "$slow"
	[ ! -e errored.tfstate ]
	[ "$(cli state list | grep -c slow)" = 1 ]
}

# bats test_tags=once
@test "a lock that was lost is taken again where the state is encrypted" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'our guard'
	export TF_ENCRYPTION='key_provider "pbkdf2" "k" {
	passphrase = "0123456789abcdef"
	iterations = 200000
	}
	method "aes_gcm" "m" { keys = key_provider.pbkdf2.k }
	state { method = method.aes_gcm.m }'
	begin one
	slow_apply tf
	sql "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'"
	touch go
	wait "$slow"
	[ ! -e errored.tfstate ]
	[ "$(cli state list | grep -c slow)" = 1 ]
}

# bats test_tags=once
@test "two make the table at once" {
	cli init -input=false >/dev/null
	sql "drop schema $schema cascade"
	pids=
	for n in 1 2 3 4; do
		cli workspace list >"out.$n" 2>&1 3>&- &
		pids="$pids $!"
	done
	wait $pids
	[ "$(sort -u out.* | tr -d ' \n')" = '*default' ]
	cli apply -auto-approve >/dev/null
}

# A session that does what comes through the pipe.
making() { # FIFO
	mkfifo "$1"
	PGPASSWORD=secret psql "$psql_at sslmode=require" -q <"$1" >/dev/null 2>&1 3>&- &
}

# Waits until a session that makes this waits for another one's transaction.
waiting() { # WHAT
	local found
	for _ in {1..600}; do
		found=$(sql "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'CREATE $1%'")
		[ -z "$found" ] || return 0
		sleep 0.05
	done
	return 1
}

@test "each part may be made by somebody else meanwhile" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'our promise'
	cli init -input=false >/dev/null
	sql "drop schema $schema cascade; drop sequence public.global_states_id_seq cascade"
	making one
	exec 7>one
	making two
	exec 8>two
	echo "begin; create schema $schema; \\! touch made1" >&7
	echo 'begin; create sequence public.global_states_id_seq as bigint; \! touch made2' >&8
	until [ -e made1 ] && [ -e made2 ]; do sleep 0.05; done
	cli workspace list >out 2>&1 3>&- 7>&- 8>&- &
	listing=$!
	waiting SCHEMA
	echo 'commit;' >&7
	exec 7>&-
	waiting SEQUENCE
	echo 'commit;' >&8
	exec 8>&-
	wait "$listing"
	[ "$(tr -d ' \n' <out)" = '*default' ]
}

@test "what one program writes the other reads, and each sees the other's lock" {
	both_programs 'Workspace is already locked: default'
}

# bats test_tags=once
@test "wherever the connection is cut, the state is stored or kept" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'our promise'
	begin one
	start_proxy postgres raw
	configure "$postgres_proxy_port"
	sed -i 's|/state"|/state?sslmode=disable"|' main.tf
	cli init -input=false -reconfigure >/dev/null
	rm -f "$postgres_proxy_dir/requests.jsonl"
	cli apply -auto-approve -var v=0 >/dev/null
	total=$(wc -l <"$postgres_proxy_dir/requests.jsonl")
	[ "$total" -gt 10 ]
	every_fault postgres_proxy "$total"
}

# bats test_tags=once
@test "a workspace that is made in an encrypted run is sealed" {
	workspaces_are_sealed
}
