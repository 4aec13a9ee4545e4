import type { Actor } from '../kernel/actor.ts';
import { roleIn } from '../kernel/rules.ts';

/** Owners, editors, admins and the operator change what belongs to a voice. */
export function canManageVoice(actor: Actor, voiceId: string): boolean {
  return roleIn(actor, voiceId) !== undefined;
}

/** Editors do not delete, and do not add or remove people (product.md, "Owners"). */
export function canDeleteIn(actor: Actor, voiceId: string): boolean {
  const role = roleIn(actor, voiceId);
  return role !== undefined && role !== 'editor';
}

/** Whether this user sees the Studio at all. */
export function hasStudio(actor: Actor): boolean {
  return actor.kind === 'user' && Object.keys(actor.voiceRoles ?? {}).length > 0;
}

/** Bytes of a file that may be uploaded. */
export const mostUploadBytes = 2 * 1024 ** 3;

/** Formats that are taken, as file names say them; what a file is, its content decides. */
export const uploadExtensions = ['wav', 'flac', 'mp3', 'm4a', 'aac', 'ogg', 'opus'] as const;

/** `waiting`: the whole file is here, and its processing has not begun. */
export const uploadStates = ['uploading', 'waiting', 'processing', 'ready', 'failed'] as const;
export type UploadState = (typeof uploadStates)[number];

export const uploadSteps = ['reading', 'loudness', 'encoding', 'waveform'] as const;
export type UploadStep = (typeof uploadSteps)[number];

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
  'takes-too-much',
  'engine-missing',
  'failed',
] as const;
export type UploadFailure = (typeof uploadFailures)[number];

/** What a new audio starts with. */
export type UploadChoices = { categoryId?: string; isFree?: boolean; commentsDisabled?: boolean };

/** What was measured of a recording. */
export type SoundFacts = {
  /** Such as `WAV` or `MP3`. */
  format: string;
  /** Hertz. */
  sampleRate: number;
  /** Bits per sample; absent where the format has none. */
  bits?: number;
  channels: number;
  /** Of what was decoded, which a damaged file's own claim may exceed. */
  durationMs: number;
  /** Integrated loudness (EBU R128) before and after, in LUFS. */
  loudnessBefore: number;
  loudnessAfter: number;
  /** Largest true peak of the listening file, in dBTP. */
  truePeakAfter: number;
  /** Seconds that the file claims and does not have, where it is more than one. */
  missingSeconds?: number;
};

/** Points along a recording in `recordings.peaks`; two bytes each: peak and loudness. */
export const peakPoints = 1200;

/** Groups with fewer distinct listeners are not shown, nor can they be computed from what is (product.md, "Figures"). */
export const fewestListeners = 10;

/** Days of the offered periods; any other is chosen by its first and last day. */
export const figurePeriods = [7, 28, 90, 365] as const;
