import { createHash } from 'node:crypto';
import type { Actor } from '../../kernel/actor.ts';
import { recordChange } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import type { HeldAudio } from './hold-audio.ts';
import type { EditedValues } from './audio-values.ts';
import type { EditedField } from '../rules.ts';

/** The log stores a transcript as its number of lines and a content hash. */
function forLog(values: Partial<EditedValues>): Record<string, unknown> {
  const { transcript, ...rest } = values;
  if (transcript === undefined) return rest;
  const mark = transcript && createHash('sha256').update(JSON.stringify(transcript)).digest('hex').slice(0, 12);
  return { ...rest, transcript: transcript && { lines: transcript.length, mark } };
}

export async function recordEdit(
  tx: Db,
  actor: Actor,
  audio: HeldAudio,
  {
    fields,
    before,
    after,
    around = { before: {}, after: {} },
  }: {
    fields: EditedField[];
    before: EditedValues;
    after: EditedValues;
    /** Other facts that may have changed. */
    around?: { before: Record<string, unknown>; after: Record<string, unknown> };
  },
): Promise<void> {
  const pick = (values: EditedValues) =>
    forLog(Object.fromEntries(fields.map((field) => [field, values[field]])) as Partial<EditedValues>);
  await recordChange(tx, {
    actor,
    role: audio.role,
    action: 'audio.edit',
    subject: { type: 'audio', id: audio.id, name: audio.title },
    voiceId: audio.voiceId,
    before: { ...pick(before), ...around.before },
    after: { ...pick(after), ...around.after },
  });
}
