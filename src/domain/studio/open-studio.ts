import type { AddJobs, Blobs, Covers } from '../gateways.ts';
import type { Actor } from '../kernel/actor.ts';
import { bind } from '../kernel/bind.ts';
import type { Db } from '../kernel/db.ts';
import type { SeriesEditForm, SeriesForm, VoiceProfileForm } from '../catalogue/forms.ts';
import type { User, VoiceRole } from '../kernel/viewer.ts';
import { limitSetting } from '../settings/limits.ts';
import type { Settings } from '../settings/open-settings.ts';
import * as people from './people.ts';
import * as profiles from './profiles.ts';
import * as deletedSeries from './series/deleted-series.ts';
import * as seriesOrder from './series/series-order.ts';
import * as series from './series/series.ts';
import * as finishing from './uploads/finish-uploads.ts';
import type { UploadTools } from './uploads/finish-uploads.ts';
import type { UploadEdit, UploadForm } from './forms.ts';
import * as measuring from './uploads/measure-recordings.ts';
import * as processing from './uploads/process-upload.ts';
import type { SoundTools } from './uploads/process-upload.ts';
import * as audioList from './audios/audio-list.ts';
import { setAudioCover } from './audios/covers.ts';
import * as drafts from './audios/drafts.ts';
import { findEditedAudio } from './audios/edited-audio.ts';
import * as editor from './audios/editor.ts';
import * as publishing from './audios/publishing.ts';
import type { FigureQuery, Period } from './figures/figure-periods.ts';
import * as figures from './figures/figures.ts';
import { figuresFile } from './figures/figures-file.ts';
import { findStudioOverview } from './figures/overview.ts';
import * as recordings from './uploads/recordings.ts';
import * as locks from './uploads/upload-locks.ts';
import * as uploads from './uploads/uploads.ts';
import * as voices from './voices.ts';

