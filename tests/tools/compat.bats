#!/usr/bin/env bats
# compat.bats - tf-compat(7) is true: what it says is refused is refused, by
# name and before anything is done; what it says works or is harmless is taken

load common

setup() {
	cd "$BATS_TEST_TMPDIR"
	export HOME=$BATS_TEST_TMPDIR TF_CLI_CONFIG_FILE=$BATS_TEST_TMPDIR/rc
	: >rc
	sh "$TF_TEST_SRC/tests/compat/rows" "$TF_TEST_SRC/man/tf-compat.7" >rows
}

rows() { # SECTION STATUS...: place and name of each
	local section=$1
	shift
	awk -F '\t' -v section="$section" -v all=" $* " '
		$1 == section && index(all, " " $3 " ") { print $2 "\t" $4 }' \
		"$BATS_TEST_TMPDIR/rows"
}

@test "the page has its rows, none of them twice" {
	[ "$(wc -l <rows)" -ge 750 ]
	cut -f 1,2,4 rows | sort | uniq -d >twice
	[ ! -s twice ]
}

# --- refused ---

# What stands for %ARGS% beside a name.
args_of() {
	case $1 in
	network_mirror) echo 'url = "https://example.com/"' ;;
	esac
}

# Writes the case of the lines from $1 to $2 of the list, for the name $3, into
# the directory of that case.
write_case() {
	local part=none line
	rm -rf ../case
	mkdir -p ../case/w
	sed -n "$1,$2p" "$list" | sed '$ { /^$/d; }' >../lines
	while IFS= read -r line; do
		line=${line//%NAME%/$3}
		line=${line//%ARGS%/$(args_of "$3")}
		case $line in
		'--- '*) part=${line#--- } ;;
		*)
			case $part in
			run | says | env | rc)
				printf '%s\n' "$line" >>"../case/$part"
				;;
			*)
				mkdir -p "../case/w/$(dirname "$part")"
				printf '%s\n' "$line" >>"../case/w/$part"
				;;
			esac
			;;
		esac
	done <../lines
	[ -s ../case/run ] && [ -s ../case/says ]
}

everything() {
	find . -type f ! -name modules.json -exec md5sum {} + | sort
}

# Runs the commands of the case in its directory.
run_case() {
	local words text env=()
	cd ../case/w
	[ ! -e ../env ] || mapfile -t env <../env
	[ ! -e ../rc ] || cp ../rc "$TF_CLI_CONFIG_FILE"
	everything >../before
	while IFS= read -r words <&3; do
		# shellcheck disable=SC2086
		if output=$(env "${env[@]}" tf $words </dev/null 2>&1); then
			echo "tf $words: not refused"
			return 1
		fi
		while IFS= read -r text <&4; do
			[[ $(tr -s '\n ' '  ' <<<"$output") == *"$text"* ]] || {
				echo "tf $words: does not say \"$text\":"
				echo "$output"
				return 1
			}
		done 4<../says
		everything | diff ../before - || { echo "tf $words"; return 1; }
	done 3<../run
	: >"$TF_CLI_CONFIG_FILE"
	cd - >/dev/null
}

@test "every row that is refused has a case, every case is refused" {
	list=$TF_TEST_SRC/tests/compat/refused
	mkdir list
	cd list
	: >tested
	grep -n '^=== ' "$list" >heads
	echo "$(($(wc -l <"$list") + 2)):" >>heads
	{ sed 1d heads | cut -d : -f 1; echo; } | paste -d : - heads >spans
	while IFS=: read -r next line head <&9; do
		[ -n "$head" ] || continue
		IFS='|' read -r section place names <<<"${head#=== }"
		sed 's/^ *//; s/ , /\n/g' <<<"$names" >names
		[ -s names ]
		while IFS= read -r name <&8; do
			write_case "$((line + 1))" "$((next - 1))" "$name"
			run_case || { echo "case: $head"; false; }
			printf '%s\t%s\t%s\n' "${section% }" \
				"$(xargs <<<"$place")" "$name" >>tested
		done 8<names
	done 9<spans
	awk -F '\t' '$3 == "Refused" && ($1 != "OPTIONS" || $2 == "") {
		print $1 "\t" $2 "\t" $4 }' ../rows | sort >wanted
	sort -u tested | diff wanted -
}

# --- options ---

