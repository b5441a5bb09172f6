#!/usr/bin/env bats
# The manuals: clean, in agreement with the tools, and their examples run.

load common

jq_itself

manuals() {
	ls "$TF_TEST_SRC"/man/*.[157]
}

@test "mandoc has nothing to say" {
	need mandoc
	run mandoc -Tlint -Wwarning $(manuals)
	echo "$output"
	[ "$status" = 0 ]
}

@test "a manual has the year of its last change" {
	need git
	[ -e "$TF_TEST_SRC/.git" ] || cannot 'look into history without a checkout'
	pages=$(manuals)
	[ -n "$pages" ]
	for page in $pages; do
		year=$(git -C "$TF_TEST_SRC" log -1 --date=format:%Y \
			--format=%ad -- "$page")
		grep -q "^\.Dd [A-Z][a-z]* [0-9]*, $year$" "$page" ||
			{ echo "$page: not of $year"; false; }
	done
}

@test "every tool has a manual, with the sections a manual has" {
	for tool in tf-parse tf-eval tf-graph tf-plan tf-apply tf-state tf-init \
		tf-canon tf-diff tf-select tf-show tf-ui tf-fmt tf-fetch tf-ssh tf-login tf-test; do
		page=$TF_TEST_SRC/man/$tool.1
		[ -f "$page" ] || { echo "no manual: $tool"; false; }
		for section in NAME SYNOPSIS DESCRIPTION 'EXIT STATUS' EXAMPLES \
			'SEE ALSO'; do
			grep -q "^\.Sh $section" "$page" ||
				{ echo "$tool: no $section"; false; }
		done
	done
}

@test "options in the manual are those of --help, both ways" {
	for tool in tf-parse tf-eval tf-graph tf-plan tf-apply tf-canon tf-diff tf-init tf-select \
		tf-show tf-ui tf-fmt tf-login tf-test; do
		"$tool" -help | sed -n 's/^  -\([A-Za-z0-9-]*\).*/\1/p' |
			grep -vE '^(help|version)$' | sort -u >"$BATS_TEST_TMPDIR/help"
		# .It Fl a , Fl b Ns = Ns Ar X
		sed -n 's/^\.It //p' "$TF_TEST_SRC/man/$tool.1" |
			grep -oE 'Fl -?[A-Za-z][A-Za-z0-9-]*' |
			sed 's/^Fl -*//' | grep -vE '^(help|version)$' |
			sort -u >"$BATS_TEST_TMPDIR/page"
		diff "$BATS_TEST_TMPDIR/help" "$BATS_TEST_TMPDIR/page" || { echo "$tool"; false; }
	done
}

@test "options in tf(1) are those that tf parses, command by command" {
	for command in validate plan apply destroy console get graph import \
		'metadata functions' output refresh show version; do
		tf -complete $command - | sed 's/^-//; s/[=	].*//' |
			sort -u >"$BATS_TEST_TMPDIR/table"
		awk -v command="$command" '
			/^\.It Fl / { name = $3 }
			/^\.Pq Cm / {
				sub(/^\.Pq Cm /, "")
				n = split($0, of, " , ")
				for (i = 1; i <= n; i++)
					if (of[i] == command)
						print name
			}' "$TF_TEST_SRC/man/tf.1" | sort -u >"$BATS_TEST_TMPDIR/page"
		[ -s "$BATS_TEST_TMPDIR/table" ]
		diff "$BATS_TEST_TMPDIR/table" "$BATS_TEST_TMPDIR/page" ||
			{ echo "$command"; false; }
	done
}

@test "commands in tf(1) are those of tf -help" {
	tf -complete '' | cut -f1 | sort >"$BATS_TEST_TMPDIR/table"
	sed -n '/^The commands are/,/^\.El/s/^\.It Cm //p' "$TF_TEST_SRC/man/tf.1" |
		sed 's/ \(Oo\|Op\|Ar\|Fl\) .*//' | tr ',' '\n' | awk 'NF { print $1 }' |
		sort -u >"$BATS_TEST_TMPDIR/page"
	diff "$BATS_TEST_TMPDIR/table" "$BATS_TEST_TMPDIR/page"
}

# A place where the examples of all manuals make sense.
sample() {
	mkdir -p "$1"
	cd "$1"
	cat >main.tf <<'EOF'
variable "name" { default = "world" }
locals { greeting = "hello, ${var.name}" }
resource "terraform_data" "a" { input = local.greeting }
resource "terraform_data" "b" { input = terraform_data.a.output }
module "m" { source = "./m" }
output "greeting" { value = terraform_data.b.output }
EOF
	mkdir m
	echo 'resource "terraform_data" "x" { count = 2 }' >m/main.tf
	mkdir tests
	echo 'run "setup" { command = plan }' >tests/main.tftest.hcl
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	tf plan -var=name=you -out=demo.plan >/dev/null
}

@test "the examples run" {
	for page in "$TF_TEST_SRC"/man/*.[157]; do
		name=$(basename "$page")
		awk '/^\.Sh/ { on = ($2 == "EXAMPLES") }
			on && /^\.Bd/ { n++; copy = 1; next }
			/^\.Ed/ { copy = 0 }
			copy { sub(/^\\&/, ""); gsub(/\\e/, "\\"); gsub(/\\-/, "-");
				print > "'"$BATS_TEST_TMPDIR/$name"'." n ".sh" }' "$page"
	done
	count=0
	for script in "$BATS_TEST_TMPDIR"/*.sh; do
		[ -e "$script" ] || continue
		rm -rf "$BATS_TEST_TMPDIR/here"
		sample "$BATS_TEST_TMPDIR/here"
		run timeout 60 sh -eu "$script"
		[ "$status" = 0 ] || {
			echo "$script:"
			cat "$script"
			echo "$output"
			false
		}
		count=$((count + 1))
	done
	[ $count -ge 9 ]
}

@test "codes of diagnostics in tf-stream(5) and the schema are those of the table" {
	grep -oE '^	\[DIAG_.*\] = \{ "[a-z_]+"' "$TF_TEST_SRC/lib/base/diag.c" |
		sed 's/.*"\(.*\)"/\1/' | sort >"$BATS_TEST_TMPDIR/table"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/table")" -gt 9 ]
	awk '/go by$/ { on = 1 } /^A stage that was not given/ { on = 0 }
		on && /^\.It Li / { gsub(/[ ,]+/, "\n"); print }' \
		"$TF_TEST_SRC/man/tf-stream.5" | grep _ | sort |
		diff "$BATS_TEST_TMPDIR/table" -
	jq -r '."$defs".record_diagnostic.properties.code.enum[]' \
		"$TF_TEST_SRC/schema/tf-stream.schema.json" | sort |
		diff "$BATS_TEST_TMPDIR/table" -
}

@test "each test that tf-reliability(7) rests on is there" {
	grep -oE 'tests/[a-z_./-]+[a-z]' "$TF_TEST_SRC/man/tf-reliability.7" |
		sort -u >"$BATS_TEST_TMPDIR/named"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/named")" -gt 15 ]
	while read -r test; do
		[ -e "$TF_TEST_SRC/$test" ] || { echo "no $test"; false; }
	done <"$BATS_TEST_TMPDIR/named"
}
