import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The client that an address is counted as: without a port, IPv4 written as IPv6 folded back, and an IPv6 address as its
 * /64, since each household has 2^64 of them. `203.0.113.7:4711` → `203.0.113.7`, `[2001:db8::7]:4711` →
 * `2001:db8:0:0::/64`; other text is returned unchanged.
 */
export function networkOf(text: string): string {
  const written = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, '$1');
  // The library alone would also take octal and shortened forms.
  if (isIP(written) === 0) return written;
  const address = ipaddr.process(written);
  return address instanceof ipaddr.IPv4 ? address.toString() : prefixOf(address, 4);
}

/** The /48 around a /64 of `networkOf`: providers assign whole /48s. @returns undefined for IPv4 and other text */
export function widerNetworkOf(network: string): string | undefined {
  const base = /^(.+)\/64$/.exec(network)?.[1];
  return base === undefined || isIP(base) !== 6 ? undefined : prefixOf(ipaddr.IPv6.parse(base), 3);
}

/** @param groups of 16 bits each */
function prefixOf(address: ipaddr.IPv6, groups: number): string {
  const hex = address.parts.slice(0, groups).map((part) => part.toString(16));
  return `${hex.join(':')}::/${groups * 16}`;
}
