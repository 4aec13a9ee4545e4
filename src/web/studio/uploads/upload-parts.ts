/** Target seconds per request: proxies and the site end requests after a minute. */
const wantedSeconds = 8;
const minBytes = 256 * 1024;
/** When the site ends, what its machine has received and it has not read is sent again: a part at most. */
const maxBytes = 4 * 1024 * 1024;

/** Bytes of the next part, by the speed of the former one. */
export function nextPart(bytes: number, seconds: number): number {
  return Math.round(Math.min(maxBytes, Math.max(minBytes, (bytes / seconds) * wantedSeconds)));
}
