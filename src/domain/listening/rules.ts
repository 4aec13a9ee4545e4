import type { Viewer } from '../kernel/viewer.ts';
import { isEntitled } from '../membership/rules.ts';

/** Facts that decide access to an audio. `isFree` covers the preview: see `Audio.isFree`. */
export type Hearable = { isFree: boolean; voice: { id: string } };

/** The server enforces it, the interface shows locks by it (product.md, "Who may hear what"). */
export function canPlay(viewer: Viewer, audio: Hearable): boolean {
  return audio.isFree || isEntitled(viewer) || hearsByRole(viewer, audio);
}

/** Devices and podcast apps keep what they fetch. Performers can refuse that, and be heard nevertheless. */
export function canDownload(viewer: Viewer, audio: Hearable & { isDownloadable: boolean }): boolean {
  return canPlay(viewer, audio) && audio.isDownloadable;
}

/** Creators hear the voices they own or edit, admins every voice. */
function hearsByRole(viewer: Viewer, audio: Hearable): boolean {
  if (viewer.kind === 'visitor' || !viewer.isComplete) return false;
  return viewer.isAdmin === true || viewer.isModerator === true || isOwnVoice(viewer, audio);
}

function isOwnVoice(viewer: Viewer, { voice }: Hearable): boolean {
  return viewer.kind === 'user' && viewer.voiceRoles?.[voice.id] !== undefined;
}

/** Creators are paid by the ledger, so it excludes their own listening and that of admins without a subscription. */
export function countsInLedger(viewer: Viewer, audio: Hearable): boolean {
  return !isOwnVoice(viewer, audio) && (audio.isFree || isEntitled(viewer));
}

/** Devices of one user that may keep audios. */
export const maxOfflineDevices = 5;
/** How long a device may play its downloads without contacting the site. */
export const licenceDays = 14;
export const licenceAlgorithm = 'ES256';

export type LicenceClaims = { userId: string; deviceId: string; issuedAt: Date; expiresAt: Date };

/** Longest plausible request; a clock that is further off counts as wrong. */
const maxClockSkewMs = 30_000;

/**
 * When a position was noted, by the server's clock. A client clock that is roughly right is used as it is, so that
 * positions keep their order; from a wrong clock only the difference between noting and sending is used.
 * @param maxSkewMs by which a clock may be wrong and still count as right
 * @returns undefined without a client time: now
 */
export function notedTime(
  { notedAt, sentAt }: { notedAt?: string | undefined; sentAt?: string | undefined },
  now: Date,
  maxSkewMs = maxClockSkewMs,
): Date | undefined {
  if (notedAt === undefined) return undefined;
  const skewMs = sentAt === undefined ? 0 : now.getTime() - Date.parse(sentAt);
  const noted = Date.parse(notedAt) + (Math.abs(skewMs) > maxSkewMs ? skewMs : 0);
  // Not in the future, and not a year that PostgreSQL cannot store.
  return new Date(Math.max(0, Math.min(now.getTime(), noted)));
}

/** Number of parts in the drop-off curve of an audio. */
export const audioParts = 20;

/**
 * Distributes heard time over the parts before a position.
 * @returns `[part, milliseconds]`, each part once, in order; the sum is the heard time, at most `positionMs`
 */
export function spreadOverParts(
  heard: { milliseconds: number; positionMs: number },
  durationMs: number,
): [part: number, milliseconds: number][] {
  const end = Math.min(heard.positionMs, durationMs);
  const start = Math.max(0, end - heard.milliseconds);
  const parts: [number, number][] = [];
  for (let part = 0; part < audioParts; part += 1) {
    const from = Math.max(start, Math.round((part * durationMs) / audioParts));
    const to = Math.min(end, Math.round(((part + 1) * durationMs) / audioParts));
    if (to > from) parts.push([part, to - from]);
  }
  return parts;
}
