import { t } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { SeriesPart } from '#domain/studio/series/series.ts';
import { type Answer, answerOf, api } from '../../api.ts';
import { useToast } from '../../ui/layers/toast.tsx';
import { moved } from '../../workshop/forms/hand-order.tsx';

/** The order of a series. Changes show at once, are saved one after the other, and can be undone. */
export function useSeriesOrder(series: { id: string; parts: SeriesPart[] }) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [changed, setChanged] = useState<SeriesPart[]>();
  const parts = changed ?? series.parts;
  const latest = useRef(parts);
  useEffect(() => {
    latest.current = parts;
  });
  const saving = useRef<Promise<unknown>>(Promise.resolve());
  const waiting = useRef(0);
  const param = { id: series.id };

  function show(next: SeriesPart[]): void {
    latest.current = next;
    setChanged(next);
  }

  /** @param undo action offered after saving */
  function save(send: () => Promise<Answer<unknown>>, saved: { text: string; undo: () => void }): void {
    waiting.current += 1;
    saving.current = saving.current.then(async () => {
      const answer = await send();
      waiting.current -= 1;
      showToast(
        answer.ok
          ? { text: saved.text, kind: 'order', action: { label: t`Undo`, onPress: saved.undo } }
          : { text: answer.message, kind: 'order' },
      );
      // Later changes stay visible until they are saved too.
      if (waiting.current > 0 && answer.ok) return;
      await revalidate();
      if (waiting.current === 0) setChanged(undefined);
    });
  }

  function place(id: string, to: number, text: string): void {
    const from = latest.current.findIndex((part) => part.id === id);
    if (from === -1) return;
    const next = moved(latest.current, from, to);
    show(next);
    const json = { audioId: id, after: next[to - 1]?.id ?? null };
    save(() => answerOf(api.studio.series[':id'].move.$post({ param, json })), {
      text,
      undo: () => place(id, from, t`Order as before`),
    });
  }

  function insert(part: SeriesPart, to: number, text: string): void {
    const next = latest.current.toSpliced(to, 0, part);
    show(next);
    const json = { audioId: part.id, after: next[to - 1]?.id ?? null };
    save(() => answerOf(api.studio.series[':id'].audios.$post({ param, json })), { text, undo: () => remove(part) });
  }

  function remove(part: SeriesPart): void {
    const at = latest.current.findIndex(({ id }) => id === part.id);
    if (at === -1) return;
    show(latest.current.toSpliced(at, 1));
    const gone = { param: { ...param, audioId: part.id } };
    save(() => answerOf(api.studio.series[':id'].audios[':audioId'].$delete(gone)), {
      text: t`“${{ title: part.title }}” removed`,
      undo: () => insert(part, at, t`“${{ title: part.title }}” is restored`),
    });
  }

  return {
    parts,
    move(from: number, to: number) {
      const part = latest.current[from];
      if (part !== undefined) place(part.id, to, t`Order saved`);
    },
    add: (part: SeriesPart) => insert(part, latest.current.length, t`“${{ title: part.title }}” added`),
    remove,
  };
}
