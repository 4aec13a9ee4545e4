import type { AddJobs, Blobs, Covers, Mail } from '../gateways.ts';
import { bind } from '../kernel/bind.ts';
import type { Db } from '../kernel/db.ts';
import type { MailSite } from '../kernel/email-template.ts';
import type { User } from '../kernel/viewer.ts';
import { limitSetting } from '../settings/limits.ts';
import type { Settings } from '../settings/open-settings.ts';
import { listManagedAudios, listPendingUploads } from './audios/audio-list.ts';
import { setAudioCover } from './audios/covers.ts';
import * as drafts from './audios/drafts.ts';
import { findEditedAudio } from './audios/audio-values.ts';
import * as audioFacts from './audios/audio-facts.ts';
import {
  addPerformer,
  listPerformers,
  removePerformer,
  renewPerformerLink,
  setOwnerHeard,
} from './audios/performers.ts';
import * as publishing from './audios/publishing.ts';
import { findTranslation, listTranslations, removeTranslation, setTranslation } from './audios/translations.ts';
import { answerCredit, countCreditsOfVoice, listCreditsOfVoice } from './credits/asked-credits.ts';
import {
  addCredit,
  listCredits,
  orderCredits,
  purgeRemovedCredits,
  removeCredit,
  setCreditRole,
} from './credits/audio-credits.ts';
import { measureArchive, openArchive } from './moving-out/archive.ts';
import { printFigures } from './figures/figures-file.ts';
import { findAudioFigures, findVoiceFigures } from './figures/figures.ts';
import { findStudioOverview } from './figures/overview.ts';
import * as feedImports from './feed-imports/imports.ts';
import { findFeedImport, listFeedItems, listOldPages } from './feed-imports/import-state.ts';
import { type FeedImportTools, importFeed } from './feed-imports/run-import.ts';
import type { UploadForm } from './forms.ts';
import * as people from './people.ts';
import { editProfile, findProfile, listNames, listTitles } from './profiles.ts';
import * as deletedSeries from './series/deleted-series.ts';
import { addToSeries, moveInSeries, removeFromSeries } from './series/series-order.ts';
import {
  createSeries,
  editSeries,
  findAudiosForSeries,
  findManagedSeries,
  listManagedSeries,
} from './series/series.ts';
import { findPayee, removePayee, savePayee } from './payees/payees.ts';
import { answerSplit, findSplits, listAskedSplits, proposeSplit, withdrawSplit } from './splits/splits.ts';
import { timeScript, type TimingTools } from './timing/time-script.ts';
import * as timings from './timing/timings.ts';
import { findIdleUploads, finishIdleUploads, finishUpload, purgeUploads } from './uploads/finish-uploads.ts';
import { measureRecordings } from './uploads/measure-recordings.ts';
import { retagRecordings } from './uploads/retag-recordings.ts';
import * as processing from './uploads/process-upload.ts';
import type { SoundTools } from './uploads/process-upload.ts';
import { findRecording } from './uploads/recordings.ts';
import { takeUploadLock } from './uploads/upload-locks.ts';
import * as uploads from './uploads/uploads.ts';
import * as voices from './voices.ts';

