import { editAudio } from '../../catalogue/editing/editing.ts';
import type { AudioEdit, AudioFiles, EditResult } from '../../catalogue/editing/editing.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { dropFromDraft, findManagedAudio, holdAudio, noteChanges } from './hold-audio.ts';
import { findFileKey, isSame, readValues } from './audio-values.ts';
import { recordEdit } from './record-edit.ts';
import { editedFields } from '../rules.ts';

/**
 * Changes fields and files for listeners directly, as the command line does; these fields leave the draft. Runs in the
 * caller's transaction.
 */
export async function editManagedAudio(
  tx: Db,
  actor: Actor,
  idOrSlug: string,
  edit: AudioEdit,
  files: AudioFiles = {},
): Promise<EditResult> {
  const withSlugs = edit.slug !== undefined || Boolean(edit.series);
  const audio = await holdAudio(tx, actor, idOrSlug, { withSlugs });
  if (audio === undefined) return { ok: false, reason: 'not-found', name: idOrSlug };
  if (edit.voice !== undefined && audio.role !== 'admin' && audio.role !== 'operator')
    return { ok: false, reason: 'unknown-voice', name: edit.voice };
  const before = await readValues(tx, audio.id);
  const fileBefore = await findFileKey(tx, audio.id);
  const result = await editAudio(tx, audio.id, edit, files);
  if (!result.ok) return result;
  const after = await readValues(tx, audio.id);
  const fields = editedFields.filter((field) => !isSame(before[field], after[field]));
  if (fields.length > 0) {
    await dropFromDraft(tx, audio.id, fields);
    await noteChanges(tx, actor, audio.id, fields);
  }
  const around = {
    before: { voice: audio.voiceId, file: fileBefore },
    after: { voice: (await findManagedAudio(tx, actor, audio.id))?.voiceId, file: await findFileKey(tx, audio.id) },
  };
  await recordEdit(tx, actor, audio, { fields, before, after, around });
  return result;
}
