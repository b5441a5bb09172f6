#!/usr/bin/env bats
# Hostile input: whatever a tool is fed, it ends by itself, soon, without much
# memory, with exit status 1 and a diagnostic - or, where the input turns out to
# be fine, with 0.  Never by a signal.

load common

setup_file() {
	without_leak_checks
	# in MB, and seconds
	export SAN= MEMORY=2000 CPU=10
	if sanitized tf-parse; then
		SAN=1 CPU=60
	fi
	cd "$BATS_FILE_TMPDIR"
	mkdir base
	cd base
	cat >main.tf <<'EOT'
variable "v" { default = "1" }
locals { l = "${var.v}-x" }
resource "terraform_data" "a" {
  count = 2
  input = "${local.l}-${count.index}"
}
resource "terraform_data" "b" {
  input = terraform_data.a[0].output
  lifecycle {
    precondition {
      condition     = var.v != ""
      error_message = "Empty."
    }
  }
}
output "o" { value = terraform_data.b.output }
EOT
	tf-parse | tf-plan | tf-apply >/dev/null
	tf-parse >parse
	tf-eval <parse >eval
	tf-graph <eval >graph
	tf-plan -var=v=2 <parse >plan
}

setup() {
	prefix=()
	cd "$BATS_TEST_TMPDIR"
}

# Sanitizers need their address space: there it is what is in memory that has a
# bound, within which allocations fail and beyond which the process is killed.
limit() {
	ulimit -t "$CPU"
	if [ -z "$SAN" ]; then
		ulimit -v "$((MEMORY * 1000))"
		return
	fi
	ASAN_OPTIONS+=:allocator_may_return_null=1
	ASAN_OPTIONS+=:soft_rss_limit_mb=$MEMORY
	ASAN_OPTIONS+=:hard_rss_limit_mb=$((MEMORY * 2))
	export ASAN_OPTIONS
}

# Runs the command, which must end by itself, within memory and so many seconds
# of the processor's time (a busy machine is not the tool's fault).
bounded() {
	status=0
	(
		limit || exit 125
		exec timeout -s KILL 120 "${prefix[@]}" "$@"
	) >out 2>err || status=$?
	if [ "$status" -gt 2 ]; then
		echo "status $status: $*"
		tail -n 5 err
		return 1
	fi
}

# The same, and it must be refused with an error on stderr.
refused() {
	bounded "$@" || return 1
	[ "$1" != tf-fmt ] || [ "$status" != 2 ] || status=1 # as tofu fmt
	if [ "$status" != 1 ] || ! grep -q '^Error: ' err; then
		echo "status $status: $*"
		head -n 5 err
		return 1
	fi
}

# All stages that read a stream refuse ./in with one diagnostic.
stages='tf-eval tf-graph tf-plan tf-apply tf-show'
all_refuse() { # [stages]
	for tool in ${1:-$stages}; do
		refused "$tool" <in || return 1
		# what a stage says once is enough
		[ "$(grep -c '^Error: ' err)" = 1 ] || {
			cat err
			return 1
		}
		# a failed stage still ends its stream, if it began one
		if [ "$tool" != tf-show ] && [ -s out ]; then
			tail -n 1 out | grep -q '"record":"end","failed":true' ||
				return 1
		fi
	done
}

# All stages end well or refuse ./in.
all_bounded() { # [stages]
	for tool in ${1:-$stages}; do
		bounded "$tool" <in || return 1
		if [ "$status" != 0 ] && ! grep -q '^Error: ' err; then
			echo "$tool: status $status without a diagnostic"
			return 1
		fi
	done
}

repeat() { # text, times
	head -c "$((${#1} * $2))" < <(yes "$1" | tr -d '\n')
}

# --- files ---

@test "unreadable files" {
	echo 'locals {}' >main.tf
	chmod 0 main.tf
	if [ -r main.tf ]; then # root is, without these
		need setpriv
		prefix=(setpriv --bounding-set=-dac_override,-dac_read_search)
		run -1 "${prefix[@]}" cat main.tf
	fi
	refused tf-parse
	refused tf-fmt main.tf
	refused tf-state list -state=main.tf
}

