# GitLab: the variables of its HTTP backend, and the counts in its merge requests.
say() {
	"$@" >out 2>&1 && echo "${*:2}: 0" || echo "${*:2}: $?"
}
cat >backend.tf <<'END'
terraform {
  backend "http" {
  }
}
END
mkdir server
mkfifo server/in
python3 -B "$NEIGHBOURS/../servers/http_state.py" server <server/in >/dev/null &
exec 9>server/in
while [ ! -s server/port ]; do sleep 0.05; done
at=http://127.0.0.1:$(cat server/port)/state
export TF_HTTP_ADDRESS=$at TF_HTTP_LOCK_ADDRESS=$at TF_HTTP_UNLOCK_ADDRESS=$at \
	TF_HTTP_LOCK_METHOD=LOCK TF_HTTP_UNLOCK_METHOD=UNLOCK TF_HTTP_USERNAME=gitlab-ci-token \
	TF_HTTP_PASSWORD=secret TF_HTTP_RETRY_WAIT_MIN=1 TF_IN_AUTOMATION=true TF_VAR_name=ci
count() {
	$CLI show --json plan.cache | jq -c '[.resource_changes[]?.change.actions?] | flatten |
		{create: map(select(. == "create")) | length,
		 update: map(select(. == "update")) | length,
		 delete: map(select(. == "delete")) | length}'
}
say $CLI fmt -check -diff -recursive
say $CLI init -input=false -reconfigure
say $CLI validate
say $CLI plan -input=false -out=plan.cache
count
say $CLI apply -input=false -auto-approve plan.cache
sed -i 's/b = 2/c = 3/' main.tf
TF_VAR_name=more say $CLI plan -input=false -out=plan.cache
TF_VAR_name=more count
say $CLI destroy -auto-approve
say $CLI state list
