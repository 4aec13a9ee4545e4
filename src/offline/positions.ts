import { read, write } from './database.ts';
import { readKey, sealJson, unsealJson } from './sealing.ts';

/** Position in seconds of each download, by audio id, for an offline start. */
export type Positions = Record<string, number>;

const name = 'places';

export async function readPositions(): Promise<Positions> {
  const key = await readKey();
  return (key && (await unsealJson<Positions>(key, await read('state', name), name))) ?? {};
}

export async function writePositions(positions: Positions): Promise<void> {
  const key = await readKey();
  if (key !== undefined) await write('state', name, await sealJson(key, positions, name));
}