@test "directories, devices and pipes in place of files" {
	mkdir x.tf y.tfvars z.tfstate
	bounded tf-parse # only files are read
	[ "$status" = 0 ]
	bounded tf-fmt x.tf
	rmdir x.tf
	echo 'variable "a" { default = 1 }' >main.tf
	refused tf-eval -C . -var-file=y.tfvars
	refused tf-plan -C . -state=z.tfstate
	refused tf-state list -state=z.tfstate
	refused tf-show z.tfstate
	mkdir terraform.tfvars
	refused tf-eval -C .
	rmdir terraform.tfvars
	mkdir terraform.tfstate
	refused tf-graph -C .
	refused tf-state list
}

@test "a pipe in the place of a state or a journal is refused, not waited for" {
	cat >main.tf <<<'resource "terraform_data" "a" {}'
	mkfifo terraform.tfstate
	for tool in "tf plan" "tf state list" "tf show" "tf apply -auto-approve" \
		"tf-state pull" "tf output"; do
		run -1 timeout 60 $tool
		[[ $(tr -s ' \n' ' ' <<<"$output") = *'it is a pipe, and must be a file'* ]]
	done
	rm terraform.tfstate
	tf apply -auto-approve >/dev/null
	mkfifo .terraform.tfstate.journal
	for tool in "tf plan" "tf state list" "tf apply -auto-approve"; do
		run -1 timeout 60 $tool
		[[ $(tr -s ' \n' ' ' <<<"$output") = *'it is a pipe, and must be a file'* ]]
	done
	rm .terraform.tfstate.journal
	tf state pull >copy
	run -0 tf-state list -state=/dev/stdin <copy
	[ "$output" = terraform_data.a ]
}

@test "names that are not text, names that loop" {
	printf 'locals { a = }\n' >"$(printf 'a\xff\n\033[31m.tf')"
	refused tf-parse
	rm -- *.tf
	ln -s loop.tf loop.tf
	refused tf-parse
	rm loop.tf
	ln -s nowhere.tf gone.tf
	refused tf-parse
}

garbage() {
	head -c 100000 < <(yes "$(printf '\001\377\200{"x":[\x1b')") | tr 'y\n' '\0\t'
}

@test "binary garbage" {
	garbage >main.tf
	refused tf-parse
	refused tf-fmt main.tf
	mv main.tf main.tf.json
	refused tf-parse
	mv main.tf.json terraform.tfstate
	refused tf-state list
	refused tf-show terraform.tfstate
	echo >main.tf
	refused tf-plan -C .
	mv terraform.tfstate terraform.tfvars
	refused tf-eval -C .
	mv terraform.tfvars in
	all_refuse
	# every byte there is, none of it as an escape on the terminal
	run -1 grep -q "$(printf '\033')" err
}

inserted() { # file, text, bytes as printf reads them, to put behind it
	text=$(cat "$1")
	printf '%s' "${text%%"$2"*}$2"
	printf "$3"
	printf '%s\n' "${text#*"$2"}"
}

@test "invalid UTF-8 and NUL bytes" {
	for bad in '\377' '\300\200' '\355\240\200' '\364\220\200\200' '\0' '\342\202'; do
		printf "locals { a = \"x${bad}y\" }\n" >main.tf
		bounded tf-parse
		bounded tf-fmt -check main.tf
		printf "locals { a${bad} = 1 }\n" >main.tf
		refused tf-parse
		printf "{\"locals\":{\"a\":\"x${bad}y\"}}" >main.tf.json
		echo >main.tf
		bounded tf-parse
		rm main.tf.json
		printf "a = \"x${bad}y\"\n" >terraform.tfvars
		echo 'variable "a" {}' >main.tf
		bounded tf-eval -C .
		rm terraform.tfvars
		inserted "$BATS_FILE_TMPDIR/base/terraform.tfstate" \
			'"lineage": "' "$bad" >terraform.tfstate
		refused tf-state list
		rm terraform.tfstate
		inserted "$BATS_FILE_TMPDIR/base/parse" '"tool":"' "$bad" >in
		all_refuse
	done
}

