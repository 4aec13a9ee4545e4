import type { UploadFailure } from '../rules.ts';

/** `asking`: the feed's owner has to confirm. `planned`: the creator has to begin. */
export const feedImportStates = ['reading', 'asking', 'planned', 'running', 'stopped', 'done', 'failed'] as const;
export type FeedImportState = (typeof feedImportStates)[number];

/** A job works on it, and pages look at it again. */
export function isAtWork(state: FeedImportState): boolean {
  return state === 'reading' || state === 'running';
}

/** Why a feed could not be read, or may not be imported. */
export const feedFailures = [
  'unreachable',
  'not-public',
  'not-a-feed',
  'not-an-archive',
  'too-large',
  'empty',
  'no-owner',
  'wrong-codes',
  'failed',
] as const;
export type FeedFailure = (typeof feedFailures)[number];

/** Why an item cannot come. `twice`: the feed has its GUID before. */
export const itemObstacles = ['no-sound', 'video-only', 'too-large', 'twice', 'refused-word'] as const;
export type ItemObstacle = (typeof itemObstacles)[number];

/** Why the file of an item did not come. */
export const fetchFailures = ['gone', 'unreachable', 'not-public', 'too-large', 'failed'] as const;
export type FetchFailure = (typeof fetchFailures)[number];
export type ItemFailure = FetchFailure | UploadFailure;

/**
 * `here`: an audio of this creator was made from it before. `arrived`: its file waits to become an audio. Null in the
 * database: not yet.
 */
const itemOutcomes = ['here', 'left-out', 'arrived', 'made', 'failed'] as const;
export type ItemOutcome = (typeof itemOutcomes)[number];

/** States by which items are listed. */
export const itemFilters = ['new', 'here', 'cannot', 'under-way', 'made', 'failed'] as const;
export type ItemFilter = (typeof itemFilters)[number];

/** The audios of an import begin with these. */
export type FeedImportChoices = {
  isFree: boolean;
  categoryId?: string | undefined;
  /** With their dates, where nothing keeps them from it; else they are drafts. */
  publishes: boolean;
  /** Our feeds name the GUIDs of the old one. */
  keepsGuids: boolean;
  /** Each season of the feed becomes a series; archives have series of their own. */
  seasonsAsSeries?: boolean | undefined;
};

export const usualChoices: FeedImportChoices = { isFree: false, publishes: true, keepsGuids: true };

/** Pages of one feed, which name the next by `rel="next"`. */
export const maxFeedPages = 200;
export const maxFeedItems = 5000;
/** Bytes of one page. */
export const maxFeedBytes = 20 * 1024 * 1024;
/** Bytes of all pages. */
export const maxFeedBytesInAll = 60 * 1024 * 1024;
/** Characters of a feed that is sent as a file. */
export const maxFeedFileLength = 4 * 1024 * 1024;
/** Imports that a creator may begin within 24 hours, because each sends a mail. */
export const maxFeedImportsPerDay = 20;

/** Letters of the code that proves a feed; without those that look alike. */
export const codeLength = 8;
/** The mail says a day. */
export const codeHours = 24;
export const maxWrongCodes = 10;