# One with an argument, given a value that makes sense.
option() { # COMMAND OPTION
	case $1/$2 in
	import/config) echo '-config=.' ;;
	show/state) echo -state ;;
	*/lock-timeout) echo "-$2=1s" ;;
	*/parallelism) echo "-$2=3" ;;
	*/target | */exclude | */replace) echo "-$2=terraform_data.a" ;;
	*/target-file | */exclude-file) echo "-$2=targets" ;;
	*/var) echo "-$2=v=1" ;;
	*/var-file) echo "-$2=v.tfvars" ;;
	*/deprecation) echo "-$2=module:none" ;;
	*/lockfile) echo "-$2=readonly" ;;
	*/module-depth) echo "-$2=1" ;;
	*/type) echo "-$2=plan" ;;
	*/plugin-dir | */fs-mirror) echo "-$2=." ;;
	*/platform) echo "-$2=linux_amd64" ;;
	*/backend-config) echo "-$2=path=x" ;;
	*/plan | */out | */generate-config-out | */json-into | */id | */module | \
		*/state | */state-out | */backup | */backup-out | */net-mirror | \
		*/from-module | */test-directory) echo "-$2=new" ;;
	*) echo "-$2" ;;
	esac
}

# Runs the command with the option in a fresh directory.
try() { # COMMAND OPTION
	rm -rf try
	mkdir try
	cd try
	echo 'variable "v" { default = 0 }' >main.tf
	echo terraform_data.a >targets
	echo 'v = 1' >v.tfvars
	# shellcheck disable=SC2046,SC2086
	run tf $1 $(option "$1" "$2") </dev/null
	cd ..
}

# "-x is not supported", "-x has no effect", "not defined: -x": by name
refused() {
	[ "$status" = 1 ] &&
		grep -Eq -- "(not defined: +-$1([^a-z-]|\$)|-$1 is not supported|-$1 has no effect)" \
			<<<"$(tr -s '\n ' '  ' <<<"$output")"
}

@test "options that work or are harmless are taken" {
	rows OPTIONS Works Harmless | grep -v "^$(printf '\t')" >taken
	[ "$(wc -l <taken)" -ge 300 ]
	while IFS="$(printf '\t')" read -r command name <&9; do
		try "$command" "$name"
		! refused "$name" || {
			echo "tf $command -$name:"
			echo "$output"
			false
		}
	done 9<taken
}

@test "options that are refused are refused by name" {
	rows OPTIONS Refused | grep -v "^$(printf '\t')" >not-taken
	[ "$(wc -l <not-taken)" -ge 100 ]
	while IFS="$(printf '\t')" read -r command name <&9; do
		try "$command" "$name"
		refused "$name" || {
			echo "tf $command -$name:"
			echo "$output"
			false
		}
		[ ! -e try/new ]
	done 9<not-taken
}

@test "an option that no command has is refused by every command" {
	rows COMMANDS Works | cut -f 2 >commands
	[ "$(wc -l <commands)" -ge 30 ]
	while IFS= read -r command <&9; do
		try "$command" no-such-option
		refused no-such-option || {
			echo "tf $command -no-such-option:"
			echo "$output"
			false
		}
	done 9<commands
}

@test "commands that work are there, with help" {
	rows COMMANDS Works | cut -f 2 >commands
	while IFS= read -r command <&9; do
		# shellcheck disable=SC2086
		run tf $command -help
		[ "$status" = 0 ] || { echo "tf $command -help"; false; }
		[[ $output == [Uu]sage:* ]]
	done 9<commands
}

@test "global options" {
	mkdir d
	echo 'output "o" { value = 1 }' >d/main.tf
	run -0 tf -chdir=d plan
	[[ $output == *'+ o = 1'* ]]
	run -1 tf -chdir d plan
	[[ $output == *'Invalid -chdir option'* ]]
	run -0 tf -help
	[[ $output == Usage:* ]]
	for words in -v -version --version 'plan -version' 'apply -v' \
		'-chdir=d state list -version'; do
		# shellcheck disable=SC2086
		run -0 tf $words
		[[ $output == *compatible* ]]
	done
	run -0 tf -version -json
	jq -e .terraform_version <<<"$output"
}

# --- the language ---

# Is there a test elsewhere?  Where, and of what.
elsewhere() { # PLACE NAME
	case "$1: $2" in
	'source of a module: '*) true ;; # modules*.bats
	'backend: '*) true ;; # backend-*.bats
	'connection: '* | 'provisioner: remote-exec' | 'provisioner: inline' | \
		'provisioner: script'*) true ;; # ssh.bats
	'provisioner: file' | 'provisioner: content' | \
		'provisioner: destination') true ;; # ssh.bats
	'files: .tftest.'* | 'files: .tofutest.'*) true ;; # test.bats
	'key_provider: '*) true ;; # encryption.bats
	'terraform: provider_meta') true ;; # provider.bats: needs a provider
	*': ephemeral' | 'import: identity') true ;; # that has them, as do these
	'required_providers: version' | 'provider: version' | \
		'module: version') true ;; # tf-init.bats, install_test.c
	*) false ;;
	esac
}