# --- depth and size ---

@test "a million nested brackets, parentheses, templates" {
	for open in '(' '[' '{a=' '!' '-' '"${' 'f(' '[for x in ' 'a[' \
		'"%{if ' '{(' 'a?' '1+('; do
		{
			printf 'locals {\n  a = '
			repeat "$open" 1000000
			printf '\n}\n'
		} >main.tf
		refused tf-parse
		refused tf-fmt main.tf
		{
			printf 'a = '
			repeat "$open" 1000000
		} >x.tfvars
		echo 'variable "a" {}' >main.tf
		refused tf-eval -C . -var-file=x.tfvars
		{
			printf '{"id":"1","expr":"'
			repeat "$(printf %s "$open" | sed 's/"/\\"/g')" 1000000
			printf '"}\n'
		} >batch
		bounded tf-eval --batch <batch
		[ "$status" = 0 ]
		jq -e .error.summary out
	done
}

@test "a million operators in a row, attributes, indexes, splats" {
	for more in '+1' '.a' '[0]' '.*' '[*]' ' ? 1 : 1' '&&true' '/*x*/' '${1}'; do
		{
			printf 'locals {\n  a = b'
			repeat "$more" $((1000000 / FEWER))
			printf '\n}\n'
		} >main.tf
		bounded tf-parse
		bounded tf-fmt main.tf
	done
}

