/** Two digits for each byte. Not `Uint8Array.toHex`, which not every supported browser has. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
