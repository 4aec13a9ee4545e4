import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { countOf } from '#formats/numbers.ts';
import type { ManagedAudio } from '#domain/studio/audios/audio-list.ts';
import type { BulkAct } from '#domain/studio/rules.ts';
import { answerOf, api } from '../../api.ts';
import { useToast } from '../../ui/layers/toast.tsx';
import type { BulkStep } from '../../workshop/lists/bulk-bar.tsx';
import { undoOf } from '../../workshop/undo-notices.ts';
import { formerPublication, setPublication } from './publication-calls.ts';

type Words = {
  /** While it runs. */
  progress: string;
  /** After the number of audios. */
  done: string;
  /** After the number of refused audios. */
  failed: string;
  /** Question before the act; acts without one start at once. */
  ask?: { verb: string; consequence: string };
};

const words: Record<BulkAct, Words> = {
  publish: { progress: 'Publishing', done: 'published', failed: 'not published' },
  unpublish: {
    progress: 'Unpublishing',
    done: 'unpublished',
    failed: 'not unpublished',
    ask: { verb: 'Unpublish', consequence: 'Listeners can no longer find or play them.' },
  },
  free: { progress: 'Opening access to', done: 'now free', failed: 'not changed' },
  subscribers: { progress: 'Restricting access to', done: 'now for subscribers', failed: 'not changed' },
  delete: {
    progress: 'Deleting',
    done: 'deleted',
    failed: 'not deleted',
    ask: { verb: 'Delete', consequence: 'They disappear at once. You can restore them for 30 days.' },
  },
  restore: { progress: 'Restoring', done: 'restored', failed: 'not restored' },
};

const reverse: Partial<Record<BulkAct, BulkAct>> = {
  free: 'subscribers',
  subscribers: 'free',
  delete: 'restore',
  restore: 'delete',
};

const reasonTexts = {
  'not-found': 'no longer exists',
  'not-published': 'is not published',
  'is-preview': 'is the preview, which every visitor hears first',
  'mistimed-transcript': 'has lines with wrong times in its transcript',
  'owners-only': 'can only be deleted by an owner',
} as const;

/** Acts on rows of the audio table: asks for confirmation where needed, shows refusals, and offers Undo. */
export function useAudioActs(onDone: () => void) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [step, setStep] = useState<BulkStep>({ name: 'choose' });

  async function undo(act: BulkAct, rows: ManagedAudio[]): Promise<void> {
    const back = reverse[act];
    // One by one, because each returns to its own state or time.
    const answers = back
      ? [await answerOf(api.studio.audios.acts.$post({ json: { act: back, ids: rows.map(({ id }) => id) } }))]
      : await Promise.all(rows.map((row) => setPublication(row.id, formerPublication(row))));
    const refused = answers.find(({ ok }) => !ok);
    showToast({ text: refused !== undefined && !refused.ok ? refused.message : 'Undone' });
    await revalidate();
  }

  async function run(act: BulkAct, rows: ManagedAudio[]): Promise<void> {
    const { progress, done, failed } = words[act];
    setStep({ name: 'run', text: `${progress} ${countOf(rows.length, 'audio')}` });
    const answer = await answerOf(api.studio.audios.acts.$post({ json: { act, ids: rows.map(({ id }) => id) } }));
    if (!answer.ok) {
      setStep({ name: 'refused', text: 'Nothing was changed', reasons: answer.message });
      return;
    }
    const { changed, unchanged, refused } = answer.data;
    const changedRows = rows.filter(({ id }) => changed.includes(id));
    await revalidate();
    if (refused.length > 0) {
      const reasons = refused.map(({ id, title, reason }) => {
        const name = title ?? rows.find((row) => row.id === id)?.title ?? 'One audio';
        return `“${name}” ${reasonTexts[reason]}.`;
      });
      setStep({
        name: 'refused',
        text: `${changed.length} ${done}, ${refused.length} ${failed}`,
        reasons: reasons.slice(0, 3).join(' '),
        ...(changedRows.length > 0 && {
          undo: {
            label: `Undo ${changedRows.length}`,
            onUndo: () => {
              setStep({ name: 'choose' });
              void undo(act, changedRows);
            },
          },
        }),
      });
      return;
    }
    setStep({ name: 'choose' });
    onDone();
    if (changed.length === 0)
      showToast({ text: `${countOf(unchanged.length, 'audio')} ${isAre(unchanged.length)} ${done} already` });
    else
      showToast({
        text: `${countOf(changed.length, 'audio')} ${done}`,
        kind: 'audio acts',
        action: { label: 'Undo', onPress: () => void undo(act, changedRows) },
        ...undoOf(changed),
      });
  }

  return {
    step,
    close: () => setStep({ name: 'choose' }),
    act(act: BulkAct, rows: ManagedAudio[]): void {
      const { ask } = words[act];
      if (ask === undefined) void run(act, rows);
      else
        setStep({
          name: 'ask',
          question: `${ask.verb} ${countOf(rows.length, 'audio')}?`,
          consequence: ask.consequence,
          verb: ask.verb,
          onConfirm: () => void run(act, rows),
        });
    },
  };
}

function isAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}
