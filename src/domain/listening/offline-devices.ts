import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import { isDownloadable, isPublished } from '../catalogue/audios.ts';
import { audios } from '../catalogue/tables.ts';
import { sessions, users } from '../identity/tables.ts';
import type { Db } from '../kernel/db.ts';
import { newId } from '../kernel/ids.ts';
import { entitledUntilSql } from '../membership/entitlement.ts';
import type { LicenceKey } from './licence-key.ts';
import { licenceDays, maxOfflineDevices } from './rules.ts';
import { offlineDevices } from './tables.ts';

type Licence = Awaited<ReturnType<typeof sign>>;

type Outcome<Reason> = ({ ok: true } & Licence) | { ok: false; reason: 'not-found' | 'subscription-required' | Reason };

type Parts = { db: Db; key: LicenceKey };

/** Registers the session's device for downloads. Repeating it renews the licence. */
export async function addOfflineDevice(
  { db, key }: Parts,
  userId: string,
  sessionId: string,
): Promise<Outcome<'too-many-devices'>> {
  return db.transaction(async (tx) => {
    // Devices of one user register one after the other, so that the limit holds.
    await tx.execute(sql`select from users where id = ${userId} for update`);
    const devices = await tx
      .select({ sessionId: offlineDevices.sessionId })
      .from(offlineDevices)
      .innerJoin(sessions, and(eq(sessions.id, offlineDevices.sessionId), gt(sessions.expiresAt, sql`now()`)))
      .where(eq(offlineDevices.userId, userId));
    const isKnown = devices.some((device) => device.sessionId === sessionId);
    if (!isKnown && devices.length >= maxOfflineDevices) return { ok: false, reason: 'too-many-devices' };
    const expiresAt = await findLicenceEnd(tx, userId);
    if (expiresAt === undefined) return { ok: false, reason: 'subscription-required' };
    const { rows } = await tx.execute<{ id: string }>(sql`
      insert into offline_devices (id, user_id, session_id)
      select ${newId()}, s.user_id, s.id from sessions s where s.id = ${sessionId} and s.user_id = ${userId} for key share
      on conflict (session_id) do update set renewed_at = now() returning id`);
    const deviceId = rows[0]?.id;
    if (deviceId === undefined) return { ok: false, reason: 'not-found' };
    return { ok: true, ...(await sign(key, { userId, deviceId, expiresAt })) };
  });
}

/** A device that was removed, or that now has another session, must delete its downloads. */
export async function renewLicence(
  { db, key }: Parts,
  userId: string,
  sessionId: string,
  deviceId: string,
): Promise<Outcome<never>> {
  const renewed = await db
    .update(offlineDevices)
    .set({ renewedAt: sql`now()` })
    .where(
      and(eq(offlineDevices.id, deviceId), eq(offlineDevices.userId, userId), eq(offlineDevices.sessionId, sessionId)),
    )
    .returning({ id: offlineDevices.id });
  if (renewed.length === 0) return { ok: false, reason: 'not-found' };
  const expiresAt = await findLicenceEnd(db, userId);
  if (expiresAt === undefined) return { ok: false, reason: 'subscription-required' };
  return { ok: true, ...(await sign(key, { userId, deviceId, expiresAt })) };
}

/** @returns `gone`: those that a device must not keep. `streamOnly`: those of them that can be heard nevertheless */
export async function findGoneAudios(db: Db, audioIds: string[]): Promise<{ gone: string[]; streamOnly: string[] }> {
  if (audioIds.length === 0) return { gone: [], streamOnly: [] };
  const rows = await db
    .select({ id: audios.id, isDownloadable: sql<boolean>`${isDownloadable}` })
    .from(audios)
    .where(and(inArray(audios.id, audioIds), isPublished));
  const published = new Map(rows.map(({ id, isDownloadable: is }) => [id, is]));
  return {
    gone: audioIds.filter((id) => published.get(id) !== true),
    streamOnly: audioIds.filter((id) => published.get(id) === false),
  };
}

/** Most recently renewed first. */
export function listOfflineDevices(db: Db, userId: string, sessionId: string) {
  return db
    .select({
      id: offlineDevices.id,
      device: sessions.device,
      createdAt: offlineDevices.createdAt,
      renewedAt: offlineDevices.renewedAt,
      isCurrent: sql<boolean>`${offlineDevices.sessionId} = ${sessionId}`,
    })
    .from(offlineDevices)
    .innerJoin(sessions, and(eq(sessions.id, offlineDevices.sessionId), gt(sessions.expiresAt, sql`now()`)))
    .where(eq(offlineDevices.userId, userId))
    .orderBy(desc(offlineDevices.renewedAt), desc(offlineDevices.id))
    .limit(maxOfflineDevices);
}

/** @returns false when the user has no such device */
export async function removeOfflineDevice(db: Db, userId: string, id: string): Promise<boolean> {
  const removed = await db
    .delete(offlineDevices)
    .where(and(eq(offlineDevices.id, id), eq(offlineDevices.userId, userId)))
    .returning({ id: offlineDevices.id });
  return removed.length > 0;
}

/** @returns undefined for a user who may not hear everything at present */
async function findLicenceEnd(db: Db, userId: string): Promise<Date | undefined> {
  const [row] = await db
    .select({
      until: entitledUntilSql(users.id, sql`now() + make_interval(days => ${licenceDays}::int)`),
      isComplete: sql<boolean>`${users.username} is not null`,
    })
    .from(users)
    .where(eq(users.id, userId));
  if (row?.isComplete !== true || row.until === null) return undefined;
  const until = new Date(row.until);
  return until.getTime() > Date.now() ? until : undefined;
}

/** Signed licence that lets one device play its downloads. */
async function sign(
  key: LicenceKey,
  { userId, deviceId, expiresAt }: { userId: string; deviceId: string; expiresAt: Date },
) {
  const serverTime = new Date();
  const licence = await key.sign({ userId, deviceId, issuedAt: serverTime, expiresAt });
  return { deviceId, userId, licence, expiresAt, serverTime };
}
