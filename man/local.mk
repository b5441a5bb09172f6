# manuals: one line each
dist_man_MANS += man/tf-fmt.1 man/tf-fetch.1 man/tf-ssh.1

dist_man_MANS += man/tf.1 man/tf-canon.1 man/tf-diff.1 man/tf-select.1 man/tf-show.1 man/tf-ui.1
dist_man_MANS += man/tf-state.1
dist_man_MANS += man/tf-eval.1
dist_man_MANS += man/tf-apply.1
dist_man_MANS += man/tf-parse.1
dist_man_MANS += man/tf-graph.1
dist_man_MANS += man/tf-plan.1 man/tf-providers.1
dist_man_MANS += man/tf-stream.5
dist_man_MANS += man/tf-init.1
dist_man_MANS += man/tf-login.1 man/tf-test.1
dist_man_MANS += man/tf-compat.7
dist_man_MANS += man/tf-encryption.7
dist_man_MANS += man/tf-from-terraform.7
dist_man_MANS += man/tf-recipes.7 man/tf-tutorial.7
dist_man_MANS += man/tf-reliability.7
dist_man_MANS += man/tf-backends.7
