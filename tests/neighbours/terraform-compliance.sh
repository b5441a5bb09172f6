# terraform-compliance: features that a plan has to have, of its JSON.  (That a file
# is a plan it knows by its being a zip: tf-compat(7).)
mkdir features
cat >features/data.feature <<'END'
Feature: data
  Scenario: all of them have an input
    Given I have terraform_data defined
    Then it must have input
    And its value must not be null

  Scenario: zones have owners
    Given I have terraform_data defined
    When its name is zone
    Then it must have input
    Then it must have owner

  Scenario: sizes are small
    Given I have terraform_data defined
    When its name is zone
    Then it must have input
    Then it must have size
    And its value must be less than 2

  Scenario: what is created
    Given I have terraform_data defined
    When its type is terraform_data
    Then it must have input

  Scenario: outputs
    Given I have output defined
    When its name is password
    Then it must have sensitive

  Scenario: variables
    Given I have variable defined
    When its name is name
    Then its value must be web
END
check() {
	terraform-compliance -f features -p "$@" --no-ansi >out 2>&1 || echo "status $?"
	grep -E '(Failure|SKIPPING): [a-zA-Z]|^[0-9]+ ' out
}
$CLI init >/dev/null
$CLI plan -out=p >/dev/null
$CLI show -json p >p.json
check "$PWD/p.json"
$CLI apply p >/dev/null
$CLI plan -out=q -var name=db >/dev/null
$CLI show -json q >q.json
check "$PWD/q.json"