@test "a million nested blocks" {
	yes 'a {' | head -n 1000000 >main.tf || :
	refused tf-parse
	refused tf-fmt main.tf
	yes 'dynamic "a" {
content {' | head -n 1000000 >main.tf || :
	refused tf-parse
}

@test "a million nested JSON arrays and objects" {
	for open in '[' '{"a":' '[{"a":'; do
		repeat "$open" 1000000 >main.tf.json
		refused tf-parse
		cp main.tf.json terraform.tfstate
		refused tf-state list
		refused tf-show terraform.tfstate
		rm main.tf.json
		echo 'variable "a" {}' >main.tf
		refused tf-plan -C .
		mv terraform.tfstate x.tfvars.json
		refused tf-eval -C . -var-file=x.tfvars.json
		{
			head -n 1 "$BATS_FILE_TMPDIR/base/parse"
			printf '{"record":"local","address":"local.a","module":"",'
			printf '"name":"a","value":{"constant_value":'
			repeat "$open" 1000000
			echo '}}'
			echo '{"record":"end","failed":false}'
		} >in
		all_refuse 'tf-eval tf-graph tf-plan tf-apply'
		bounded tf-show <in # which needs no local values
		rm main.tf
	done
}

@test "nesting that is complete, just too deep" {
	n=200000
	{
		printf 'locals {\n  a = '
		repeat '[' $n
		repeat ']' $n
		printf '\n}\n'
	} >main.tf
	refused tf-parse
	rm main.tf
	{
		printf '{"locals":{"a":'
		repeat '[' $n
		repeat ']' $n
		printf '}}'
	} >main.tf.json
	refused tf-parse
	rm main.tf.json
	{
		printf '{"version":4,"serial":1,"lineage":"l","outputs":{"a":'
		printf '{"type":"dynamic","value":'
		repeat '[' $n
		repeat ']' $n
		printf '}},"resources":[]}'
	} >terraform.tfstate
	refused tf-state list
	# a type may be as deep as a value
	{
		printf '{"version":4,"serial":1,"lineage":"l","outputs":{"a":'
		printf '{"value":null,"type":'
		repeat '["list",' $n
		printf '"string"'
		repeat ']' $n
		printf '}},"resources":[]}'
	} >terraform.tfstate
	refused tf-state list
	{
		printf 'variable "a" {\n  type = '
		repeat 'list(' $n
		printf 'any'
		repeat ')' $n
		printf '\n}\n'
	} >main.tf
	refused tf-parse
}

@test "values that grow with every step" {
	# 2^40 elements, 10^18 characters: refused, or never built
	cat >main.tf <<'EOT'
locals {
  a = [for i in range(1000) : range(1000)]
  b = [for x in local.a : local.a]
}
EOT
	bounded tf-eval -e 'length(local.b)'
	rm main.tf
	bounded tf-eval -e 'jsondecode(format("[%s1]", join("", [for i in range(1000) : "1,"])))'
	bounded tf-eval -e 'range(1000000000)'
	[ "$status" = 1 ]
	bounded tf-eval -e 'format("%999999999d", 1)'
	bounded tf-eval -e 'format("%.999999999f", 1)'
	bounded tf-eval -e '1e999999999 * 1e999999999'
	bounded tf-eval -e 'pow(10, 999999999)'
	bounded tf-eval -e 'pow(10, pow(10, 10))'
	bounded tf-eval -e '1e2147483647'
	bounded tf-eval -e 'tostring(1e99999999)'
	bounded tf-eval -e 'jsondecode("1e99999999")'
	bounded tf-eval -e 'parseint("9", 63)'
	bounded tf-eval -e 'cidrsubnets("::/0", [for i in range(1000) : 127]...)'
	bounded tf-eval -e 'regex("(a*)*b", join("", [for i in range(1000) : "a"]))'
	bounded tf-eval -e 'regex("(?:a?){1000}a{1000}", join("", [for i in range(1000) : "a"]))'
	bounded tf-eval -e 'regex("((a{1000}){1000}){1000}", "a")'
	bounded tf-eval -e "indent(1000000000${SAN:+ / 10}, \"a\nb\")"
	bounded tf-eval -e 'substr("abc", 0, 1e30)'
	bounded tf-eval -e 'element([1], 1e300)'
	bounded tf-eval -e '[1][1e300]'
	bounded tf-eval -e 'chunklist([1], 9e18)'
	bounded tf-eval -e 'formatdate("YYYY", "99999999999-01-01T00:00:00Z")'
	bounded tf-eval -e 'timeadd("2020-01-01T00:00:00Z", "9999999999999999h")'
	bounded tf-eval -e 'cidrhost("10.0.0.0/8", 1e400)'
	bounded tf-eval -e 'bcrypt("x", 99)'
	[ "$status" = 1 ]
}

@test "a map of very many keys" {
	{
		printf 'output "o" {\n  value = {\n'
		seq -f 'k%.0f = 1' 150000
		printf '  }\n}\n'
	} >main.tf
	tf-plan -C . >in
	bounded tf-show <in
	[ "$status" = 0 ]
	[ "$(grep -c 'k[0-9]* *= 1' out)" = 150000 ]
}

@test "very many moved blocks" {
	local n=15000 moved

	seq $n | sed 's/.*/resource "terraform_data" "b&" {}\
moved {\
  from = terraform_data.a&\
  to   = terraform_data.b&\
}/' >main.tf
	seq $n | jq -n '[inputs | {mode: "managed", type: "terraform_data",
		name: "a\(.)", provider: "provider[\"terraform.io/builtin/terraform\"]",
		instances: [{schema_version: 0, attributes: {id: "x", input: null,
			output: null, triggers_replace: null}}]}]
		| {version: 4, serial: 1, lineage: "l", outputs: {}, resources: .}' \
		>terraform.tfstate
	tf-parse | tf-eval | tf-graph >in
	bounded tf-plan <in
	[ "$status" = 0 ]
	moved=$(jq -n '[inputs | select(.record == "resource_change" and .previous_address)]
		| length' out)
	[ "$moved" = "$n" ]
}

@test "a YAML bomb, a template that calls itself" {
	{
		echo 'a0: &a0 [x, x, x, x, x, x, x, x, x, x]'
		for i in $(seq 1 40); do
			printf 'a%d: &a%d [' $i $i
			repeat "*a$((i - 1)), " 9
			echo "*a$((i - 1))]"
		done
	} >bomb.yaml
	refused tf-eval -e 'yamldecode(file("bomb.yaml"))'
	echo 'a: &a [*a]' >loop.yaml
	refused tf-eval -e 'yamldecode(file("loop.yaml"))'
	repeat '[' 100000 >deep.yaml
	refused tf-eval -e 'yamldecode(file("deep.yaml"))'
	repeat '- ' 100000 >deep.yaml
	refused tf-eval -e 'yamldecode(file("deep.yaml"))'
	echo '${templatefile("self.tpl", {})}' >self.tpl
	refused tf-eval -e 'templatefile("self.tpl", {})'
}

