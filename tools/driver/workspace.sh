# tf workspace
exec tf-state workspace "$@"
