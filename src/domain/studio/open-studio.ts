import type { Actor } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import type { SeriesEditForm, SeriesForm, VoiceProfileForm } from '../catalogue/forms.ts';
import type { Blobs, Covers } from '../gateways.ts';
import type { VoiceRole } from '../kernel/actor.ts';
import * as people from './people.ts';
import * as profiles from './profiles.ts';
import * as recordings from './recordings.ts';
import * as series from './series.ts';
import * as voices from './voices.ts';

/** Where pictures are kept, and what prepares them. */
export type Pictures = { blobs: Blobs; covers: Covers };
/** Bytes of a new picture; null takes it away. */
type Picture = Uint8Array | null | undefined;

export function openStudio({ db }: { db: Db }) {
  return {
    listVoices: (actor: Actor) => voices.listManagedVoices(db, actor),
    findVoice: (actor: Actor, idOrSlug: string) => voices.findManagedVoice(db, actor, idOrSlug),
    findRecording: (audioId: string) => recordings.findRecording(db, audioId),
    findProfile: (voiceId: string) => profiles.findProfile(db, voiceId),
    editProfile: (pictures: Pictures, actor: Actor, voiceId: string, edit: VoiceProfileForm, picture?: Picture) =>
      profiles.editProfile({ db, ...pictures }, actor, voiceId, edit, picture),
    listPeople: (voiceId: string) => people.listPeople(db, voiceId),
    setPerson: (actor: Actor, voiceId: string, name: string, role: VoiceRole) =>
      people.setPerson(db, actor, voiceId, name, role),
    removePerson: (actor: Actor, voiceId: string, userId: string) => people.removePerson(db, actor, voiceId, userId),
    listSeries: (actor: Actor, voiceId: string, page: { cursor?: string | undefined; limit: number }) =>
      series.listManagedSeries(db, actor, voiceId, page),
    findSeries: (actor: Actor, id: string) => series.findManagedSeries(db, actor, id),
    findAudiosForSeries: (actor: Actor, voiceId: string, q: string, limit: number) =>
      series.findAudiosForSeries(db, actor, voiceId, q, limit),
    createSeries: (actor: Actor, voiceId: string, form: SeriesForm) => series.createSeries(db, actor, voiceId, form),
    editSeries: (pictures: Pictures, actor: Actor, id: string, edit: SeriesEditForm, picture?: Picture) =>
      series.editSeries({ db, ...pictures }, actor, id, edit, picture),
    addToSeries: (actor: Actor, id: string, audioId: string, after?: string | null) =>
      series.addToManagedSeries(db, actor, id, audioId, after),
    moveInSeries: (actor: Actor, id: string, audioId: string, after: string | null) =>
      series.moveInSeries(db, actor, id, audioId, after),
    removeFromSeries: (actor: Actor, id: string, audioId: string) => series.removeFromSeries(db, actor, id, audioId),
    deleteSeries: (actor: Actor, id: string) => series.deleteSeries(db, actor, id),
    restoreSeries: (actor: Actor, id: string) => series.restoreSeries(db, actor, id),
    listDeletedSeries: (voiceId: string, limit: number) => series.listDeletedSeries(db, voiceId, limit),
    purgeDeletedSeries: (blobs: Blobs) => series.purgeDeletedSeries(db, blobs),
    countFor: (voiceId: string) => voices.countForStudio(db, voiceId),
  };
}
