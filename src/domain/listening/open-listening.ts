import { fittingLanguage } from '#formats/fitting-language.ts';
import { type Audio, createAudioReader } from '../catalogue/audios.ts';
import type { Chapter } from '../catalogue/chapter-rules.ts';
import { findChapters } from '../catalogue/editing/chapters.ts';
import { type Transcript, findTranscript, findTranslation, toTranscript } from '../catalogue/editing/transcripts.ts';
import type { AddJobs } from '../gateways.ts';
import { batch } from '../kernel/batch.ts';
import { bind } from '../kernel/bind.ts';
import type { Db } from '../kernel/db.ts';
import type { SharedReads } from '../kernel/shared-reads.ts';
import type { User, Viewer } from '../kernel/viewer.ts';
import * as clips from './clips/clips.ts';
import { type ClipTools, makeClip } from './clips/make-clip.ts';
import * as counters from './counters.ts';
import * as figures from './figures.ts';
import type { CounterReport } from './forms.ts';
import * as history from './history.ts';
import { openLicenceKey } from './licence-key.ts';
import { findPlayableFile } from './media.ts';
import * as playHere from './play-here.ts';
import * as offline from './offline-devices.ts';
import * as plays from './plays.ts';
import * as progress from './progress.ts';
import { canPlay } from './rules.ts';
import * as seconds from './seconds.ts';
import { publishNeighbours } from './publish-neighbours.ts';

/** Duplicates of a report arrive soon, or after hours offline. */
const reportsKeptDays = 30;

/** Two years, plus the current month. */
const figuresKeptMonths = 25;

/** The search terms that the history shows, and clears with the rest. */
type SearchTerms = {
  listRecentTerms(userId: string): Promise<string[]>;
  purgeTerms(userId: string): Promise<void>;
};

