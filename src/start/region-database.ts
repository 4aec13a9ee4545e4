import { readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';
import { type CityResponse, Reader } from 'mmdb-lib';
import { StartError } from '#db/embedded/start-error.ts';
import { regionOf } from '#domain/age/places.ts';
import type { Region } from '#domain/age/rules.ts';

export type RegionDatabase = {
  /** @param client address or network. @returns undefined: unknown */
  find(client: string): Region | undefined;
  /** Its maker's name for it, such as `GeoLite2-City`. */
  kind: string;
  builtAt: Date;
};

/** Reads the file of `REGION_DATABASE`. @throws StartError */
export function openRegionDatabase(path: string): RegionDatabase {
  const reader = readerOf(readBytes(path), path);
  const { databaseType: kind, buildEpoch: builtAt, ipVersion } = reader.metadata;
  return {
    kind,
    builtAt,
    find(client) {
      const written = client.replace(/\/\d+$/, '');
      if (!ipaddr.isValid(written)) return undefined;
      const address = ipaddr.process(written);
      // The reader would take the first bits of one for an IPv4 address.
      if (ipVersion === 4 && address instanceof ipaddr.IPv6) return undefined;
      const found = reader.get(address.toString());
      return regionOf(found?.country?.iso_code, found?.subdivisions?.[0]?.iso_code);
    },
  };
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StartError(`the file of REGION_DATABASE, ${path}, cannot be read: ${code ?? message}`);
  }
}

function readerOf(bytes: Buffer, path: string): Reader<CityResponse> {
  try {
    return new Reader(bytes);
  } catch {
    throw new StartError(`the file of REGION_DATABASE, ${path}, is no MMDB file, or is damaged`);
  }
}
