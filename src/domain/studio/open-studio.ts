import type { Actor } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import * as recordings from './recordings.ts';
import * as voices from './voices.ts';

export function openStudio({ db }: { db: Db }) {
  return {
    listVoices: (actor: Actor) => voices.listManagedVoices(db, actor),
    findVoice: (actor: Actor, idOrSlug: string) => voices.findManagedVoice(db, actor, idOrSlug),
    findRecording: (audioId: string) => recordings.findRecording(db, audioId),
    countFor: (voiceId: string) => voices.countForStudio(db, voiceId),
  };
}
