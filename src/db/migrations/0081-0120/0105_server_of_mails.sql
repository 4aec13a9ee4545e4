-- lock: 5s
-- The mail server that was tried last, as `user@host:port`: another one is tried for mails that this one gave back.
alter table outgoing_mails add column server text;
