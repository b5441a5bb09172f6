#!/usr/bin/env bats
# backend-pg-rows.bats - states in PostgreSQL with a row an instance, which several
# runs change at the same time

load common
load servers
load backend

without_leak_checks

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
	ours || cannot "granularity is our own"
	schema=s$BATS_TEST_NUMBER
	cd "$BATS_TEST_TMPDIR"
	backend_block >backend.tf
	resource >main.tf
}

backend_block() {
	cat <<-END
	terraform {
	  backend "pg" {
	    conn_str = "postgres://tests:secret@127.0.0.1:$postgres_port/state"
	    schema_name = "$schema"
	    granularity = "resource"
	END
	echo "  }"
	echo "}"
}

sql() {
	PGPASSWORD=secret psql "$psql_at sslmode=require" -Atc "$1"
}

# What is in the way of others: runs, and what they claim.
locks() {
	sql "select (select count(*) from $schema.states_runs) + (select count(*) from $schema.states_claims)"
}

# parts N: resources p0 to pN-1 that have nothing to do with each other, whose inputs
# are var.v; each waits for a file of its name if that is in var.wait
parts() {
	local i
	cat <<-'END'
	variable "v" { default = "1" }
	variable "wait" { default = "" }
	END
	for i in $(seq 0 $(($1 - 1))); do
		cat <<-END
		resource "terraform_data" "p$i" {
		  input = var.v
		  triggers_replace = var.v
		  provisioner "local-exec" {
		    command = "touch begun.p$i; [ '\${var.wait}' != p$i ] || until [ -e go ]; do sleep 0.05; done"
		  }
		}
		END
	done
}

# Waits until the file is there.
await() {
	local i
	for i in $(seq 200); do
		[ ! -e "$1" ] || return 0
		sleep 0.05
	done
	return 1
}

# bats test_tags=once
@test "an instance and an output are rows; views show them, and what was done" {
	begin one
	[ "$(cli output -raw o)" = one ]
	[ "$(sql "select kind, address from $schema.states_rows order by 1, 2")" = $'i|terraform_data.a\no|output.o' ]
	[ "$(sql "select workspace, address, attributes->'input'->>'value' from $schema.states_resources")" = 'default|terraform_data.a|one' ]
	[ "$(sql "select name, sensitive from $schema.states_outputs")" = 'o|f' ]
	cli destroy -auto-approve >/dev/null
	[ "$(sql "select count(*) from $schema.states_rows")" = 0 ]
	[ "$(sql "select address, what, operation from $schema.states_history where address like '%.a' order by serial, at")" = \
		$'terraform_data.a|stored|OperationTypeApply\nterraform_data.a|removed|OperationTypeApply' ]
	[ "$(locks)" = 0 ]
}

@test "pull gives a state of version 4, and push takes one" {
	begin one
	cli state pull >pulled
	[ "$(jq -c '[.version, .serial, (.resources | length), .outputs.o.value]' pulled)" = '[4,1,1,"one"]' ]
	cli state push pulled >/dev/null
	[ "$(cli state pull | jq .serial)" = 1 ]
	jq '.serial += 1 | .resources[0].instances[0].attributes.input.value = "two"' pulled >next
	cli state push next >/dev/null
	cli state pull | jq -e '.resources[0].instances[0].attributes.input.value == "two"'
	run -1 cli state push pulled
	[[ $output == *'cannot import state with serial 1 over newer state'* ]]
	jq '.lineage = "x"' next >other
	run -1 cli state push other
	[[ $output == *'unrelated state'* ]]
}

@test "state commands, workspaces and remote states work as with a text" {
	begin one
	cli state mv terraform_data.a terraform_data.b >/dev/null
	[ "$(cli state list)" = terraform_data.b ]
	cli state rm terraform_data.b >/dev/null
	run -0 cli state list
	[ -z "$output" ]
	cli workspace new w >/dev/null
	cli apply -auto-approve -var v=two >/dev/null
	[ "$(cli output -raw o)" = two ]
	[ "$(cli workspace list | tr -d ' \n')" = 'default*w' ]
	cli workspace select default >/dev/null
	run -1 cli workspace delete w
	[[ $output == *'is not empty'* ]]
	cli workspace delete -force w >/dev/null
	[ "$(sql "select name from $schema.states_heads")" = default ]
	[ "$(locks)" = 0 ]
}

# bats test_tags=once
@test "each outcome is a committed row: a kill loses nothing, and leaves no lock" {
	parts 3 >main.tf
	cli init -input=false >/dev/null
	setsid timeout 60 tf apply -auto-approve -no-color -parallelism=1 -var wait=p1 >slow.out 2>&1 3>&- &
	await begun.p1
	kill -9 -- "-$!"
	wait "$!" || true
	run -0 sql "select address from $schema.states_rows where kind = 'i' order by 1"
	[[ $output == *p0* || $output == *p2* ]]
	[[ $output == *p1* ]] # made, and tainted until it is provisioned
	run -0 cli plan
	[[ $output == *'terraform_data.p1 is tainted'* ]]
	touch go
	cli apply -auto-approve >/dev/null
	[ "$(cli state list | wc -l)" = 3 ]
	[ "$(locks)" = 0 ]
	run -2 ls .terraform/*.journal
}

# bats test_tags=once
@test "a run goes on in a new session, unless somebody swept it away meanwhile" {
	local between status slow
	parts 2 >main.tf
	cli init -input=false >/dev/null
	for between in true "cli apply -auto-approve -target=terraform_data.p1"; do
		rm -f go begun.*
		timeout 60 tf apply -auto-approve -no-color -target=terraform_data.p0 \
			-var v="$between" -var wait=p0 >slow.out 2>&1 3>&- &
		slow=$! status=0
		await begun.p0
		sql "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'"
		$between >/dev/null
		touch go
		wait "$slow" || status=$?
		[ "$(locks)" = 0 ]
		[ "$between" != true ] || [ "$status" = 0 ]
	done
	[ "$status" = 1 ]
	grep -q 'connection was lost, and with it what was claimed' <(tr '\n' ' ' <slow.out)
}

# bats test_tags=once
@test "disjoint applies run at the same time; plans take no lock" {
	parts 3 >main.tf
	cli init -input=false >/dev/null
	timeout 60 tf apply -auto-approve -no-color -target=terraform_data.p0 -var wait=p0 >slow.out 2>&1 3>&- &
	local slow=$!
	await begun.p0
	cli plan >/dev/null
	cli apply -auto-approve -target=terraform_data.p1 >/dev/null
	[ "$(sql "select address, what from $schema.states_work where address like '%.p%'")" = 'terraform_data.p0|changes' ]
	touch go
	wait "$slow"
	[ "$(cli state list)" = $'terraform_data.p0\nterraform_data.p1' ]
	[ "$(locks)" = 0 ]
}

# bats test_tags=once
@test "of overlapping applies one wins, the other is told which addresses and who" {
	parts 2 >main.tf
	cat >>main.tf <<-'END'
	resource "terraform_data" "reader" { input = terraform_data.p0.id }
	END
	cli init -input=false >/dev/null
	timeout 60 tf apply -auto-approve -no-color -target=terraform_data.p0 -var wait=p0 >slow.out 2>&1 3>&- &
	local slow=$!
	await begun.p0
	run -1 cli apply -auto-approve -target=terraform_data.p0
	[[ $output == *'Error acquiring the state lock'* ]]
	[[ $output == *"terraform_data.p0 (changed by "*"@"* ]]
	run -1 cli apply -auto-approve -target=terraform_data.reader
	[[ $output == *"terraform_data.p0 (changed by "* ]]
	run -1 cli state rm terraform_data.p1
	[[ $output == *"terraform_data.p0 (changed by "* ]]
	(sleep 0.5; touch go) 3>&- &
	cli apply -auto-approve -target=terraform_data.reader -lock-timeout=20s >/dev/null 2>out || grep -q 'stale' out
	wait "$slow"
	[ "$(locks)" = 0 ]
}

# What an apply of module CALL, or of one of its instances, reads.
reads_of() { # CALL [KEY]
	rm -f go begun
	timeout 60 tf apply -auto-approve -no-color -target="module.$1${2-}" -var "wait=$1" >slow.out 2>&1 3>&- &
	local slow=$!
	await begun || return 1
	sql "select address from $schema.states_work where what = 'reads' order by address"
	touch go
	wait "$slow"
}

@test "in instances of a module an apply reads what its keys say, elsewhere all" {
	local made
	mkdir m
	cat >m/main.tf <<-'END'
	variable "given" { default = "" }
	variable "wait" { default = false }
	resource "terraform_data" "y" { input = 1 }
	resource "terraform_data" "z" {
	  input = [terraform_data.y.output, var.given]
	  provisioner "local-exec" {
	    command = "touch begun; ${!var.wait} || until [ -e go ]; do sleep 0.05; done"
	  }
	}
	output "y" { value = terraform_data.y.output }
	END
	cat >main.tf <<-'END'
	variable "wait" { default = "" }
	module "k" {
	  source   = "./m"
	  for_each = toset(["a", "b"])
	  wait     = var.wait == each.key
	}
	resource "terraform_data" "held" {
	  count = 2
	  input = 1
	  lifecycle {
	    postcondition {
	      condition     = self.input == 1
	      error_message = "no"
	    }
	  }
	}
	module "one" {
	  source = "./m"
	  given  = terraform_data.held[0].id
	  wait   = var.wait == "one"
	}
	module "other" {
	  source   = "./m"
	  for_each = toset(["a"])
	  given    = [for m in module.k : m.y][0]
	  wait     = var.wait == "other"
	}
	module "own" {
	  source   = "./m"
	  for_each = toset(["a", "b"])
	  given    = module.own["a"].y
	  wait     = var.wait == "own"
	}
	END
	cli init -input=false >/dev/null
	for made in 'module.k["a"]' 'module.k["b"]' 'module.own["a"]' 'module.own["b"]'; do
		cli apply -auto-approve -target="$made.terraform_data.y" >/dev/null
	done
	cli apply -auto-approve -target=terraform_data.held >/dev/null
	timeout 60 tf apply -auto-approve -no-color -target='module.k["a"]' -var wait=a >slow.out 2>&1 3>&- &
	local slow=$!
	await begun
	cli apply -auto-approve -target='module.k["b"]' >/dev/null
	[ "$(sql "select address from $schema.states_work where what = 'reads'")" = 'module.k["a"].terraform_data.y' ]
	run -1 cli apply -auto-approve -replace='module.k["a"].terraform_data.y' -target='module.k["a"].terraform_data.y'
	[[ $output == *'module.k["a"].terraform_data.y (read by '* ]]
	cli apply -auto-approve -replace='module.k["b"].terraform_data.y' -target='module.k["b"].terraform_data.y' >/dev/null
	touch go
	wait "$slow"

	[ "$(reads_of one)" = $'module.one.terraform_data.y\nterraform_data.held' ]
	[ "$(reads_of own '["b"]')" = $'module.own.terraform_data.y\nmodule.own["b"].terraform_data.y' ]
	[ "$(reads_of other)" = $'module.k.terraform_data.y\nmodule.k.terraform_data.z\nmodule.other["a"].terraform_data.y' ]
}

@test "a saved plan stays valid after an apply that touched nothing of it" {
	parts 3 >main.tf
	cli init -input=false >/dev/null
	cli apply -auto-approve >/dev/null
	cli plan -target=terraform_data.p0 -var v=2 -out=p0.plan >/dev/null
	cli plan -target=terraform_data.p1 -var v=2 -out=p1.plan >/dev/null
	cli plan -target=terraform_data.p1 -var v=3 -out=p1b.plan >/dev/null
	cli apply p1.plan >/dev/null
	cli apply p0.plan >/dev/null
	run -1 cli apply p1b.plan
	[[ $output == *'Saved plan is stale'*'terraform_data.p1 was changed after the plan'* ]]
	[ "$(sql "select value::json->'attributes'->'input'->>'value' from $schema.states_rows where kind = 'i' order by address")" = $'2\n2\n1' ]
}

@test "force-unlock ends the run of the lock whose ID is told" {
	parts 2 >main.tf
	cli init -input=false >/dev/null
	timeout 60 tf apply -auto-approve -no-color -target=terraform_data.p0 -var wait=p0 >slow.out 2>&1 3>&- &
	local slow=$!
	await begun.p0
	run -1 cli force-unlock -force 00000000-0000-0000-0000-000000000000
	cli force-unlock -force "$(sql "select id from $schema.states_runs")" >/dev/null
	cli apply -auto-approve -target=terraform_data.p0 >/dev/null
	touch go
	local status=0
	wait "$slow" || status=$?
	[ "$status" = 1 ]
	grep -q 'taken from it\|with it what was claimed' slow.out
	[ "$(locks)" = 0 ]
}

@test "an operation of unknown outcome is told until it is settled" {
	begin one
	sql "insert into $schema.states_intents (state, run, address, deposed, action) select id, 'x', 'terraform_data.a', '', 'update' from $schema.states_heads" >/dev/null
	run -0 cli plan
	[[ ${output//$'\n'/ } == *'Operation of unknown outcome'*'"update" of terraform_data.a'* ]]
	cli state settle terraform_data.a >/dev/null
	run -0 cli plan
	[[ $output != *'unknown outcome'* ]]
}

@test "a key is rotated without writing rows, and encryption is switched off" {
	local a='key_provider "pbkdf2" "a" { passphrase = "correct-horse-battery" }
	method "aes_gcm" "a" { keys = key_provider.pbkdf2.a }'
	local b='key_provider "pbkdf2" "b" { passphrase = "another-horse-battery" }
	method "aes_gcm" "b" { keys = key_provider.pbkdf2.b }'
	only() { # METHOD [FALLBACK]
		printf '\n%s\n%s\nmethod "unencrypted" "u" {}\nstate {\nmethod = method.%s\n' "$a" "$b" "$1"
		if [ -n "${2-}" ]; then
			printf 'fallback {\nmethod = method.%s\n}\n' "$2"
		fi
		echo '}'
	}
	TF_ENCRYPTION=$(only aes_gcm.a)
	export TF_ENCRYPTION
	begin one
	run -0 sql "select value from $schema.states_rows order by 1"
	before=$output
	[[ $before == sealed:* ]]
	TF_ENCRYPTION=$(only aes_gcm.b aes_gcm.a)
	cli apply -auto-approve -var v=one >/dev/null
	[ "$(sql "select value from $schema.states_rows order by 1")" = "$before" ]
	TF_ENCRYPTION=$(only aes_gcm.b)
	[ "$(cli output -raw o)" = one ]
	TF_ENCRYPTION=$(only aes_gcm.a)
	run -1 cli output -raw o
	[[ ${output//$'\n'/ } == *'decryption failed'* ]]
	TF_ENCRYPTION=$(only unencrypted.u aes_gcm.b)
	cli state pull >pulled
	cli state push pulled >/dev/null
	unset TF_ENCRYPTION
	[ "$(cli output -raw o)" = one ]
	[ "$(sql "select count(*) from $schema.states_rows where value like 'sealed:%'")" = 0 ]
}

# bats test_tags=once
@test "values are encrypted, addresses are not, and no value stands for another" {
	local first='key_provider "pbkdf2" "a" { passphrase = "correct-horse-battery" }
	method "aes_gcm" "m" { keys = key_provider.pbkdf2.a }'
	begin plainest
	export TF_ENCRYPTION="$first"'
	method "unencrypted" "u" {}
	state {
	  method = method.aes_gcm.m
	  fallback { method = method.unencrypted.u }
	}'
	[ "$(cli output -raw o)" = plainest ]
	cli apply -auto-approve -var v=hiddenvalue >/dev/null
	run -0 sql "select address, value from $schema.states_rows"
	[[ $output == *'terraform_data.a|sealed:'* ]]
	[[ $output != *hiddenvalue* ]]
	cli state pull >pulled
	grep -q hiddenvalue pulled
	cli state push pulled >/dev/null
	[ "$(sql "select count(*) from $schema.states_rows where value like '{%'")" = 0 ]
	export TF_ENCRYPTION="$first"'
	state { method = method.aes_gcm.m }'
	[ "$(cli output -raw o)" = hiddenvalue ]
	sql "update $schema.states_rows r set value = x.value from $schema.states_rows x where r.kind = 'o' and x.kind = 'i'" >/dev/null
	run -1 cli output -raw o
	[[ ${output//$'\n'/ } == *'cannot be decrypted'* ]]
	unset TF_ENCRYPTION
	run -1 cli state list
	[[ ${output//$'\n'/ } == *'is encrypted'* ]]
}

# bats test_tags=once
@test "with -target and -exclude only the rows that are needed are read" {
	cat >main.tf <<-'END'
	resource "terraform_data" "base" { input = 1 }
	resource "terraform_data" "used" {
	  count = 2
	  input = terraform_data.base.id
	}
	resource "terraform_data" "other" {
	  count = 3
	  input = terraform_data.used[0].id
	}
	resource "terraform_data" "away" {}
	module "m" { source = "./m" }
	output "o" { value = terraform_data.other[0].id }
	output "u" { value = terraform_data.used[1].id }
	END
	mkdir m
	echo 'resource "terraform_data" "base" {}' >m/main.tf
	cli init -input=false >/dev/null
	cli apply -auto-approve >/dev/null
	sed -i '/"away"/d' main.tf
	rows_of() {
		cli plan -refresh=false "$@" -out=p >/dev/null
		tf show -json p | jq -c '[.prior_state.values.root_module | ., .child_modules[]? | .resources[]?.address] | map(ltrimstr("terraform_data.")) | sort'
	}
	[ "$(rows_of -target='terraform_data.used[1]')" = '["base","used[0]","used[1]"]' ]
	[ "$(rows_of -target=terraform_data.away)" = '["away"]' ]
	[ "$(rows_of -exclude=terraform_data.other)" = '["away","base","module.m.terraform_data.base","used[0]","used[1]"]' ]
	[ "$(rows_of -target=module.m.terraform_data.base)" = '["module.m.terraform_data.base"]' ]
	[ "$(rows_of | jq length)" = 8 ]
	# the same where no plan is kept
	echo 'resource "terraform_data" "new" { input = terraform_data.other[0].id }' >new.tf
	run -0 cli plan -no-color -target=terraform_data.new
	[[ $output == *'Plan: 1 to add, 0 to change, 0 to destroy'* ]]
	rm new.tf
	sed -i 's/input = 1/input = 2/' main.tf
	cli apply -auto-approve -target='terraform_data.used[1]' >/dev/null
	[ "$(cli state list | wc -l)" = 8 ]
	[ "$(sql "select count(*) from $schema.states_rows where kind = 'o'")" = 2 ]
	cli apply -auto-approve -exclude=terraform_data.other >/dev/null
	[ "$(cli state list | wc -l)" = 7 ]
	run -0 cli plan -detailed-exitcode
}

@test "a block without granularity is remembered as OpenTofu has it" {
	sed -i /granularity/d backend.tf
	cli init -input=false >/dev/null
	jq -e '.backend.config | has("granularity") | not' .terraform/terraform.tfstate
	need_peer
	tofu plan -no-color >/dev/null
	tofu init -no-color -reconfigure -input=false >/dev/null
	cli plan >/dev/null
}

# bats test_tags=once
@test "applies, kills and moves at random leave a history without an anomaly" {
	need python3
	need psql
	run -0 "$TF_TEST_SRC/tests/rows/run" history -n 30 --seed 7 --jobs 3 \
		--server "postgres://tests:secret@127.0.0.1:$postgres_port/state"
	[[ $output == *': 0 anomalies' ]]
}

# bats test_tags=once
@test "disjoint applies at once take about as long as one alone" {
	need python3
	run -0 "$TF_TEST_SRC/tests/rows/run" disjoint -n 3 --work 4 \
		--server "postgres://tests:secret@127.0.0.1:$postgres_port/state"
	[[ $output == *'16 instances' ]]
}

@test "what cannot be committed is told, and its file does not replace what others did" {
	parts 2 >main.tf
	cli init -input=false >/dev/null
	timeout 60 tf apply -auto-approve -no-color -target=terraform_data.p0 -var wait=p0 >slow.out 2>&1 3>&- &
	local slow=$! status=0
	await begun.p0
	cli apply -auto-approve -target=terraform_data.p1 >/dev/null
	sql "alter table $schema.states_rows rename to away" >/dev/null
	touch go
	wait "$slow" || status=$?
	sql "alter table $schema.away rename to states_rows" >/dev/null
	[ "$status" = 1 ]
	grep -q 'the database lacks them:' <(tr '\n' ' ' <slow.out)
	grep -q terraform_data.p0 slow.out
	jq -e '.resources[].name == "p0"' errored.tfstate
	run -1 cli state push errored.tfstate
	[ "$(cli state list)" = $'terraform_data.p0\nterraform_data.p1' ]
}
