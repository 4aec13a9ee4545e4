import { change, read, write } from './database.ts';

/** The device's right to play its downloads. Times are milliseconds since 1970 by the site's clock. */
export type StoredLicence = {
  deviceId: string;
  userId: string;
  /** Signed by the site (JWT). */
  licence: string;
  /** The site's clock minus the device's, when it was last renewed. */
  skew: number;
  /** The latest time seen so far. */
  latest: number;
};

export type Verdict = 'valid' | 'expired' | 'clock-set-back' | 'none';

/** Clocks are constantly corrected by small amounts. */
const toleranceMs = 5 * 60 * 1000;
/** The latest time is stored this often. */
const recordEveryMs = 60 * 1000;

/**
 * A clock set back before an already seen time ends the licence until the site renews it.
 * @param expiresAt end of the licence, or undefined when its signature is invalid
 * @param deviceNow by the device's clock
 */
export function verdictOf(
  { skew, latest }: Pick<StoredLicence, 'skew' | 'latest'>,
  expiresAt: number | undefined,
  deviceNow: number,
): Verdict {
  if (expiresAt === undefined) return 'none';
  const now = deviceNow + skew;
  if (now < latest - toleranceMs) return 'clock-set-back';
  return Math.max(now, latest) < expiresAt ? 'valid' : 'expired';
}

/** The licence's own end, in milliseconds; does not check its signature. */
export function endOf(licence: string): number | undefined {
  try {
    const text = atob((licence.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
    const { exp } = JSON.parse(text) as { exp?: unknown };
    return typeof exp === 'number' ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}

export function readLicence(): Promise<StoredLicence | undefined> {
  return read<StoredLicence>('state', 'licence');
}

export function writeLicence(licence: StoredLicence): Promise<void> {
  return write('state', 'licence', licence);
}

/** Replaces the device's licence by a renewed one, unless everything was deleted meanwhile. */
export function replaceLicence(licence: StoredLicence): Promise<void> {
  return change<StoredLicence>('state', 'licence', ({ deviceId }) =>
    deviceId === licence.deviceId ? licence : undefined,
  );
}

/** Stores the current time, so that a clock set back later is noticed. */
export async function recordTime(licence: StoredLicence, deviceNow: number): Promise<void> {
  const now = deviceNow + licence.skew;
  if (now < licence.latest + recordEveryMs) return;
  // It may have been renewed since it was read.
  await change<StoredLicence>('state', 'licence', (current) =>
    current.licence === licence.licence ? { ...current, latest: now } : undefined,
  );
}
