#!/usr/bin/env bats
# The manuals: clean, in agreement with the tools, and their examples run.

manuals() {
	ls "$TF_TEST_SRC"/man/*.[15]
}

@test "mandoc has nothing to say" {
	command -v mandoc >/dev/null || skip 'mandoc is not installed'
	run mandoc -Tlint -Wwarning $(manuals)
	echo "$output"
	[ "$status" = 0 ]
}

@test "every tool has a manual, with the sections a manual has" {
	for tool in tf-parse tf-eval tf-graph tf-plan tf-apply tf-state tf-init \
		tf-show tf-fmt; do
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
	for tool in tf-parse tf-eval tf-graph tf-plan tf-apply tf-init tf-show \
		tf-fmt; do
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
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	tf plan -var=name=you -out=demo.plan >/dev/null
}

@test "the examples run" {
	for page in $(manuals); do
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
