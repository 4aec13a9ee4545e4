import { LRUCache } from 'lru-cache';
import type { Config } from '#config';
import { regionOf } from '#domain/age/places.ts';
import type { Region } from '#domain/age/rules.ts';

/** @param name of a request's header, in lower case */
export type ReadHeader = (name: string) => string | undefined;
/** @param client the address as in `clientAddress` */
export type RegionOfClient = (client: string) => Region | undefined;
/** @param client the address as in `clientAddress` */
export type FindRegion = (header: ReadHeader, client: () => string) => Region | undefined;

type Proxy = Pick<Config, 'regionHeaders' | 'trustProxy'>;

/** Finds a visitor's region, by the trusted proxy's word before the operator's file. Undefined: unknown. */
export function openRegions(proxy: Proxy, ofClient: RegionOfClient = () => undefined): FindRegion {
  const named = openHeaders(proxy);
  return (header, client) => named(header) ?? ofClient(client());
}

/** The headers of the trusted proxy: without a proxy in between they are the client's own claim. */
function openHeaders({ regionHeaders, trustProxy }: Proxy): (header: ReadHeader) => Region | undefined {
  if (regionHeaders === undefined) return () => undefined;
  const [country = '', state] = regionHeaders;
  // Asked for each request, also in front of the caches.
  const known = new LRUCache<string, { region: Region | undefined }>({ max: 1000 });
  return (header) => {
    if (trustProxy === 0 || proxiesIn(header('x-forwarded-for') ?? '') < trustProxy) return undefined;
    const [ofCountry = '', ofState = ''] = [header(country), state === undefined ? '' : header(state)];
    const key = `${ofCountry} ${ofState}`;
    const found = known.get(key) ?? { region: regionOf(ofCountry, ofState) };
    known.set(key, found);
    return found.region;
  };
}

/** Addresses in the header, without empty ones. */
function proxiesIn(forwarded: string): number {
  if (!forwarded.includes(',')) return forwarded.trim() === '' ? 0 : 1;
  return forwarded.split(',').filter((part) => part.trim() !== '').length;
}
