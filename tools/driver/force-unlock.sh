# tf force-unlock
exec tf-state force-unlock "$@"
