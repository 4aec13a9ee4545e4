import { z } from 'zod';
import { type Actor, operator } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import { changeSetting, findSetting } from '../settings/change-setting.ts';

/** The audio that operators chose as the preview. */
export const previewSetting = { key: 'preview', schema: z.object({ audioId: z.uuid().optional() }) };

export async function findPreviewId(db: Db): Promise<string | undefined> {
  return (await findSetting(db, previewSetting)).value.audioId;
}

/** `revision`: that the operator saw; absent: not checked. */
export type PreviewChange = { actor?: Actor; revision?: number | undefined };

/** @returns false after a concurrent change */
export async function setPreview(db: Db, audioId: string, { actor = operator, revision }: PreviewChange = {}) {
  return db.transaction(async (tx) => {
    const seen = revision ?? (await findSetting(tx, previewSetting)).revision;
    return (await changeSetting(tx, previewSetting, { actor, value: { audioId }, revision: seen })) !== undefined;
  });
}
