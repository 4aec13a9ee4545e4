import type { Actor } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import * as measuring from './measure-recordings.ts';
import * as processing from './process-upload.ts';
import type { SoundTools } from './process-upload.ts';
import * as recordings from './recordings.ts';
import * as voices from './voices.ts';

export function openStudio({ db }: { db: Db }) {
  return {
    listVoices: (actor: Actor) => voices.listManagedVoices(db, actor),
    findVoice: (actor: Actor, idOrSlug: string) => voices.findManagedVoice(db, actor, idOrSlug),
    findRecording: (audioId: string) => recordings.findRecording(db, audioId),
    findWaitingUploads: (engine: SoundTools['engine']) => processing.findWaitingUploads({ db, engine }),
    processUpload: (tools: Omit<SoundTools, 'db'>, id: string, signal?: AbortSignal) =>
      processing.processUpload({ db, ...tools }, id, signal),
    measureRecordings: (tools: Omit<SoundTools, 'db'>, signal?: AbortSignal) =>
      measuring.measureRecordings({ db, ...tools }, { signal }),
    countFor: (voiceId: string) => voices.countForStudio(db, voiceId),
  };
}
