# tf output - the outputs of the current state
exec tf-show -current -outputs "$@"
