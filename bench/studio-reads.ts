import { findCommentSettings } from '#domain/community/comment-settings.ts';
import { voiceCommentFilters } from '#domain/community/rules.ts';
import { countVoiceComments } from '#domain/community/voice-comment-counts.ts';
import { listVoiceComments } from '#domain/community/voice-comments.ts';
import { operator } from '#domain/kernel/actor.ts';
import type { Db } from '#domain/kernel/db.ts';
import { listManagedAudios } from '#domain/studio/audios/audio-list.ts';
import { periodOf } from '#domain/studio/figures/figure-periods.ts';
import { findVoiceFigures, listBestAudios } from '#domain/studio/figures/figures.ts';
import { findStudioOverview } from '#domain/studio/figures/overview.ts';
import { managedSorts } from '#domain/studio/rules.ts';
import { listManagedSeries } from '#domain/studio/series/series.ts';
import { countForStudio } from '#domain/studio/voices.ts';
import { kinds, millionId } from './million-database.ts';

const limit = 25;
const voiceId = millionId(kinds.voice, 0);

/** The Studio of the creator with the most audios: 36,848 with 183,458 comments at the full size. */
export const studioReads: { name: string; ask: (db: Db) => Promise<unknown> }[] = [
  { name: 'counts of the Studio', ask: (db) => countForStudio(db, voiceId) },
  { name: 'overview of the Studio', ask: (db) => findStudioOverview(db, operator, voiceId) },
  ...managedSorts.map((sort) => ({
    name: `audios of the Studio by ${sort}`,
    ask: (db: Db) => listManagedAudios(db, operator, { voiceId, sort, limit }),
  })),
  {
    name: 'drafts of the Studio',
    ask: (db) => listManagedAudios(db, operator, { voiceId, state: 'draft', limit }),
  },
  ...voiceCommentFilters.map((filter) => ({
    name: `comments of the Studio, ${filter}`,
    ask: (db: Db) => listVoiceComments(db, operator, voiceId, { filter, limit }),
  })),
  { name: 'counts of comments of the Studio', ask: (db) => countVoiceComments(db, voiceId) },
  { name: 'who may comment', ask: (db) => findCommentSettings(db, voiceId) },
  { name: 'figures of the Studio', ask: (db) => findVoiceFigures(db, operator, voiceId, {}) },
  {
    name: 'best audios of the Studio',
    ask: (db) => listBestAudios(db, voiceId, { period: periodOf({}, new Date()), plays: 0, max: 5, now: new Date() }),
  },
  { name: 'series of the Studio', ask: (db) => listManagedSeries(db, operator, voiceId, { limit }) },
];
