# tf get - modules only
exec tf-init -get-only "$@"
