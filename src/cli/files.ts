import type { Config } from '#config';
import type { Blobs, SoundEngine } from '#domain/gateways.ts';
import type { ImportTools } from '#domain/studio/uploads/import.ts';
import { openAudioTags } from '#gateways/audio-tags.ts';
import { openCovers } from '#gateways/covers.ts';
import { openBlobs } from '#start/open-blobs.ts';
import { openSound } from '#start/open-sound.ts';
import type { CommandContext } from './command.ts';

/** Tools of commands that work on files, besides the database. */
export async function openFileTools(context: CommandContext): Promise<Omit<ImportTools, 'db'>> {
  const blobs = await openBlobs(context.readConfig());
  return { blobs, audioTags: openAudioTags(), covers: openCovers() };
}

/** The engine while a command needs it. */
export async function withSoundEngine<Result>(
  options: { config: Pick<Config, 'dataDir'>; blobs: Blobs; directUrl?: string },
  act: (engine: SoundEngine) => Promise<Result>,
): Promise<Result> {
  const { engine, release } = openSound(options);
  try {
    return await act(engine);
  } finally {
    release();
  }
}
