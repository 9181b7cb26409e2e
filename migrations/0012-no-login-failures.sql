-- sign_in_failures took the place of this table. No instance that runs with this schema reads or writes it.
drop table login_failures;