@test "a compression bomb" {
	head -c 300000000 /dev/zero | gzip -9 | base64 -w0 >bomb.txt
	bounded tf-eval -e 'length(base64gunzip(file("bomb.txt")))'
}

@test "very many errors" {
	yes 'a = 1' | head -n 300000 >main.tf || :
	refused tf-parse
	yes 'a { @ }' | head -n 300000 >main.tf || :
	refused tf-parse
	yes '"' | head -n 300000 >main.tf || :
	refused tf-parse
	yes 'resource a b {}' | head -n 100000 >main.tf || :
	refused tf-parse
}

@test "very long lines, names, strings" {
	{
		printf 'locals { a = "'
		repeat x 10000000
		echo '" }'
	} >main.tf
	bounded tf-parse
	[ "$status" = 0 ]
	bounded tf-fmt -check main.tf
	{
		printf 'locals { '
		repeat x 3000000
		echo ' = @ }'
	} >main.tf
	refused tf-parse
	[ "$(wc -c <err)" -lt 20000000 ]
	{
		printf 'locals { a = "x'
		repeat "$(printf '\xcc\x81')" 3000000 # combining marks
		echo '${b" }'
	} >main.tf
	refused tf-parse
	{
		printf 'locals { a = ['
		repeat 'é, ' 1000000
		echo ' }'
	} >main.tf
	refused tf-parse
}

@test "a file of 100 MB" {
	local size=$((100000000 / FEWER))
	MEMORY=8000 CPU=$((CPU * 3))
	yes '# a comment of a line, and another, and one more: nothing' |
		head -c $size >main.tf || :
	echo >>main.tf
	bounded tf-parse
	[ "$status" = 0 ]
	bounded tf-fmt -check main.tf
	head -c $size /dev/zero >main.tf
	refused tf-parse
	rm main.tf
	head -c $size /dev/zero >in
	all_refuse
	mv in terraform.tfstate
	refused tf-state list
	rm terraform.tfstate
}

@test "a module that calls itself" {
	mkdir -p m .terraform/modules
	echo 'module "a" { source = "./m" }' >main.tf
	echo 'module "a" { source = "../m" }' >m/main.tf
	refused tf-parse # not installed
	echo '{"Modules":[{"Key":"","Source":"","Dir":"."},
		{"Key":"a","Source":"./m","Dir":"m"},
		{"Key":"a.a","Source":"../m","Dir":"m"},
		{"Key":"a.a.a","Source":"../m","Dir":"m"}]}' \
		>.terraform/modules/modules.json
	refused tf-parse
	printf '{"Modules":[' >.terraform/modules/modules.json
	key=a
	for i in $(seq 300); do
		printf '{"Key":"%s","Source":"../m","Dir":"m"},' "$key"
		key=$key.a
	done >>.terraform/modules/modules.json
	printf '{"Key":"","Source":"","Dir":"."}]}' >>.terraform/modules/modules.json
	refused tf-parse
	refused tf-plan -C .
}

@test "a manifest of modules that is none" {
	mkdir -p .terraform/modules
	echo 'module "a" { source = "./m" }' >main.tf
	for text in '' '[' '[]' '{"Modules":3}' '{"Modules":[3,null,{}]}' \
		'{"Modules":[{"Key":"a","Source":"./m","Dir":""}]}' \
		'{"Modules":[{"Key":"a","Source":"./m","Dir":"/nowhere"}]}' \
		'{"Modules":[{"Key":"a","Source":"./m","Dir":7}]}'; do
		printf '%s' "$text" >.terraform/modules/modules.json
		refused tf-parse
	done
}

# Out of memory is refusing, too.
too_many() {
	bounded "$@" || return 1
	[ "$status" = 1 ] && grep -qi '^error: ' err
}

