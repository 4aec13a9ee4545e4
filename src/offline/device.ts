import { clearAll } from './database.ts';
import { removeAllFiles } from './files.ts';
import {
  endOf,
  readLicence,
  replaceLicence,
  verdictOf,
  writeLicence,
  type StoredLicence,
  type Verdict,
} from './licence.ts';
import type { DownloadTrack } from './records.ts';
import { valuesKey } from './sealed-values.ts';

/** Response to a device that registers or renews. */
export type LicenceAnswer = {
  deviceId: string;
  userId: string;
  licence: string;
  serverTime: string;
};

export type CallAnswer<Data> = { ok: true; data: Data } | { ok: false; code: string; message: string; status: number };

type Gone = { gone: readonly string[]; streamOnly: readonly string[] };

export type OfflineCalls = {
  addDevice(): Promise<CallAnswer<LicenceAnswer>>;
  /** @returns `gone`: those of the audios that must not be kept; `streamOnly`: those of them that can be heard */
  renewLicence(deviceId: string, audioIds: readonly string[]): Promise<CallAnswer<LicenceAnswer & Gone>>;
  removeDevice(deviceId: string): Promise<unknown>;
  /** @returns id of this session's device, if the site knows one */
  findOwnDevice(): Promise<string | undefined>;
  /** @returns undefined for an audio that does not exist any more */
  findTrack(audioId: string): Promise<DownloadTrack | 'unanswered' | undefined>;
  /** @returns undefined without one @throws when the site does not answer */
  findTranscript(audioId: string): Promise<unknown>;
  /** @throws when the site does not answer */
  findChapters(audioId: string): Promise<unknown>;
};

/** Why downloads were removed; `evicted`: the browser deleted everything. */
export type EndReason = 'logged-out' | 'no-subscription' | 'device-removed' | 'evicted';

export function storeLicence(answer: LicenceAnswer): Promise<void> {
  return writeLicence(toStored(answer));
}

/** Uses the site's time, not the device's clock. */
function toStored({ deviceId, userId, licence, serverTime }: LicenceAnswer): StoredLicence {
  const latest = Date.parse(serverTime);
  return { deviceId, userId, licence, skew: latest - Date.now(), latest };
}

/** Times as the page shows them; the service worker also checks the signature. */
export async function readVerdict(): Promise<{ verdict: Verdict; expiresAt: number | undefined }> {
  const licence = await readLicence();
  const expiresAt = licence && endOf(licence.licence);
  return { verdict: licence ? verdictOf(licence, expiresAt, Date.now()) : 'none', expiresAt };
}

/**
 * @param audioIds of the downloads
 * @returns why the device must delete all of them, or `gone`: the ones to delete. `unanswered`: keep all, retry later
 */
export async function renew(
  calls: OfflineCalls,
  { deviceId }: StoredLicence,
  audioIds: readonly string[],
): Promise<EndReason | 'unanswered' | Gone> {
  const answer = await calls.renewLicence(deviceId, audioIds);
  if (answer.ok) {
    const { gone, streamOnly, ...licence } = answer.data;
    await replaceLicence(toStored(licence));
    return { gone, streamOnly };
  }
  return endReasons[answer.code] ?? 'unanswered';
}

/** By error code: a status alone may come from a proxy, as during a deployment. */
const endReasons: Partial<Record<string, EndReason>> = {
  'auth/login-required': 'logged-out',
  'subscription/required': 'no-subscription',
  'request/not-found': 'device-removed',
};

/** Without the key, files that could not be deleted are unreadable. */
export async function deleteEverything(): Promise<void> {
  await clearAll(valuesKey);
  await removeAllFiles();
}
