-- The site asks for these itself where no PgBouncer is in between. Milliseconds.
alter role sotto in database sotto set statement_timeout = 10000;
alter role sotto in database sotto set lock_timeout = 9000;
alter role sotto in database sotto set idle_in_transaction_session_timeout = 30000;
