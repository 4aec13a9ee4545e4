import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import type { DecisionVerb, ReportReason } from '#domain/community/rules.ts';
import { answerOf, api } from '#web/api.ts';
import { useToast } from '#web/ui/layers/toast.tsx';

type Decide = {
  id: string;
  author: string;
  verb: DecisionVerb;
  note: string;
  notifiesOwners: boolean;
  paysBack: boolean;
};

/** Decides on reports and undoes decisions. @param nextOf address of the report to show after this one */
export function useReportDecisions(nextOf: (id: string) => string) {
  const showToast = useToast();
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState<string>();
  const [last, setLast] = useState<{ decisionId: string; back: string }>();

  async function decide({ id, author, verb, note, notifiesOwners, paysBack }: Decide): Promise<void> {
    if (busy !== undefined) return;
    setBusy(verb);
    const json = { verb, notifiesOwners, paysBack, ...(note.trim() !== '' && { note }) };
    const answer = await answerOf(api.admin.reports[':id'].decision.$post({ param: { id }, json }));
    setBusy(undefined);
    if (!answer.ok) {
      showToast({ text: answer.code === 'request/not-found' ? t`This comment was already deleted.` : answer.message });
      if (answer.status === 409 || answer.status === 404) await revalidate();
      return;
    }
    const { decisionId } = answer.data;
    const back = window.location.pathname + window.location.search;
    setLast({ decisionId, back });
    showToast({
      kind: 'report',
      text: doneWords[verb](author),
      action: { label: t`Undo`, onPress: () => void undo(decisionId, back) },
    });
    await navigate(nextOf(id), { preventScrollReset: true });
  }

  async function undo(decisionId: string, back?: string): Promise<void> {
    setBusy(decisionId);
    const answer = await answerOf(api.admin.decisions[':id'].undo.$post({ param: { id: decisionId } }));
    setBusy(undefined);
    setLast(undefined);
    showToast({ kind: 'report', text: answer.ok ? t`Undone` : answer.message });
    if (answer.ok && back !== undefined) await navigate(back, { preventScrollReset: true });
    await revalidate();
  }

  /** By key: the latest decision of this page. */
  function undoLast(): void {
    if (last !== undefined) void undo(last.decisionId, last.back);
  }

  return { busy, decide, undo, undoLast };
}

export const reasonWords = (): Record<ReportReason, string> => ({
  unkind: t`Unkind`,
  hate: t`Hate`,
  threat: t`Threat`,
  'private-information': t`Private information`,
  spam: t`Spam`,
  other: t`Something else`,
});

/** Names of decisions in the history. */
export const verbWords = (): Record<DecisionVerb, string> => ({
  keep: t`Report not upheld`,
  remove: t`Comment removed`,
  warn: t`Warned`,
  suspend: t`Suspended`,
});

/** Shown after the decision. */
export const doneWords: Record<DecisionVerb, (author: string) => string> = {
  keep: () => t`Comment kept`,
  remove: () => t`Comment removed`,
  warn: (author) => t`Comment removed, ${author} warned`,
  suspend: (author) => t`Comment removed, ${author} suspended`,
};
