# tf untaint
exec tf-state untaint "$@"