@test "huge counts" {
	cat >main.tf <<'EOT'
variable "n" {}
resource "terraform_data" "a" { count = var.n }
EOT
	for n in 1e9 1e300 99999999999999999999 -1 1.5 '"x"' null; do
		too_many tf-plan -C . "-var=n=$n"
	done
	echo 'module "m" {
  source = "./m"
  count  = var.n
}
variable "n" {}' >main.tf
	mkdir -p m .terraform/modules
	echo 'resource "terraform_data" "a" {}' >m/main.tf
	echo '{"Modules":[{"Key":"m","Source":"./m","Dir":"m"}]}' \
		>.terraform/modules/modules.json
	for n in 1e9 -1; do
		too_many tf-plan -C . "-var=n=$n"
	done
}

# --- streams ---

@test "an empty input names -C" {
	: >in
	all_refuse 'tf-eval tf-graph tf-plan tf-apply tf-show'
	refused tf-show -outputs -json <in
	for tool in tf-eval tf-graph tf-plan; do
		refused "$tool" <in
		grep -qF -- -C err
	done
	printf '\n\n\n' >in
	all_refuse 'tf-eval tf-graph tf-plan tf-apply'
}

@test "streams cut off anywhere are refused" {
	for made in parse eval graph plan; do
		text=$BATS_FILE_TMPDIR/base/$made
		lines=$(wc -l <"$text")
		for n in 1 2 3 $((lines / 2)) $((lines - 1)); do
			head -n "$n" "$text" >in
			all_refuse "tf-plan tf-apply tf-show"
		done
		size=$(wc -c <"$text")
		for n in 1 10 60 $((size / 3)) $((size / 2)) $((size - 40)) \
			$((size - 3)); do
			head -c "$n" "$text" >in
			all_refuse "tf-plan tf-apply tf-show"
		done
	done
	[ ! -e terraform.tfstate ]
}

@test "a saved plan that was cut off is named so, wherever that was" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	run -0 tf plan -out=plan
	for n in 20 50 60 $(($(wc -c <plan) / 2)) $(($(wc -c <plan) - 2)); do
		head -c "$n" plan >cut
		run -1 tf apply cut
		[[ $output = *'Incomplete input stream'*'it was cut off.'* ]]
		run -1 tf show cut
		[[ $output = *'Incomplete input stream'*'it was cut off.'* ]]
	done
}

@test "a change that cannot be read is not left out of what is shown" {
	cat >main.tf <<-'END'
		resource "terraform_data" "a" {
		  input = 1
		}
		output "o" {
		  value = terraform_data.a.output
		}
	END
	tf-parse 2>/dev/null | tf-eval | tf-graph | tf-plan >plan 2>/dev/null
	for record in resource_change output_change; do
		sed "/\"record\":\"$record\"/s/\"actions\"/\"actions/" plan >in
		run -1 cmp -s plan in
		for tool in 'tf-show -no-color' 'tf-show -json' \
			'tf-ui -op=plan -no-color' 'tf-ui -op=plan -json'; do
			bounded $tool <in
			[ "$status" = 1 ]
			grep -q 'Invalid input stream' out err
		done
	done
	sed '/"record":"plan"/s/"mode":"normal"/"mode":"other"/' plan >in
	refused tf-show <in
	grep -q 'the mode is not' err
}

@test "no header, two headers, another version, text after the end" {
	for made in parse plan; do
		text=$BATS_FILE_TMPDIR/base/$made
		sed 1d "$text" >in
		all_refuse "tf-plan tf-apply tf-show"
		{ head -n 1 "$text"; cat "$text"; } >in
		all_refuse "tf-plan tf-apply tf-show"
		sed '1s/"version":1/"version":99/' "$text" >in
		all_refuse "tf-plan tf-apply tf-show"
		sed '1s/"version":1/"version":"x"/' "$text" >in
		all_refuse "tf-plan tf-apply tf-show"
		sed '1s/tfpipe-stream/other/' "$text" >in
		all_refuse "tf-plan tf-apply tf-show"
		{ cat "$text"; echo 'more'; } >in
		all_refuse "tf-plan tf-apply tf-show"
		{ cat "$text"; echo '{"record":"end","failed":false}'; } >in
		all_refuse "tf-plan tf-apply tf-show"
		cat "$text" "$text" >in
		all_refuse "tf-plan tf-apply tf-show"
	done
}

