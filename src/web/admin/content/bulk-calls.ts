import type { BulkActState } from '#domain/admin/content/bulk-acts.ts';
import type { BulkVerb } from '#domain/admin/rules.ts';
import { answerOf, api } from '../../api.ts';
import type { BulkSubject } from './bulk-subject-dialog.tsx';
import type { BulkCalls } from '../../workshop/lists/use-bulk-acts.ts';

export type BulkChoice = ({ ids: string[] } | { filter: Record<string, string | number | undefined> }) & BulkSubject;

const acts = api.admin['bulk-acts'][':id'];

/** Operators' acts: a job carries on with a large one. */
export const bulkCalls: BulkCalls<BulkVerb, BulkChoice, BulkActState> = {
  start: (verb, choice) => answerOf(api.admin.audios.acts.$post({ json: { verb, ...choice } as never })),
  undo: ({ id }) => answerOf(acts.undo.$post({ param: { id } })),
  look: (id) => answerOf(acts.$get({ param: { id } })),
  stop: (id) => answerOf(acts.stop.$post({ param: { id } })),
};
