import type { Db } from '../kernel/db.ts';
import { dueAt } from './calendar.ts';
import { insertNotice } from './give.ts';
import type { NoticeParts } from './parts.ts';
import type { NoticeKind } from './rules.ts';
import { noticeSetting } from './settings.ts';
import { findSubjectById } from './subjects.ts';

/**
 * Puts a case that nobody reported on the desk, in the transaction of what led to it, and hides the audio at once until
 * someone decides. A consent that its performer takes back is one: `kind: 'consent'`, and `details` says in one sentence
 * what happened, which both sides may read.
 * @returns the notice’s id; undefined for an audio that does not exist
 */
export async function openCase(
  tx: Db,
  parts: Pick<NoticeParts, 'secret' | 'settings'>,
  { audioId, kind, details }: { audioId: string; kind: NoticeKind; details: string },
): Promise<string | undefined> {
  const subject = await findSubjectById(tx, 'audio', audioId);
  if (subject === undefined) return undefined;
  const now = new Date();
  const { id } = await insertNotice(tx, parts, subject, {
    kind,
    details,
    createdAt: now,
    dueAt: dueAt(now, parts.settings.read(noticeSetting)),
    hiddenAt: now,
    hiddenBy: 'consent',
  });
  return id;
}
