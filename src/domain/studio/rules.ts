import { formatDuration } from '#formats/durations.ts';
import { i18n } from '#i18n';
import { type Commenters, type SyntheticVoice, audioTextNames } from '../catalogue/rules.ts';
import type { ReviewState } from '../catalogue/review/rules.ts';
import type { Actor } from '../kernel/actor.ts';
import { compose, dropUnwanted, isVisible, roleIn } from '../kernel/rules.ts';

/** Owners, editors, admins and the command line may change a voice's content. */
export function canManageVoice(actor: Actor, voiceId: string): boolean {
  return roleIn(actor, voiceId) !== undefined;
}

/** Editors do not delete, and do not add or remove people (product.md, "Owners"). */
export function canDeleteIn(actor: Actor, voiceId: string): boolean {
  const role = roleIn(actor, voiceId);
  return role !== undefined && role !== 'editor';
}

/** All but editors add and remove owners and editors. */
export const canManagePeople = canDeleteIn;

/** All but editors take along everything of a creator. */
export const canMoveOut = canDeleteIn;

/** Owners and editors of one voice. */
export const maxPeople = 50;

/** Whether this user sees the Studio at all. */
export function hasStudio(actor: Actor): boolean {
  return actor.kind === 'user' && Object.keys(actor.voiceRoles ?? {}).length > 0;
}

/** Maximum bytes of an uploaded file. */
export const maxUploadBytes = 2 * 1024 ** 3;

/** The same of a creator's archive; operators import larger ones on the command line. */
export const maxArchiveBytes = 20 * 1024 ** 3;

/** Accepted formats, by file name; the content decides what a file really is. */
export const uploadExtensions = ['wav', 'flac', 'mp3', 'm4a', 'aac', 'ogg', 'opus'] as const;

/** Their media types. */
export const soundTypes: Record<(typeof uploadExtensions)[number], string> = {
  wav: 'audio/wav',
  flac: 'audio/flac',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
};

/** Unfinished uploads of one creator at the same time. */
export const maxUnfinishedUploads = 20;

/** `waiting`: the file is complete, and processing has not begun. */
export const uploadStates = ['uploading', 'waiting', 'processing', 'ready', 'failed'] as const;
export type UploadState = (typeof uploadStates)[number];

export const uploadSteps = ['reading', 'loudness', 'encoding', 'waveform'] as const;
export type UploadStep = (typeof uploadSteps)[number];

/** Audios that can be asked for by their transcript. */
export const textFilters = ['without'] as const;

/** A script of the creator, or a draft by a speech service. */
export const timingSources = ['script', 'speech'] as const;
export type TimingSource = (typeof timingSources)[number];

export const timingStates = ['waiting', 'running', 'ready', 'failed'] as const;
export type TimingState = (typeof timingStates)[number];
export const timingsUnderWay = ['waiting', 'running'] as const satisfies TimingState[];

export function isTimingUnderWay(state: TimingState): boolean {
  return timingsUnderWay.some((one) => one === state);
}

/** Scripts of one creator that are not timed yet. */
export const maxWaitingScripts = 50;

/** Why a script could not be timed against its recording. */
export const timingFailures = ['takes-too-much', 'unreadable', 'failed', 'refused', 'nothing-said'] as const;
export type TimingFailure = (typeof timingFailures)[number];

/** Why a file was refused or could not be processed. */
export const uploadFailures = [
  'empty',
  'not-sound',
  'video',
  'damaged',
  'too-short',
  'too-long',
  'silent',
  'too-large',
  'daily-limit',
  'takes-too-much',
  'engine-missing',
  'failed',
  'removed',
] as const;
export type UploadFailure = (typeof uploadFailures)[number];

/** Defaults of a new audio; without `commenters` and `language`, the voice's. */
export type UploadChoices = {
  categoryId?: string;
  isFree?: boolean;
  commenters?: Commenters;
  language?: string;
  syntheticVoice?: SyntheticVoice;
  /** Slugs of tags in facets. */
  tags?: string[];
  /** Lines of its script, which are timed once the audio exists. */
  script?: string[];
  /** Everything of a creator, which becomes an import. */
  isArchive?: boolean;
  /** Listeners hear the file as it is: an operator's, which was one for listeners before. */
  keepsFile?: { durationMs: number };
};

/** Failures that may pass when the same file is processed again; others need another file. */
export const retriableFailures: readonly UploadFailure[] = [
  'daily-limit',
  'takes-too-much',
  'engine-missing',
  'failed',
];

/** The format that a file's name claims; undefined for an unsupported one. */
export function uploadExtensionOf(fileName: string): (typeof uploadExtensions)[number] | undefined {
  const extension = /\.([a-z0-9]{1,8})$/i.exec(fileName)?.[1]?.toLowerCase();
  return uploadExtensions.find((known) => known === extension);
}

