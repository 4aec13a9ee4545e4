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

export type { SoundFacts } from '../gateways.ts';
