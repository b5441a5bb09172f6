# tf taint
exec tf-state taint "$@"
