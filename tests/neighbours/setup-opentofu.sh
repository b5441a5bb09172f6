# setup-opentofu: its wrapper hands texts and statuses on, of which 0 and 2 are good.
wrapper() {
	status=0
	$CLI "$@" >stdout 2>stderr </dev/null || status=$?
	echo "$1 $status: $(test -s stdout && echo stdout) $(test -s stderr && echo stderr)"
	[ "$status" = 0 ] || [ "$status" = 2 ]
}
wrapper version
wrapper init -no-color
wrapper fmt -check
wrapper validate -no-color
wrapper plan -no-color -detailed-exitcode
wrapper plan -no-color -detailed-exitcode -var nothing=1 || echo failed
wrapper apply -no-color || echo failed
wrapper apply -no-color -auto-approve
wrapper plan -no-color -detailed-exitcode
wrapper output -json
jq -c 'keys' stdout
wrapper output none || echo failed
wrapper output -raw name
cat stdout
echo
wrapper nothing || echo failed
wrapper show -json
jq -c 'keys' stdout