@test "garbage in the middle" {
	for made in parse plan; do
		text=$BATS_FILE_TMPDIR/base/$made
		for junk in 'x' '{' '[]' '3' 'null' '{}' '"record"' \
			'{"record":3}' '{"record":null}' '{"recor":"x"}'; do
			sed "4i\\$junk" "$text" >in
			all_refuse "tf-plan tf-apply tf-show"
		done
		# a record is read by those alone who need its kind
		for junk in '{"record":"resource"' '{"record":"resource",}' \
			'{"record":"resource"} {"record":"y"}'; do
			sed "4i\\$junk" "$text" >in
			all_refuse "tf-plan tf-apply"
			all_bounded tf-show
		done
	done
}

@test "a second pass of the same stage" {
	base=$BATS_FILE_TMPDIR/base
	refused tf-eval <"$base/eval"
	refused tf-graph <"$base/graph"
	refused tf-plan <"$base/plan"
	(cd "$base" && cp -r . ../again && cd ../again &&
		tf-apply <plan >applied)
	cp "$BATS_FILE_TMPDIR/again/applied" in
	refused tf-apply <in
	refused tf-plan <in
}

@test "unknown kinds of records pass through" {
	sed '4i\{"record":"x-mine","n":1}' "$BATS_FILE_TMPDIR/base/parse" >in
	tf-eval <in >out
	grep -qF '{"record":"x-mine","n":1}' out
	tf-plan <in >out
	grep -qF '{"record":"x-mine","n":1}' out
	tf-show out | grep 'to add'
}

# One line in so many, another one every day.
one_in() { # N
	awk -v n="$1" -v day="$(date +%j)" '(NR + day) % n == 0'
}

# Every record of a stream in turn: each of its members left out, and of another
# type.
mangle() { # STREAM [FILTER: which records]; prints the variants, a line each
	command jq -r -n '[inputs] as $all | range(1; ($all | length) - 1) as $i |
		($all[$i] | select('"${2-true}"') | keys_unsorted[1:][]) as $k |
		(null, 7, "x", [], [7], {}, {"x": 7}, true, "DROP") as $new |
		($all | if $new == "DROP" then .[$i] |= del(.[$k])
			else .[$i][$k] = $new end) | map(tojson) | join("\t")' "$1"
}

records_of() { # VARIANT
	printf '%s\n' "${1//$'\t'/$'\n'}"
}

@test "records with members missing or of the wrong type" {
	n=0
	for made in parse graph plan; do
		mangle "$BATS_FILE_TMPDIR/base/$made" >variants
		while IFS= read -r variant; do
			records_of "$variant" >in
			n=$((n + 1))
			case $made in
			plan) all_bounded 'tf-apply tf-show' ;;
			*) all_bounded 'tf-plan tf-show' ;;
			esac || {
				echo "$variant"
				return 1
			}
		done < <(case $made$SAN in
			plan) one_in $((9 * FEWER)) <variants ;;
			*1) one_in 48 <variants ;;
			*) one_in 24 <variants ;;
			esac)
		rm -rf terraform.tfstate*
	done
	[ $n -gt 50 ]
}

@test "seals with members missing or of the wrong type, where no record is as they say" {
	n=0
	command jq -S -c . "$BATS_FILE_TMPDIR/base/plan" >sorted
	while IFS= read -r variant; do
		records_of "$variant" >in
		n=$((n + 1))
		all_bounded 'tf-apply tf-graph' || {
			echo "$variant"
			return 1
		}
	done < <(mangle sorted '.record == "seal"' | one_in $FEWER)
	[ $n -gt 20 ]
}

@test "calls of modules with members missing or of the wrong type" {
	n=0
	mkdir m
	echo 'variable "x" {}' >m/main.tf
	echo 'module "m" {
		source = "./m"
		count  = 1
		x      = 1
	}' >main.tf
	tf-init >/dev/null
	tf-parse >parse
	while IFS= read -r variant; do
		records_of "$variant" >in
		n=$((n + 1))
		all_bounded 'tf-eval tf-graph tf-plan' || {
			echo "$variant"
			return 1
		}
	done < <(mangle parse '.record == "module_call"')
	[ $n -gt 50 ]
}

