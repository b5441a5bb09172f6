#!/usr/bin/env bats
# recipes.bats - each recipe of tf-recipes(7) is taken from the page and run: where it
# should succeed, and in each way in which what is before its last command can fail

load common
load recipes.bash

jq_itself

setup_file() {
	without_leak_checks
	cd "$BATS_FILE_TMPDIR"
	recipes_of_page "$TF_TEST_SRC/man/tf-recipes.7" recipes
	mkdir base
	cd base
	cat >../more.tf <<-'TF'
	variable "unused" {
	  default = 1
	}

	output "url" {
	  value = "https://it's.example/\"$HOME\""
	}
	TF
	recipes_app ../more.tf
	stubs_for half half
	stubs_for nothing nothing
	cd app
	tf-state pull >old.tfstate
	TF_VAR_services='{api={port=8090,replicas=2},web={port=8081}}' \
		tf plan -out=q >../said
	TF_VAR_services=$services tf plan -out=p >../said
	(umask 077 && TF_VAR_services=$services tf-graph -C . >g)
	echo 'module.service["api"]' >addresses
	printf 'terraform_data.found_%s\t%s\n' a id-a b 'id "b"' >ids
}

setup() {
	need jq
	base=$BATS_FILE_TMPDIR/base
	export TF_VAR_services=$services
	prepare=''
}

