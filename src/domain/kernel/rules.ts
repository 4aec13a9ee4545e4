import type { Actor, ActorRole } from './actor.ts';
import type { User, VoiceRole } from './viewer.ts';

/** Rules that server, mails and pages share. */

/** Whether only this machine can reach it. @param host a host name or address; IPv6 with or without brackets */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * Removes control characters (except tab and line feed), bidi embeddings, overrides and isolates (UAX #9), lone
 * surrogates and noncharacters. Direction marks (U+200E, U+200F) and joiners stay: Hebrew, Arabic and emoji need them.
 */
const unwanted =
  /[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069\u206A-\u206F\uFEFF\uFFF9-\uFFFB]|\p{Cs}|\p{Noncharacter_Code_Point}/gu;

/** Hangul fillers and the empty Braille pattern count as letters and symbols but are blank. */
const seen = /(?![\u115F\u1160\u2800\u3164\uFFA0])[\p{L}\p{N}\p{P}\p{S}]/u;

/** Removes invisible characters that do harm. */
export function dropUnwanted(text: string): string {
  return text.replace(unwanted, '');
}

/**
 * NFC, with at most six combining marks per letter (pointed Hebrew needs five): hundreds of them would cover the lines
 * above.
 */
export function compose(text: string): string {
  return text.normalize('NFC').replace(/(\p{M}{6})\p{M}+/gu, '$1');
}

/** Contains a visible character, not only spaces, joiners and marks. */
export function isVisible(text: string): boolean {
  return seen.test(text);
}

/** The actor's role in this voice; undefined: none. */
export function roleIn(actor: Actor, voiceId: string): Exclude<ActorRole, 'performer'> | undefined {
  if (actor.kind === 'operator') return 'operator';
  const own = actor.voiceRoles?.[voiceId];
  return own ?? (actor.isAdmin === true ? 'admin' : undefined);
}

/** The role of one of a voice's own people, not of an operator. */
export function isVoiceRole(role: ActorRole): role is VoiceRole {
  return role === 'owner' || role === 'editor';
}

const freshMs = 10 * 60 * 1000;

/** For sensitive acts: an operator's session has proved its user within the last ten minutes. */
export function isFresh({ provenAt = 0 }: Pick<User, 'provenAt'>): boolean {
  return Date.now() - provenAt < freshMs;
}
