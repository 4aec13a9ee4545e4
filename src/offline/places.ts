import { read, write } from './database.ts';
import { readKey, sealJson, unsealJson } from './sealing.ts';

/** Position in seconds of each download, by audio id, for an offline start. */
export type Places = Record<string, number>;

const name = 'places';

export async function readPlaces(): Promise<Places> {
  const key = await readKey();
  return (key && (await unsealJson<Places>(key, await read('state', name), name))) ?? {};
}

export async function writePlaces(places: Places): Promise<void> {
  const key = await readKey();
  if (key !== undefined) await write('state', name, await sealJson(key, places, name));
}