recipe() { # TITLE [STATUS]
	local title
	title=$(grep -lxF "$1" "$BATS_FILE_TMPDIR"/recipes/*.title)
	echo "$1" >>"$BATS_FILE_TMPDIR/ran"
	script=${title%.title}.sh
	in_both_cases "$script" "${2-0}"
}

as_applied='{api={port=8080,replicas=2},web={port=8081}}'
as_q() { mv q p; } # 1 update, 2 replacements

@test "plan, and say so" {
	recipe 'Is there something to do?' 2
	[[ $output = *'Plan: 4 to add, 1 to change, 4 to destroy.'* ]]
	[ -s "$TRY/app/p" ]
	TF_VAR_services=$as_applied attempt "$script"
	[ "$status" = 0 ]

	recipe 'A screen of it, and a plan to apply:'
	[[ $output = *'2 to destroy, 2 to replace, 1 to change, 2 to add'* ]]

	recipe 'A comment for a pull request:'
	[ -z "$output" ]
	[[ $(<"$TRY/app/comment.md") = *'module.service["api"]'*'</details>'* ]]

	recipe 'A page to search, for those who decide:'
	[[ $(<"$TRY/app/plan.html") = '<!DOCTYPE html>'*'</html>' ]]

	recipe 'Is all well with the files, without state and accounts?'
	[ "$output" = 'Success! The configuration is valid.' ]
	unformatted() { echo 'locals { a  = 1 }' >>main.tf; }
	prepare=unformatted attempt "$script"
	[ "$status" != 0 ]

	TF_VAR_services=$as_applied recipe 'Nothing may be destroyed or replaced:'
	[[ $output = *'Saved the plan to: p'* || $output = *'No changes.'* ]]
	attempt "$script"
	[ "$status" = 1 ]
	[[ $stderr = *'denies 4 changes:'* ]]

	TF_VAR_services='{api={port=8080,replicas=3},web={port=8081}}' \
		recipe 'Apply at once if only something new comes:'
	[[ $output = *'Resources: 1 added, 0 changed, 0 destroyed.'* ]]
	attempt "$script"
	closed 0

	recipe 'At most four may be destroyed or replaced:'
	sed 's/4 ]/3 ]/' "$script" >less
	attempt "$PWD/less"
	[ "$status" = 1 ]

	prepare=as_q recipe 'All that is new has an owner:'
	attempt "$script"
	[ "$status" = 1 ]
	prints <<-'END'
	module.service["db"].terraform_data.config
	module.service["db"].terraform_data.replica[0]
	END

	recipe 'Is what was approved still what would be done?'
	[ -z "$output" ]

	recipe 'What would another value change?' 1
	[ "${lines[1]}" = \
		$'terraform_data.database\tinput.environment\t"staging"\t"production"' ]

	recipe 'What does the branch change in the plan, beside another one?'
	prints <<-'END'
	module.service["web"].terraform_data.config
	module.service["web"].terraform_data.replica[0]
	output.databases
	output.endpoints
	module.service["db"].terraform_data.config
	module.service["db"].terraform_data.replica[0]
	END

	recipe 'Was something changed outside?' 1
	[ -z "$output$stderr" ]

	TF_VAR_services=$as_applied recipe 'Mail about changes and failures, every night:'
	[ ! -e "$TRY/mail" ]
	attempt "$script"
	[ "$status" = 2 ]
	[[ $(<"$TRY/mail") = *'Plan: 4 to add'* ]]
	damage=break_configuration attempt "$script"
	[ "$status" = 1 ]
	[[ $(<"$TRY/mail") = *Error* ]]
}

@test "look into a plan" {
	recipe 'What changes, a line each:'
	prints <<-'END'
	update	module.service["api"].terraform_data.config
	replace	module.service["api"].terraform_data.replica[0]
	replace	module.service["api"].terraform_data.replica[1]
	create	module.service["db"].terraform_data.config
	create	module.service["db"].terraform_data.replica[0]
	delete	module.service["web"].terraform_data.config
	delete	module.service["web"].terraform_data.replica[0]
	END

	recipe 'What is destroyed or replaced, in full:'
	[[ $output = *'This is a part: 4 of 8 changes'* ]]
	[[ $output = *'Plan: 2 to add, 0 to change, 4 to destroy.'* ]]
	[[ $output != *'service["db"]'*'Plan:'* ]]

	recipe 'Why is something replaced or destroyed?'
	prints <<-'END'
	module.service["api"].terraform_data.replica[0]	replace_because_cannot_update	[["triggers_replace"]]
	module.service["api"].terraform_data.replica[1]	replace_because_cannot_update	[["triggers_replace"]]
	module.service["web"].terraform_data.config	delete_because_no_module	
	module.service["web"].terraform_data.replica[0]	delete_because_no_module	
	END

	recipe 'Why does this one change?'
	[[ $output = *'input.port: 8080 -> 8090'*'from the environment'* ]]

	recipe 'How many of which type?'
	prints <<-'END'
	      2 create	terraform_data
	      2 delete	terraform_data
	      2 replace	terraform_data
	      1 update	terraform_data
	END

	recipe 'A table for a spreadsheet:'
	[ "${#lines[@]}" = 8 ]
	[ "${lines[1]}" = \
		'"update","terraform_data","module.service[""api""].terraform_data.config"' ]

	recipe 'Whose port changes?'
	prints <<-'END'
	module.service["api"].terraform_data.config	8080	8090
	module.service["db"].terraform_data.config		8081
	module.service["web"].terraform_data.config	8081	
	END

	recipe 'All that happens in one module, an attribute a line:'
	[ "${lines[1]}" = \
		'module.service["api"].terraform_data.config.input.port: 8080 -> 8090' ]

	recipe 'What will be known only after the apply?'
	[ "${#lines[@]}" = 5 ]

	recipe 'Which outputs change?'
	prints <<-'END'
	update	output.databases
	update	output.endpoints
	END

	recipe 'What has secrets in it?'
	prints <<-'END'
	module.service["api"].terraform_data.config
	module.service["db"].terraform_data.config
	module.service["web"].terraform_data.config
	END

	recipe 'No check may fail:'
	[ -z "$output" ]
	same_port() {
		TF_VAR_services='{a={port=1},b={port=1}}' tf plan -out=p >t
	}
	prepare=same_port attempt "$script"
	[ "$status $output" = '1 check.ports' ]

	recipe 'A picture of what is done:'
	[[ $(<"$TRY/app/plan.svg") = *'<svg '*'</svg>' ]]
}

@test "apply a part" {
	objects() { tf-state list -state="$TRY/${1-app}/terraform.tfstate"; }

	recipe 'Show, ask, apply:'
	[[ $output = *'2 to replace'*'4 added, 1 changed, 4 destroyed'* ]]

	recipe 'Remove first what has to go:'
	[[ $output = *'Resources: 0 added, 0 changed, 2 destroyed.'* ]]
	left=$(objects)
	[[ $left != *'service["web"]'* ]]
	prepare=as_q attempt "$script"
	[[ $stderr = *'No address in the file'* ]]
	closed 0

	recipe 'All but what would be destroyed or replaced, and what needs that:'
	[[ $output = *'Plan: 1 to add, 1 to change, 0 to destroy.'* ]]

	recipe 'Of a saved plan what destroys nothing:'
	[[ $output = *'Resources: 2 added, 1 changed, 0 destroyed.'* ]]
	[[ $(objects) = *'service["web"]'* ]]

	recipe 'Only what one file declares:'
	[[ $output = *'Resource targeting is in effect'* ]]
	[[ $output != *service* ]]

	recipe 'Only what a list names:'
	[[ $output = *'Plan: 2 to add, 1 to change, 2 to destroy.'* ]]

	recipe 'Replace all of a type:'
	[[ $output = *'terraform_data.database will be replaced, as requested'* ]]
	nothing_there() { tf state rm terraform_data.database module.service >t; }
	prepare=nothing_there attempt "$script"
	[ "$status" = 1 ]

	recipe 'Destroy all but the database:'
	[ "$(objects)" = terraform_data.database ]

	recipe 'What took longest?'
	[ "${#lines[@]}" = 5 ]
	[[ ${lines[0]} =~ ^[0-9]+$'\t'module ]]

	recipe 'Keep what an apply says, for those who come later:'
	run -0 jq -rs 'last.type' "$TRY/app/apply.log"
	[ "$output" = outputs ]

	logged() { tf apply -json-into=apply.log p >t; }
	prepare=logged recipe 'How many are done, seen from another terminal?'
	[ "$output" = 9 ]

	recipe 'Keep all that it did, values as well, and show it again:'
	[[ $output = *'will be updated in-place'*'4 added, 1 changed'* ]]
	[ "$(stat -c %a "$TRY/app/done")" = 600 ]

	# the host has another state than before, so this is looked at here alone
	recipe 'Plan here, apply on a host with the same state:'
	[[ $output = *'4 added, 1 changed, 4 destroyed'* ]]
	[[ $(objects home/app) = *'service["db"]'* ]]
	cmp "$TRY/app/terraform.tfstate" "$TRY/before"

	recipe 'Cut the pipeline behind the state, and look:'
	[ "$output" = 21 ]
	[ "$(stat -c %a "$TRY/app/g")" = 600 ]

	recipe 'Go on from there, as often as you like:'
	[[ $output = *'Plan: 4 to add, 1 to change, 4 to destroy.'* ]]
	[ "$(stat -c %a "$TRY/app/q")" = 600 ]
}

@test "state" {
	recipe 'All that there is, with its id:'
	prints <<-'END'
	terraform_data.database	ID
	module.service["api"].terraform_data.config	ID
	module.service["api"].terraform_data.replica[0]	ID
	module.service["api"].terraform_data.replica[1]	ID
	module.service["web"].terraform_data.config	ID
	module.service["web"].terraform_data.replica[0]	ID
	END

	recipe 'What is of this type, or has this value?'
	[ "$output" = 'module.service["api"].terraform_data.config' ]

	recipe 'How many of each provider?'
	[ "$output" = '      6 terraform.io/builtin/terraform' ]

	recipe 'What will be replaced because its creation failed?'
	[ -z "$output" ]
	taint() { tf taint terraform_data.database >t; }
	prepare=taint attempt "$script"
	[ "$output" = terraform_data.database ]

	recipe 'Are there keys of AWS in it?'
	with_key() { sed -i 's/"staging-web-0/"AKIAIOSFODNN7EXAMPLE/' terraform.tfstate; }
	prepare=with_key attempt "$script"
	[ "$status $(<"$TRY/app/t")" = \
		'1 module.service["web"].terraform_data.replica[0]' ]

	recipe 'A backup, by day:'
	run -0 stat -c %a "$TRY"/app/state-20??-??-??
	[ "$output" = 600 ]
	tf-diff "$TRY"/app/state-* "$base/app/terraform.tfstate"

	untouched() { tf state rm terraform_data.database >t; }
	prepare=untouched recipe 'What has changed since?' 1
	[ "$output" = $'terraform_data.database\t\tthere\t' ]

	recipe 'Forget all of a module, destroy nothing:'
	[[ $output = *'removed 2 resource instance(s).'* ]]

	recipe 'Forget all that has this value:'
	[[ $output = *'Removed module.service["api"].terraform_data.config'* ]]
	prepare='tf state rm module.service' attempt "$script"
	closed 0

	recipe 'Two edits, and nobody comes between:'
	run -0 tf-state list -state="$TRY/app/terraform.tfstate" \
		-select='status == "tainted" || module == "module.service[\"api\"]"'
	[ "$output" = 'module.service["web"].terraform_data.config' ]

	recipe 'Give a module to another state:'
	run -0 tf-state list -state="$TRY/app/b"
	[ "${#lines[@]}" = 2 ]
	left=$(tf-state list -state="$TRY/app/terraform.tfstate")
	[[ $left != *'"web"'* ]]
	[ "$(stat -c %a "$TRY/app/b")" = 600 ]

	recipe 'Blocks for what goes into a module:'
	[ "$(sed 4q "$TRY/app/moved.tf")" = 'moved {
  from = module.service["api"].terraform_data.config
  to   = module.app.module.service["api"].terraform_data.config
}' ]
	run -0 tf-fmt -check "$TRY/app/moved.tf"

	recipe 'Import by the dozen:'
	[[ $output = *'Plan: 2 to import,'* ]]
	run -0 grep -c '^resource "terraform_data" "found_[ab]" {' "$TRY/app/found.tf"
	[ "$output" = 2 ]
}

@test "configuration" {
	recipe 'What refers to this?'
	prints <<-'END'
	check.ports
	module.service
	END

	recipe 'How does this depend on that?'
	[ "${#lines[@]} ${lines[3]}" = '4 var.services' ]

	recipe 'Which variables and locals does nothing use?'
	[ "$output" = var.unused ]

	recipe 'A table of the variables:'
	[ "${#lines[@]}" = 4 ]
	[ "${lines[0]}" = \
		$'environment\tstring\tWhere this runs: staging or production.' ]

	described() { rm more.tf; }
	prepare=described recipe 'All variables have a description:'
	attempt "$script"
	[ "$status $output" = '1 var.unused' ]

	recipe 'Which modules are called, from where and in which version?'
	[ "$output" = $'module.service\t./service\t' ]

	recipe 'No module comes from a branch:'
	[ -z "$output" ]
	from_branch() {
		sed -i 's|"./service"|"git::https://h.example/m"|' main.tf
		mkdir -p .terraform/modules
		echo '{"Modules":[{"Key":"","Source":"","Dir":"."},
			{"Key":"service","Source":"git::https://h.example/m","Dir":"service"}]}' \
			>.terraform/modules/modules.json
	}
	prepare=from_branch attempt "$script"
	[ "$status $output" = '1 module.service' ]

	asking() {
		printf '%s\n' 'terraform {' 'required_providers {' 'random = {' \
			'source = "hashicorp/random"' 'version = "~> 3.0"' \
			'}' '}' '}' >a.tf
	}
	prepare=asking recipe 'Which versions of providers do the modules ask for?'
	[ "$output" = $'\trandom\t~> 3.0' ]

	recipe 'Where is it declared?'
	[ "$output" = $'service/main.tf:20\tmodule.service.terraform_data.config' ]

	held() { sed -i 's/^  lifecycle {/&\n    prevent_destroy = true/' main.tf; }
	prepare=held recipe 'What can be destroyed although it should not be?'
	attempt "$script"
	[ "$status $output" = '1 terraform_data.database' ]

	recipe 'What does an expression come to?'
	[ "$output" = '"small"' ]

	recipe 'A picture, for a document:'
	[[ $(<"$TRY/app/graph.mmd") = 'flowchart '* ]]
}

@test "outputs" {
	recipe 'One into a variable:'
	[ "$output" = 'https://it'\''s.example/"$HOME"' ]
	recipe 'All of them into the environment:'
	[ "$output" = 'https://it'\''s.example/"$HOME"' ]
	[ "$(stat -c %a "$TRY/app/t")" = 600 ]
	recipe 'All of them for another configuration:'
	run -0 jq -r .url "$TRY/other/up.auto.tfvars.json"
	[ "$output" = 'https://it'\''s.example/"$HOME"' ]
}

@test "all recipes of the page were run, and there are sixty of them" {
	cat "$BATS_FILE_TMPDIR"/recipes/*.title | sort >titles
	[ "$(wc -l <titles)" -ge 60 ]
	sort "$BATS_FILE_TMPDIR/ran" | diff titles -
}

@test "what keeps a stream or a state is private" {
	run -0 grep -LE 'umask 077' $(grep -lE \
		'tf-(apply|plan|graph)[^|]*>|tf (state pull|output -json) >' \
		"$BATS_FILE_TMPDIR"/recipes/*.sh)
	[ -z "$output" ]
}

@test "a way to fail that changes nothing would be noticed" {
	echo 'tf apply -auto-approve -target=terraform_data.none >t; false' >bad
	run -1 in_both_cases "$PWD/bad" 0
	echo 'tf-plan -C . | sort' >bad
	run -1 in_both_cases "$PWD/bad" 0
	echo 'echo more >>../other/main.tf; tf-select -q true p' >bad
	run -1 in_both_cases "$PWD/bad" 0
	echo 'echo fine' >bad
	run -1 in_both_cases "$PWD/bad" 0
}
