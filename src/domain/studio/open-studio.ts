import { removeUnusedBlobs } from '../blob-columns.ts';
import type { Blobs, Covers } from '../gateways.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import * as audioList from './audio-list.ts';
import { setAudioCover } from './covers.ts';
import * as drafts from './drafts.ts';
import * as editor from './editor.ts';
import type { AudioChange } from './forms.ts';
import * as publishing from './publishing.ts';
import * as recordings from './recordings.ts';
import * as voices from './voices.ts';

export function openStudio({ db, blobs, covers }: { db: Db; blobs: Blobs; covers: Covers }) {
  /** Removes files that a change left behind, once it is done. */
  async function withoutFormer<Refusal extends { ok: false }>(
    changed: Promise<(drafts.Saved & { formerFiles: string[] }) | Refusal>,
  ): Promise<drafts.Saved | Refusal> {
    const result = await changed;
    if (!result.ok) return result;
    const { formerFiles, ...saved } = result;
    await removeUnusedBlobs(db, blobs, formerFiles);
    return saved;
  }
  return {
    listVoices: (actor: Actor) => voices.listManagedVoices(db, actor),
    findVoice: (actor: Actor, idOrSlug: string) => voices.findManagedVoice(db, actor, idOrSlug),
    findRecording: (audioId: string) => recordings.findRecording(db, audioId),
    listAudios: (actor: Actor, query: audioList.ManagedAudioQuery) => audioList.listManagedAudios(db, actor, query),
    listPendingUploads: (voiceId: string) => audioList.listPendingUploads(db, voiceId),
    findAudioFacts: (actor: Actor, idOrSlug: string) => editor.findAudioFacts(db, actor, idOrSlug),
    findEditedAudio: (actor: Actor, idOrSlug: string) => drafts.findEditedAudio(db, actor, idOrSlug),
    findAudioPreview: (actor: Actor, idOrSlug: string) => editor.findAudioPreview(db, actor, idOrSlug),
    findOriginal: (actor: Actor, idOrSlug: string) => editor.findOriginal(db, actor, idOrSlug),
    listSeriesChoices: (audioId: string) => editor.listSeriesChoices(db, audioId),
    listCategoryChoices: () => editor.listCategoryChoices(db),
    suggestTags: (text: string) => editor.suggestTags(db, text),
    saveAudio: (actor: Actor, idOrSlug: string, save: { version: number; change: AudioChange }) =>
      drafts.saveAudio(db, actor, idOrSlug, save),
    setAudioCover: (actor: Actor, idOrSlug: string, save: Parameters<typeof setAudioCover>[3]) =>
      setAudioCover({ db, blobs, covers }, actor, idOrSlug, save),
    publishChanges: (actor: Actor, idOrSlug: string, version: number) =>
      withoutFormer(drafts.publishChanges(db, actor, idOrSlug, version)),
    discardChanges: (actor: Actor, idOrSlug: string, version: number) =>
      withoutFormer(drafts.discardChanges(db, actor, idOrSlug, version)),
    publishAudio: (actor: Actor, idOrSlug: string, at?: Date) => publishing.publishAudio(db, actor, idOrSlug, at),
    unpublishAudio: (actor: Actor, idOrSlug: string) => publishing.unpublishAudio(db, actor, idOrSlug),
    deleteAudio: (actor: Actor, idOrSlug: string) => publishing.deleteManagedAudio(db, actor, idOrSlug),
    undeleteAudio: (actor: Actor, idOrSlug: string) => publishing.undeleteManagedAudio(db, actor, idOrSlug),
    actOnAudios: (actor: Actor, ids: string[], act: Parameters<typeof publishing.actOnAudios>[3]) =>
      publishing.actOnAudios(db, actor, ids, act),
    countFor: (voiceId: string) => voices.countForStudio(db, voiceId),
  };
}
