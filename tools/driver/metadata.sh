# tf metadata functions -json
[ "${1-}" = functions ] || usage_error "tf metadata has one command: functions"
exec tf-eval -functions