export function openStudio({
  db,
  blobs,
  covers,
  settings,
}: {
  db: Db;
  blobs: Blobs;
  covers: Covers;
  settings: Settings;
}) {
  return {
    ...bind(db, { ...drafts, ...publishing }),
    listVoices: (actor: Actor) => voices.listManagedVoices(db, actor),
    findVoice: (actor: Actor, idOrSlug: string) => voices.findManagedVoice(db, actor, idOrSlug),
    findRecording: (audioId: string) => recordings.findRecording(db, audioId),
    /** @param limits of the environment, used where no operator set one */
    startUpload(user: User, form: UploadForm, bytes: number, limits: uploads.UploadLimits) {
      const { uploadsPerDay, uploadGigabytesPerDay, unfinishedUploads } = settings.read(limitSetting);
      return uploads.startUpload(db, user, form, bytes, {
        filesPerDay: uploadsPerDay ?? limits.filesPerDay,
        bytesPerDay: uploadGigabytesPerDay === null ? limits.bytesPerDay : uploadGigabytesPerDay * 1024 ** 3,
        unfinished: unfinishedUploads,
      });
    },
    findReplaced: (user: User, voiceId: string, audioId: string) => uploads.findReplaced(db, user, voiceId, audioId),
    findComingUpload: (user: User, id: string) => uploads.findComingUpload(db, user, id),
    noteReceived: (id: string, received: number) => uploads.noteReceived(db, id, received),
    forgetUpload: (id: string) => uploads.forgetUpload(db, id),
    takeUploadLock: (id: string, options?: locks.UploadLockOptions) => locks.takeUploadLock(db, id, options),
    finishUpload: (id: string, tools: UploadTools) => finishing.finishUpload(db, id, tools),
    queueUpload: (id: string, addJobs: AddJobs) => finishing.queueUpload(db, id, addJobs),
    finishIdleUploads: (tools: UploadTools, signal?: AbortSignal) => finishing.finishIdleUploads(db, tools, signal),
    purgeUploads: (tools: UploadTools, signal?: AbortSignal) => finishing.purgeUploads(db, tools, signal),
    listUploads: (actor: Actor, voiceId: string, page: { limit: number; cursor?: string | undefined }) =>
      uploads.listUploads(db, actor, voiceId, page),
    editUpload: (actor: Actor, id: string, edit: UploadEdit) => uploads.editUpload(db, actor, id, edit),
    retryUpload: (actor: Actor, id: string) => uploads.retryUpload(db, actor, id),
    removeUpload: (actor: Actor, id: string) => uploads.removeUpload(db, actor, id),
    findWaitingUploads: (engine: SoundTools['engine']) => processing.findWaitingUploads({ db, engine }),
    processUpload: (tools: Omit<SoundTools, 'db'>, id: string, signal?: AbortSignal) =>
      processing.processUpload(
        { db, ...tools, hoursPerDay: settings.read(limitSetting).uploadHoursPerDay ?? tools.hoursPerDay },
        id,
        signal,
      ),
    measureRecordings: (tools: Omit<SoundTools, 'db'>, signal?: AbortSignal) =>
      measuring.measureRecordings({ db, ...tools }, { signal }),
    listAudios: (actor: Actor, query: audioList.ManagedAudioQuery) => audioList.listManagedAudios(db, actor, query),
    listPendingUploads: (voiceId: string) => audioList.listPendingUploads(db, voiceId),
    findAudioFacts: (actor: Actor, idOrSlug: string) => editor.findAudioFacts(db, actor, idOrSlug),
    findEditedAudio: (actor: Actor, idOrSlug: string) => findEditedAudio(db, actor, idOrSlug),
    findAudioPreview: (actor: Actor, idOrSlug: string) => editor.findAudioPreview(db, actor, idOrSlug),
    findOriginal: (actor: Actor, idOrSlug: string) => editor.findOriginal(db, actor, idOrSlug),
    listSeriesChoices: (audioId: string) => editor.listSeriesChoices(db, audioId),
    listCategoryChoices: () => editor.listCategoryChoices(db),
    suggestTags: (text: string) => editor.suggestTags(db, text),
    setAudioCover: (actor: Actor, idOrSlug: string, save: Parameters<typeof setAudioCover>[3]) =>
      setAudioCover({ db, blobs, covers }, actor, idOrSlug, save),
    findProfile: (voiceId: string) => profiles.findProfile(db, voiceId),
    editProfile: (
      actor: Actor,
      voiceId: string,
      edit: VoiceProfileForm,
      options?: Parameters<typeof profiles.editProfile>[4],
    ) => profiles.editProfile({ db, blobs, covers }, actor, voiceId, edit, options),
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
    editSeries: (actor: Actor, id: string, edit: SeriesEditForm, options?: Parameters<typeof series.editSeries>[4]) =>
      series.editSeries({ db, blobs, covers }, actor, id, edit, options),
    addToSeries: (actor: Actor, id: string, audioId: string, after?: string | null) =>
      seriesOrder.addToManagedSeries(db, actor, id, audioId, after),
    moveInSeries: (actor: Actor, id: string, audioId: string, after: string | null) =>
      seriesOrder.moveInSeries(db, actor, id, audioId, after),
    removeFromSeries: (actor: Actor, id: string, audioId: string) =>
      seriesOrder.removeFromSeries(db, actor, id, audioId),
    deleteSeries: (actor: Actor, id: string) => deletedSeries.deleteSeries(db, actor, id),
    restoreSeries: (actor: Actor, id: string) => deletedSeries.restoreSeries(db, actor, id),
    listDeletedSeries: (voiceId: string, limit: number) => deletedSeries.listDeletedSeries(db, voiceId, limit),
    purgeDeletedSeries: () => deletedSeries.purgeDeletedSeries(db),
    findOverview: (actor: Actor, voiceId: string) => findStudioOverview(db, actor, voiceId),
    findFigures: (actor: Actor, voiceId: string, query: FigureQuery) =>
      figures.findVoiceFigures(db, actor, voiceId, query),
    findAudioFigures: (actor: Actor, audio: { voiceId: string; idOrSlug: string; period: Period }) =>
      figures.findAudioFigures(db, actor, audio),
    /**
     * Figures per day of a period, of the voice or one audio, as a file.
     * @returns undefined for what the actor may not see
     */
    async printFigures(
      actor: Actor,
      idOrSlug: string,
      { audio, ...query }: FigureQuery & { audio?: string | undefined },
    ) {
      const voice = await voices.findManagedVoice(db, actor, idOrSlug);
      if (voice === undefined) return undefined;
      const all = await figures.findVoiceFigures(db, actor, voice.id, query);
      if (all === undefined) return undefined;
      const { period } = all;
      const one =
        audio === undefined
          ? undefined
          : await figures.findAudioFigures(db, actor, { voiceId: voice.id, idOrSlug: audio, period });
      if (audio !== undefined && one === undefined) return undefined;
      const name = [one?.audio.slug ?? voice.slug, 'figures', period.from, 'to', period.to].join('-');
      return { name: `${name}.csv`, text: figuresFile(one?.audio.title ?? voice.name, (one ?? all).days) };
    },
    countFor: (voiceId: string) => voices.countForStudio(db, voiceId),
  };
}