@test "what works or is harmless in the language is taken and applied" {
	cp -r "$TF_TEST_SRC/tests/compat/language" w
	chmod -R u+w w
	cd w
	rows LANGUAGE Works Harmless >../names
	[ "$(wc -l <../names)" -ge 110 ]
	while IFS="$(printf '\t')" read -r place name <&9; do
		case $place in
		files) ls -R | grep -Fc -- "$name" ;;
		*) grep -Eqr "(^|[\" ])$name([\" =]|\$)" . ;;
		esac || elsewhere "$place" "$name" ||
			{ echo "$place: $name is not tried"; false; }
	done 9<../names
	run -0 tf init
	run -0 tf validate -json
	jq -e '.valid and .error_count == 0' <<<"$output"
	# of another configuration, for terraform_remote_state
	mkdir ../other
	echo 'output "word" { value = "w" }' >../other/main.tf
	tf -chdir=../other apply -auto-approve -state="$PWD/other.tfstate" >/dev/null
	run -0 tf apply -auto-approve
	[[ $output == *'Apply complete!'* ]]
	[ "$(tf output -raw text)" = c ]
	[ "$(tf output -raw secret)" = d ]
	[ -s all.tfstate ]
	run -0 tf plan
	[[ $output == *'Plan: 0 to add, 0 to change, 0 to destroy.'* ]]
	run -0 tf destroy -auto-approve
}

# --- harmless ---

@test "harmless environment variables change nothing" {
	mkdir w
	cd w
	cat >main.tf <<'EOF'
variable "v" { default = "a" }
resource "terraform_data" "a" { input = var.v }
output "o" { value = terraform_data.a.output }
EOF
	ran() {
		{
			env "$@" tf init
			env "$@" tf plan
			env "$@" tf apply -auto-approve -json
			env "$@" tf output -json
			env "$@" tf state list
		} | sed 's/"@timestamp":"[^"]*"//; s/[0-9a-f-]\{36\}/ID/g
			s/"elapsed_seconds":[0-9]*//; s/ after [0-9]*s/ after/'
		rm -rf terraform.tfstate* .terraform*
	}
	rows ENVIRONMENT Harmless | cut -f 2 >names
	settings=()
	while IFS= read -r name; do
		case $name in
		*_ | PG) name=${name}X ;;
		esac
		settings+=("$name=1")
	done <names
	[ "${#settings[@]}" -ge 16 ]
	[[ " ${settings[*]} " == *' TF_DISABLE_PLUGIN_TLS=1 '* ]]
	ran A=1 >../plain
	ran "${settings[@]}" >../set
	diff ../plain ../set
	[ "$(wc -l <../plain)" -ge 20 ]
}

@test "harmless settings of the CLI configuration change nothing" {
	cat >rc <<'EOF'
disable_checkpoint = true
some_other_name "x" {
  y = 1
}
credentials "app.terraform.io" {
  token = "x"
}
credentials_helper "x" {
  args = ["y"]
}
host "example.com" {
  services = {
    "providers.v1" = "https://example.com/"
  }
}
registry_protocols {
  retry_count             = 1
  request_timeout_seconds = 2
}
oci_default_credentials {
  discover_ambient_credentials = false
}
oci_credentials "example.com" {
  username = "u"
  password = "p"
}
provider_installation {
  filesystem_mirror {
    path = "."
  }
  network_mirror {
    url                  = "https://example.com/"
    exclude              = ["terraform.io/*/*"]
    download_retry_count = 1
    trust_all_hashes     = true
  }
  direct {
    download_retry_count = 1
  }
}
EOF
	# Each of the rows is in the file.
	rows 'CLI CONFIGURATION' Harmless >names
	[ -s names ]
	while IFS="$(printf '\t')" read -r _ name; do
		[ "$name" = 'other names' ] || grep -Eq "^ *$name( |\$)" rc ||
			{ echo "$name is not tried"; false; }
	done <names
	mkdir w
	cd w
	echo 'resource "terraform_data" "a" {}' >main.tf
	run -0 tf init
	run -0 tf apply -auto-approve
}

@test "TF_CLI_ARGS counts where it is read" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	export TF_CLI_ARGS=-json
	for words in plan 'apply -auto-approve' refresh validate \
		'destroy -auto-approve'; do
		# shellcheck disable=SC2086
		run -0 tf $words
		[[ $output == '{'* ]]
	done
	run tf help
	[ "$status" = 0 ]
}

@test "TF_INPUT: 0 and false ask for nothing" {
	echo 'variable "v" {}' >main.tf
	for value in 0 f F false FALSE False; do
		TF_INPUT=$value run -1 tf plan </dev/null
		[[ $output != *'Enter a value'* ]]
	done
	for value in '' 1 true nonsense; do
		TF_INPUT=$value run tf plan <<<x
		[ "$status" = 0 ]
		[[ $output == *'Enter a value'* ]]
	done
}
