/** Two digits for each byte. Not `Uint8Array.toHex`, which not every supported browser has. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** SHA-256 in the browser, which has it only on https and loopback. */
export async function hexDigest(content: BufferSource): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', content)));
}
