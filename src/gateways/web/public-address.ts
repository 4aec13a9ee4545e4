import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Whether an IP address is one of the public internet: not private, local, reserved, or a way to such a one. */
export function isPublicAddress(address: string): boolean {
  // The library alone would also take octal and shortened forms.
  return isIP(address) !== 0 && ipaddr.process(address).range() === 'unicast';
}
