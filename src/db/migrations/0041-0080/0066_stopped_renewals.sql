-- lock: 5s

-- Whether the suspension stopped a renewal: only then does undoing it restart one. Earlier decisions do not know.
alter table comment_decisions add column stopped_renewal boolean not null default false;