export function openStudio({
  db,
  blobs,
  covers,
  settings,
  mail,
  site,
  addJobs,
  secret,
}: {
  db: Db;
  blobs: Blobs;
  covers: Covers;
  settings: Settings;
  mail: Mail;
  site: MailSite;
  addJobs: AddJobs;
  /** Key of payees; the same in every process. */
  secret: string;
}) {
  return {
    ...bind(db, { ...voices, ...people, findProfile, listNames, listTitles }),
    ...bind(db, { ...drafts, ...publishing, ...audioFacts, findEditedAudio, listManagedAudios, listPendingUploads }),
    ...bind(db, { listTranslations, findTranslation, setTranslation, removeTranslation }),
    ...bind(db, { listManagedSeries, findManagedSeries, findAudiosForSeries, createSeries, ...deletedSeries }),
    ...bind(db, { addToSeries, moveInSeries, removeFromSeries }),
    ...bind(db, { ...uploads, findIdleUploads, purgeUploads, findRecording, takeUploadLock }),
    ...bind(db, {
      listPerformers,
      listCredits,
      listCreditsOfVoice,
      countCreditsOfVoice,
      answerCredit,
      purgeRemovedCredits,
    }),
    ...bind({ db, mail, site }, { addPerformer, renewPerformerLink, removePerformer, setOwnerHeard }),
    ...bind({ db, mail, site }, { addCredit, setCreditRole, removeCredit, orderCredits, proposeSplit }),
    ...bind(db, { findSplits, withdrawSplit, listAskedSplits, answerSplit }),
    ...bind({ db, secret }, { findPayee }),
    ...bind({ db, secret, mail, site }, { savePayee, removePayee }),
    ...bind({ db, addJobs }, { finishUpload, finishIdleUploads, retryUpload: uploads.retryUpload }),
    ...bind(db, {
      findTiming: timings.findTiming,
      takeTiming: timings.takeTiming,
      dropTiming: timings.dropTiming,
      findWaitingTimings: timings.findWaitingTimings,
    }),
    ...bind({ db, addJobs }, { startTiming: timings.startTiming, startDraft: timings.startDraft }),
    ...bind(db, {
      findFeedImport,
      listFeedItems,
      listOldPages,
      chooseFeedItems: feedImports.chooseFeedItems,
      confirmFeedImport: feedImports.confirmFeedImport,
      stopFeedImport: feedImports.stopFeedImport,
      dropFeedImport: feedImports.dropFeedImport,
      findWaitingImports: feedImports.findWaitingImports,
      purgeFeedImports: feedImports.purgeFeedImports,
    }),
    ...bind(
      { db, addJobs },
      { startFeedImport: feedImports.startFeedImport, runFeedImport: feedImports.runFeedImport },
    ),
    ...bind(db, { findStudioOverview, findVoiceFigures, findAudioFigures, printFigures }),
    ...bind(db, { openArchive, measureArchive }),
    ...bind({ db, blobs, covers }, { setAudioCover, editProfile, editSeries }),
    /** @param limits of the environment, used where no operator set one */
    startUpload(user: User, form: UploadForm, bytes: number, limits: uploads.UploadLimits) {
      const { uploadsPerDay, uploadGigabytesPerDay, unfinishedUploads } = settings.read(limitSetting);
      return uploads.startUpload(db, user, form, bytes, {
        filesPerDay: uploadsPerDay ?? limits.filesPerDay,
        bytesPerDay: uploadGigabytesPerDay === null ? limits.bytesPerDay : uploadGigabytesPerDay * 1024 ** 3,
        unfinished: unfinishedUploads,
      });
    },
    findWaitingUploads: (engine: SoundTools['engine']) => processing.findWaitingUploads({ db, engine }),
    processUpload: (tools: Omit<SoundTools, 'db'>, id: string, signal?: AbortSignal) =>
      processing.processUpload(
        { db, ...tools, hoursPerDay: settings.read(limitSetting).uploadHoursPerDay ?? tools.hoursPerDay },
        id,
        signal,
      ),
    timeScript: (tools: Omit<TimingTools, 'db'>, id: string, signal?: AbortSignal) =>
      timeScript({ db, ...tools }, id, signal),
    importFeed: (
      tools: Pick<FeedImportTools, 'web' | 'readFeed' | 'openArchive' | 'bytesPerDay'>,
      id: string,
      signal?: AbortSignal,
    ) => {
      const { uploadGigabytesPerDay } = settings.read(limitSetting);
      const bytesPerDay = uploadGigabytesPerDay === null ? tools.bytesPerDay : uploadGigabytesPerDay * 1024 ** 3;
      return importFeed({ db, blobs, covers, mail, site, addJobs, ...tools, bytesPerDay }, id, signal);
    },
    measureRecordings: (tools: Omit<SoundTools, 'db'>, signal?: AbortSignal) =>
      measureRecordings({ db, ...tools }, { signal }),
    retagRecordings: (tools: Omit<SoundTools, 'db'>, signal?: AbortSignal) =>
      retagRecordings({ db, ...tools }, { signal }),
  };
}
