# tf metadata functions -json
[ "${1-}" = functions ] || usage_error "tf metadata has one command: functions"
case " ${2-} " in
" -json " | " --json ") ;;
*) fail "Invalid arguments" "tf metadata functions needs -json." ;;
esac
exec tf-eval -functions
