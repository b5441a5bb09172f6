# tf console - expressions, evaluated one after the other
exec tf-eval -console "$@"
