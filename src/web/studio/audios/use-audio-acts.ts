import { plural } from '@lingui/core/macro';
import type { SyntheticVoice } from '#domain/catalogue/rules.ts';
import type { ManagedAudio } from '#domain/studio/audios/audio-list.ts';
import type { BulkAct } from '#domain/studio/rules.ts';
import { type Answer, answerOf, api } from '../../api.ts';
import { type RunningAct, useBulkActs } from '../../workshop/lists/use-bulk-acts.ts';
import { formerPublication, setPublication } from './publication-calls.ts';

/** With the rows as they were before. */
type AudioAct = RunningAct & { rows: ManagedAudio[] };

const reverse: Partial<Record<AudioAct['verb'], BulkAct>> = {
  free: 'subscribers',
  subscribers: 'free',
  delete: 'restore',
  restore: 'delete',
};

type To = { language?: string | undefined; syntheticVoice?: SyntheticVoice | undefined };
type Chosen = To & { rows: ManagedAudio[] };

async function start(act: BulkAct, { rows, ...to }: Chosen): Promise<Answer<AudioAct>> {
  const ids = rows.map(({ id }) => id);
  const answer = await answerOf(api.studio.audios.acts.$post({ json: { act, ids, ...to } }));
  if (!answer.ok) return answer;
  const { changed, sentForReview, unchanged, refused } = answer.data;
  const titleOf = (id: string) => rows.find((row) => row.id === id)?.title ?? null;
  return {
    ok: true,
    data: {
      id: '',
      verb: act,
      state: 'done',
      isStopping: false,
      total: rows.length,
      changed: changed.length,
      sentForReview: sentForReview.length,
      unchanged: unchanged.length,
      refused: refused.length,
      refusals: refused.map((one) => ({ ...one, title: one.title ?? titleOf(one.id) })),
      changedIds: changed,
      rows: rows.filter(({ id }) => changed.includes(id)),
    },
  };
}

async function undo({ verb, rows }: AudioAct): Promise<Answer<AudioAct>> {
  const back = reverse[verb];
  if (back !== undefined) {
    const answer = await start(back, { rows });
    return answer.ok ? { ok: true, data: { ...answer.data, verb: 'undo' } } : answer;
  }
  // One by one, because each returns to its own state, time or value.
  const answers = await Promise.all(
    rows.map((row) =>
      verb === 'set-language'
        ? start(verb, { rows: [row], language: row.language })
        : verb === 'set-synthetic-voice'
          ? start(verb, { rows: [row], syntheticVoice: row.syntheticVoice })
          : setPublication(row.id, formerPublication(row)),
    ),
  );
  const refused = answers.flatMap((answer) => (answer.ok ? [] : [answer]));
  const [first] = refused;
  if (first !== undefined && refused.length === rows.length) return first;
  const changed = rows.length - refused.length;
  const counts = { total: rows.length, changed, sentForReview: 0, unchanged: 0, refused: refused.length, refusals: [] };
  return { ok: true, data: { id: '', verb: 'undo', state: 'done', isStopping: false, ...counts, rows } };
}

/** Acts on rows of the Studio's table, at most as many as a page has. */
export function useAudioActs(onDone: () => void) {
  const acts = useBulkActs({ start, undo }, onDone);
  return {
    ...acts,
    act: (act: BulkAct, rows: ManagedAudio[], to: To = {}) => acts.act(act, { rows, ...to }, countText(rows.length)),
  };
}

export const countText = (count: number) => plural({ count }, { one: '# audio', other: '# audios' });