/** @param deps.secret key of the stored hashes of listeners; `shared` keeps what is the same for all viewers */
export function openListening({
  db,
  secret,
  shared,
  searchTerms,
  addJobs,
  areClipsOn,
}: {
  db: Db;
  secret: string;
  shared: SharedReads;
  searchTerms: SearchTerms;
  addJobs: AddJobs;
  areClipsOn: () => boolean;
}) {
  const audiosByIds = createAudioReader(db, shared);
  /** Key that marks the user's plays; users are identified without an address. */
  const markedAs = (id: string) => plays.hashListener(secret, { kind: 'user', id }, '');
  // Frequent calls are batched.
  const single = bind(db, {
    saveProgress: progress.saveProgress,
    notePlaying: playHere.notePlaying,
    countPlays: plays.countPlays,
    addSeconds: seconds.addSeconds,
  });
  const saveProgress = batch({ run: single.saveProgress, max: 500 });
  const notePlaying = batch({ run: single.notePlaying, max: 500 });
  const countPlay = batch({ run: single.countPlays, max: 200 });
  const addSeconds = batch({ run: single.addSeconds, max: 200 });
  const key = openLicenceKey(secret);
  return {
    ...bind(db, {
      addUpFigures: figures.addUpFigures,
      findGoneAudios: offline.findGoneAudios,
      findPlace: progress.findPlace,
      findPlayableFile,
      findPlayingElsewhere: playHere.findPlayingElsewhere,
      listOfflineDevices: offline.listOfflineDevices,
      publishNeighbours,
      removeFromHistory: history.removeFromHistory,
      removeOfflineDevice: offline.removeOfflineDevice,
      takeOverPlaying: playHere.takeOverPlaying,
    }),
    ...bind(
      { db, addJobs, isOn: areClipsOn },
      { createClip: clips.createClip, findClip: clips.findClip, findClipSound: clips.findClipSound },
    ),
    ...bind(db, { findWaitingClips: clips.findWaitingClips, purgeClips: clips.purgeClips }),
    makeClip: (tools: Omit<ClipTools, 'db'>, id: string, signal?: AbortSignal) =>
      makeClip({ db, ...tools }, id, signal),
    ...bind({ db, key }, { addOfflineDevice: offline.addOfflineDevice, renewLicence: offline.renewLicence }),
    /** @param address of the client, for visitors; `source`: the list it was started from; `notedAt`: default now */
    playAudio: (viewer: Viewer, idOrSlug: string, address: string, source?: string, notedAt?: Date) =>
      plays.playAudio(
        db,
        viewer,
        idOrSlug,
        { listener: plays.hashListener(secret, viewer, address), source, notedAt },
        countPlay,
      ),
    increaseCounter: (viewer: User, report: CounterReport) => counters.increaseCounter(db, viewer, report, addSeconds),
    /** @returns the saved seconds; undefined for an unknown audio */
    async saveProgress(
      userId: string,
      audioId: string,
      positionSeconds: number,
      notedAt?: Date,
    ): Promise<number | undefined> {
      const positionMs = Math.round(positionSeconds * 1000);
      const saved = await saveProgress({ userId, audioId, positionMs, notedAt, listener: markedAs(userId) });
      return typeof saved === 'number' ? saved / 1000 : undefined;
    },
    async removeProgress(userId: string, audioId: string, notedAt?: Date): Promise<void> {
      await saveProgress({ userId, audioId, positionMs: null, notedAt, listener: markedAs(userId) });
    },
    /** @returns whether another session took over since this one's last report */
    notePlaying,
    findContinueListening: (viewer: Viewer, limit = 12) =>
      progress.findContinueListening(db, viewer, limit, audiosByIds),
    async findHistory(userId: string) {
      const [places, recentlySearch] = await Promise.all([
        history.findHistory(db, userId),
        searchTerms.listRecentTerms(userId),
      ]);
      return { ...places, recentlySearch };
    },
    listHistory: (userId: string, page: { cursor?: string | undefined; limit: number }) =>
      history.listHistory(db, userId, page, undefined, audiosByIds),
    async listRecentActivity(viewer: Viewer, limit = 20): Promise<{ audio: Audio; at: Date }[]> {
      if (viewer.kind === 'visitor') return [];
      const { items } = await history.listHistory(db, viewer.id, { limit }, viewer, audiosByIds);
      return items.map(({ audio, lastListenedAt }) => ({ audio, at: lastListenedAt }));
    },
    async clearHistory(userId: string): Promise<void> {
      await history.clearHistory(db, userId);
      await searchTerms.purgeTerms(userId);
    },
    /** Deletes expired marks against double counting. */
    async purgeOldMarks(signal?: AbortSignal): Promise<void> {
      await plays.purgePlayMarks(db, signal);
      await counters.purgeOldReports(db, reportsKeptDays, signal);
    },
    purgeOldFigures: (signal?: AbortSignal) => figures.purgeOldFigures(db, figuresKeptMonths, signal),
    /** Public key by which browsers check licences. */
    licenceKey: key.publicJwk,
    /**
     * The transcript of an audio, for viewers who may hear it, and have confirmed their age where a rule asks.
     * @param wanted BCP 47; without a translation into it, what is spoken
     */
    async findTranscript(viewer: Viewer, audio: Audio, wanted?: string): Promise<Transcript | 'locked' | undefined> {
      if (!audio.hasTranscript) return undefined;
      if (viewer.ageMissing !== undefined || !canPlay(viewer, audio)) return 'locked';
      const spoken = await shared.read(`transcript ${audio.id}`, () => findTranscript(db, audio.id));
      const codes = spoken?.languages.map(({ code }) => code) ?? [];
      const language = wanted === undefined ? undefined : fittingLanguage(codes, wanted);
      if (language === undefined || language === spoken?.language) return spoken;
      const translated = await shared.read(`transcript ${audio.id} ${language}`, async () => {
        const cues = await findTranslation(db, audio.id, language);
        return cues && toTranscript(language, cues, codes);
      });
      return translated ?? spoken;
    },
    /** The chapters of an audio, for the same viewers as its transcript; none for others. */
    async findChapters(viewer: Viewer, audio: Audio): Promise<Chapter[]> {
      if (viewer.ageMissing !== undefined || !canPlay(viewer, audio)) return [];
      return shared.read(`chapters ${audio.id}`, () => findChapters(db, audio.id));
    },
  };
}
