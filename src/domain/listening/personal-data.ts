import { and, asc, desc, eq, getTableName } from 'drizzle-orm';
import { audios, voices } from '../catalogue/tables.ts';
import { lazyRows } from '../kernel/lazy-rows.ts';
import type { PersonalData } from '../kernel/personal-data.ts';
import { clips } from './clips/tables.ts';
import { isPlace } from './progress.ts';
import {
  listeningClocks,
  listeningHistory,
  listeningProgress,
  listeningReports,
  playingSessions,
  offlineDevices,
  voiceListening,
} from './tables.ts';

/** Clips outlive the account, without it. The ledger and `listened_parts` have no user; `play_marks` holds keyed hashes for the duration of the audio. */
const tables = [
  listeningProgress,
  listeningHistory,
  voiceListening,
  listeningClocks,
  listeningReports,
  playingSessions,
  offlineDevices,
];

export const personalData: PersonalData = {
  tables: [...tables, clips].map(getTableName),
  async exportOf(db, userId) {
    const audio = { id: audios.id, title: audios.title };
    const inProgress = lazyRows(db, (on) =>
      on
        .select({ audio, milliseconds: listeningProgress.positionMs, updatedAt: listeningProgress.updatedAt })
        .from(listeningProgress)
        .innerJoin(audios, eq(audios.id, listeningProgress.audioId))
        .where(and(eq(listeningProgress.userId, userId), isPlace))
        .orderBy(desc(listeningProgress.updatedAt)),
    );
    const listened = lazyRows(db, (on) =>
      on
        .select({
          audio,
          listens: listeningHistory.listens,
          played30s: listeningHistory.played30s,
          milliseconds: listeningHistory.listenedMs,
          lastListenedAt: listeningHistory.lastListenedAt,
          listenCountedAt: listeningHistory.listenCountedAt,
          played30sCountedAt: listeningHistory.played30sCountedAt,
        })
        .from(listeningHistory)
        .innerJoin(audios, eq(audios.id, listeningHistory.audioId))
        .where(eq(listeningHistory.userId, userId))
        .orderBy(desc(listeningHistory.lastListenedAt)),
    );
    const byVoice = lazyRows(db, (on) =>
      on
        .select({ voice: { id: voices.id, name: voices.name }, milliseconds: voiceListening.listenedMs })
        .from(voiceListening)
        .innerJoin(voices, eq(voices.id, voiceListening.voiceId))
        .where(eq(voiceListening.userId, userId))
        .orderBy(asc(voices.name)),
    );
    const [accountedUntil] = await db
      .select({ audio: listeningClocks.audioUntil, voice: listeningClocks.voiceUntil })
      .from(listeningClocks)
      .where(eq(listeningClocks.userId, userId));
    const reports = lazyRows(db, (on) =>
      on
        .select({ kind: listeningReports.kind, id: listeningReports.reportId, takenAt: listeningReports.createdAt })
        .from(listeningReports)
        .where(eq(listeningReports.userId, userId))
        .orderBy(asc(listeningReports.createdAt)),
    );
    const downloadDevices = lazyRows(db, (on) =>
      on
        .select({ createdAt: offlineDevices.createdAt, renewedAt: offlineDevices.renewedAt })
        .from(offlineDevices)
        .where(eq(offlineDevices.userId, userId))
        .orderBy(asc(offlineDevices.createdAt)),
    );
    const ownClips = lazyRows(db, (on) =>
      on
        .select({ id: clips.id, audio, startMs: clips.startMs, endMs: clips.endMs, createdAt: clips.createdAt })
        .from(clips)
        .innerJoin(audios, eq(audios.id, clips.audioId))
        .where(eq(clips.userId, userId))
        .orderBy(asc(clips.createdAt), asc(clips.id)),
    );
    const [playing] = await db
      .select({ audioId: playingSessions.audioId, at: playingSessions.notedAt })
      .from(playingSessions)
      .where(eq(playingSessions.userId, userId));
    return {
      clips: ownClips,
      downloadDevices,
      history: {
        inProgress,
        listened,
        voices: byVoice,
        accountedUntil: accountedUntil ?? null,
        reports,
        playing: playing ?? null,
      },
    };
  },
  async erase(db, userId) {
    for (const table of tables) await db.delete(table).where(eq(table.userId, userId));
    await db.update(clips).set({ userId: null }).where(eq(clips.userId, userId));
  },
};
