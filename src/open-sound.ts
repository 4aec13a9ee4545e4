import { rmSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Config } from '#config';
import type { Blobs, SoundEngine } from '#domain/gateways.ts';
import { openSoundEngine } from '#gateways/sound/sound-engine.ts';
import { claimCacheFolder } from './cache-folder.ts';

/** The engine with its own folder, emptied of leftovers of killed processes. */
export function openSound(options: { config: Pick<Config, 'dataDir'>; blobs: Blobs; log?: Pick<Logger, 'warn'> }): {
  engine: SoundEngine;
  release(): void;
} {
  const { config, blobs, log } = options;
  const { dir, release } = claimCacheFolder(config.dataDir, 'sound');
  rmSync(dir, { recursive: true, force: true });
  const engine = openSoundEngine({
    blobs,
    dir,
    onCrash: (reason) => log?.warn({ reason }, 'The program that processes sound failed'),
  });
  return { engine, release };
}