/** A notice about a file that states more than it holds. @param missingSeconds as in `SoundFacts` */
export function endsEarlyText(missingSeconds: number): string {
  if (missingSeconds === 0)
    return i18n._(
      /*i18n*/ {
        id: 'upload.ends-in-sound',
        message: 'This file ends in the middle of its sound. Was it copied whole?',
      },
    );
  if (missingSeconds >= 60)
    return i18n._(
      /*i18n*/ {
        id: 'upload.ends-early',
        message: 'This file ends {length} before its header says it does. Was it copied whole?',
        values: { length: formatDuration(missingSeconds) },
      },
    );
  return i18n._(
    /*i18n*/ {
      id: 'upload.ends-seconds-early',
      message:
        'This file ends {count, plural, one {# second} other {# seconds}} before its header says it does. Was it copied whole?',
      values: { count: missingSeconds },
    },
  );
}

/** `sonnet-43_retake.wav` as `Sonnet 43 retake`: the default title of a new audio. */
export function titleOfFile(fileName: string): string {
  const words = compose(dropUnwanted(fileName))
    .replace(/\.[a-z0-9]{1,8}$/i, '')
    .replace(/[\s_-]+/g, ' ')
    .trim();
  const [first = '', ...rest] = [...words].slice(0, 200);
  const title = (first.toUpperCase() + rest.join('')).slice(0, 200).trim();
  return isVisible(title) ? title : i18n._(/*i18n*/ { id: 'studio.untitled', message: 'Untitled' });
}

/** Fields of an audio that the editor changes; each has its own conflicts. */
export const editedFields = [
  'title',
  'description',
  'language',
  'syntheticVoice',
  'slug',
  'color',
  ...audioTextNames,
  'categories',
  'tags',
  'series',
  'transcript',
  'chapters',
  'isFree',
  'commenters',
  'cover',
] as const;
export type EditedField = (typeof editedFields)[number];

/** `unpublished`: it was published before; a draft never was. `returned`: by a reviewer, with a reason. */
export const managedStates = [
  'published',
  'in-review',
  'returned',
  'scheduled',
  'draft',
  'unpublished',
  'deleted',
] as const;
export type ManagedState = (typeof managedStates)[number];
export const managedReviewStates: Record<ReviewState, ManagedState> = { waiting: 'in-review', returned: 'returned' };

/** Orders of the table of audios. */
export const managedSorts = ['changed', 'plays', 'title', 'longest'] as const;
export type ManagedSort = (typeof managedSorts)[number];

/** Acts on several audios at once that set one of their fields. */
export const bulkChanges = [
  'publish',
  'unpublish',
  'free',
  'subscribers',
  'set-language',
  'set-synthetic-voice',
] as const;

/** Acts on several audios at once. */
export const bulkActs = [...bulkChanges, 'delete', 'restore'] as const;
export type BulkAct = (typeof bulkActs)[number];

/** Maximum audios of one bulk act. */
export const maxAtOnce = 100;

/** A crop of a picture with a fixed ratio, in its pixels; `size` is its width. Covers are square. */
export type CoverArea = { x: number; y: number; size: number };

/** Maximum bytes of a sent picture; browsers shrink larger ones first. */
export const maxPictureBytes = 6 * 1024 * 1024;

/** Minimum side of a cover in pixels, if the picture is large enough: podcast directories refuse smaller ones. */
export const minCoverSide = 1400;

type Size = { width: number; height: number };

/** Height of a part of this width. @param ratio width to height */
export function heightOf(size: number, ratio = 1): number {
  return Math.floor(size / ratio);
}

/** Width of the largest crop of a picture. */
export function maxCropSize({ width, height }: Size, ratio = 1): number {
  return Math.min(width, Math.floor(height * ratio));
}

/** Width of the smallest allowed crop of a picture. */
export function minCropSize(picture: Size, ratio = 1): number {
  return Math.min(maxCropSize(picture, ratio), minCoverSide);
}

/** The largest centered crop of a picture. */
export function middleOf(picture: Size, ratio = 1): CoverArea {
  const size = maxCropSize(picture, ratio);
  return {
    x: Math.floor((picture.width - size) / 2),
    y: Math.floor((picture.height - heightOf(size, ratio)) / 2),
    size,
  };
}

/** Whether the crop lies in the picture and is large enough. */
export function isAreaOf(area: CoverArea, picture: Size, ratio = 1): boolean {
  const { x, y, size } = area;
  const isInside = x >= 0 && y >= 0 && x + size <= picture.width && y + heightOf(size, ratio) <= picture.height;
  return [x, y, size].every(Number.isInteger) && isInside && size >= minCropSize(picture, ratio);
}

/**
 * Groups with fewer distinct listeners are not shown, and cannot be computed from shown figures (product.md,
 * "Figures").
 */
export const fewestListeners = 10;

/** Lengths of the offered periods in days; others are chosen by first and last day. */
export const figurePeriods = [7, 28, 90, 365] as const;

export type { SoundFacts } from '../gateways.ts';
