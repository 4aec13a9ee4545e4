import type { Config } from '#config';
import { regionOf } from '#domain/age/places.ts';
import type { Region } from '#domain/age/rules.ts';

/** @param name of a request's header, in lower case */
export type ReadHeader = (name: string) => string | undefined;
export type FindRegion = (header: ReadHeader) => Region | undefined;

/**
 * Finds a visitor's region in the headers of the trusted proxy, never in the browser's word: without a proxy in between
 * they are the client's own claim. Undefined: unknown.
 */
export function openRegions({ regionHeaders, trustProxy }: Pick<Config, 'regionHeaders' | 'trustProxy'>): FindRegion {
  if (regionHeaders === undefined) return () => undefined;
  const [country = '', state] = regionHeaders;
  return (header) => {
    const proxies = (header('x-forwarded-for') ?? '').split(',').filter((part) => part.trim() !== '');
    if (trustProxy === 0 || proxies.length < trustProxy) return undefined;
    return regionOf(header(country), state === undefined ? undefined : header(state));
  };
}
