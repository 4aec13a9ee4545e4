-- lock: 5s
-- Requests for a proof of age, for five minutes. They name neither an account nor an address, and go with the answer.
-- Unlogged, so that no copy of the write-ahead log has them either.
create unlogged table age_proof_requests (
  id uuid primary key,
  -- SHA-256 of a secret in a cookie of the browser that began it.
  browser bytea not null unique,
  -- Secrets of the question; gone with the first answer.
  nonce text,
  private_jwk jsonb,
  code_verifier text,
  state text not null default 'waiting',
  way text,
  refusal text,
  expires_at timestamptz(3) not null
);
--> statement-breakpoint
create index age_proof_requests_expired on age_proof_requests (expires_at);
