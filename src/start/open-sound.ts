import { rmSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Config } from '#config';
import { openMachineSlots } from '#db/machine-slots.ts';
import type { Blobs, SoundEngine } from '#domain/gateways.ts';
import { openSoundEngine } from '#gateways/sound/sound-engine.ts';
import { claimCacheFolder } from './cache-folder.ts';

/**
 * The engine with its own folder, emptied of leftovers of killed processes.
 * @param options.directUrl PostgreSQL itself, for the slots of this machine; absent: programs wait for no other process
 */
export function openSound(options: {
  config: Pick<Config, 'dataDir'>;
  blobs: Blobs;
  directUrl?: string;
  log?: Pick<Logger, 'warn'>;
}): {
  engine: SoundEngine;
  release(): void;
} {
  const { config, blobs, directUrl, log } = options;
  const { dir, release } = claimCacheFolder(config.dataDir, 'sound');
  rmSync(dir, { recursive: true, force: true });
  const engine = openSoundEngine({
    blobs,
    dir,
    inSlot: directUrl === undefined ? undefined : openMachineSlots({ directUrl }),
    onCrash: (reason) => log?.warn({ reason }, 'The program that processes sound failed'),
  });
  return { engine, release };
}
