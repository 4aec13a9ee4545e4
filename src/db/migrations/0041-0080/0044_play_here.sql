-- lock: 5s
-- "Play here": the session on which a user's player sounds, and the one that it was taken from.

-- Unlogged: it changes every ten seconds of listening and is worth nothing after a minute.
create unlogged table playing_sessions (
  user_id uuid primary key references users on delete cascade,
  session_id uuid not null,
  audio_id uuid not null,
  is_playing boolean not null,
  noted_at timestamptz(3) not null,
  -- Told to that session with its next report, once.
  taken_from uuid
);