@test "conditions that lack an expression" {
	cat >main.tf <<-'END'
		variable "v" {
		  default = 1
		  validation {
		    condition     = var.v > 0
		    error_message = "None."
		  }
		}
		resource "terraform_data" "a" {
		  lifecycle {
		    precondition {
		      condition     = var.v > 0
		      error_message = "None."
		    }
		    postcondition {
		      condition     = self.id != ""
		      error_message = "None."
		    }
		  }
		}
		output "o" {
		  value = 1
		  precondition {
		    condition     = var.v > 0
		    error_message = "None."
		  }
		}
		check "k" {
		  assert {
		    condition     = var.v > 0
		    error_message = "None."
		  }
		}
	END
	tf-parse >parsed
	for name in condition error_message; do
		command jq -c -s --arg name "$name" '[paths | select(.[-1] == $name)][] as $p |
			delpaths([$p])' parsed >variants
		[ "$(wc -l <variants)" = 5 ]
		while IFS= read -r variant; do
			command jq -c '.[]' <<<"$variant" >in
			refused tf-plan <in
			grep -q "lacks \"$name\"" err
		done <variants
	done
}

@test "duplicated records" {
	for made in parse graph plan; do
		lines=$(wc -l <"$BATS_FILE_TMPDIR/base/$made")
		for n in $(seq 2 ${SAN:+3} $((lines - 1))); do
			sed "${n}p" "$BATS_FILE_TMPDIR/base/$made" >in
			all_bounded 'tf-plan tf-apply tf-show'
			rm -rf terraform.tfstate*
		done
	done
}

@test "records left out one by one" {
	for made in parse graph plan; do
		lines=$(wc -l <"$BATS_FILE_TMPDIR/base/$made")
		for n in $(seq 2 ${SAN:+3} $((lines - 1))); do
			sed "${n}d" "$BATS_FILE_TMPDIR/base/$made" >in
			all_bounded 'tf-plan tf-apply tf-show'
			rm -rf terraform.tfstate*
		done
	done
}

@test "states with members missing or of the wrong type" {
	jq -c '. as $s | [paths] as $all | $all[] as $p |
		(7, "x", [], {}, null, [[7]], "DROP") as $new |
		$s | if $new == "DROP" then delpaths([$p])
			else setpath($p; $new) end' \
		"$BATS_FILE_TMPDIR/base/terraform.tfstate" >variants
	[ "$(wc -l <variants)" -gt 200 ]
	cp "$BATS_FILE_TMPDIR/base/main.tf" .
	n=0
	while IFS= read -r variant; do
		printf '%s\n' "$variant" >terraform.tfstate
		for tool in 'tf-state list' 'tf-plan -C .' \
			'tf-show terraform.tfstate'; do
			bounded $tool || {
				echo "$variant"
				return 1
			}
			[ "$status" = 0 ] ||
				grep -qE '^(Error:|Failed to marshal) ' err
		done
		n=$((n + 1))
	done < <(one_in "$([ -n "$SAN" ] && echo 16 || echo 6)" <variants)
	[ $n -gt 20 ]
}

@test "what a stage wrote, edited member by member, crashes none that reads it" {
	need python3
	export PYTHONDONTWRITEBYTECODE=1
	run -0 "$TF_TEST_SRC/tests/fuzz/streams" --work "$PWD/work" --count $((150 / FEWER))
	[[ ${lines[-1]} = $((150 / FEWER))' passed, 0 failed, 0 skipped' ]]
}

@test "options and damaged files at random end no command but as its manual says" {
	need python3
	export PYTHONDONTWRITEBYTECODE=1
	run -0 "$TF_TEST_SRC/tests/fuzz/commands" --work "$PWD/work" --count $((150 / FEWER))
	[[ ${lines[-1]} = $((150 / FEWER))' passed, 0 failed, 0 skipped' ]]
}
