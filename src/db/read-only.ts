const reads = /^\s*(?:select|with)\b/i;
const writes =
  /\b(?:insert|update|delete|merge|for (?:no key )?update|for (?:key )?share|nextval|pg_notify|pg_advisory\w*)\b/i;

/**
 * Whether a call of `pool.query` with these arguments only reads. Calls with a callback count as writes; the site makes
 * none.
 */
export function onlyReads(args: unknown[]): boolean {
  if (typeof args.at(-1) === 'function') return false;
  const [query] = args;
  const text = typeof query === 'string' ? query : (query as { text?: unknown } | undefined)?.text;
  return typeof text === 'string' && reads.test(text) && !writes.test(text);
}
