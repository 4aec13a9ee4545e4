import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import type { ManagedAudio } from '#domain/studio/audios/audio-list.ts';
import type { BulkAct, ManagedState } from '#domain/studio/rules.ts';
import type { Count } from '#formats/numbers.ts';
import { Button } from '../../ui/button.tsx';

/** States of audios and of files that are not audios yet, as `ListPage` filters them. */
export function audioStates(
  counts: Partial<Record<ManagedState | 'all', number | Count>> | undefined,
  uploads: { processing: number; failed: number },
) {
  const ofState = (count: number | Count | undefined): Count | undefined =>
    typeof count === 'number' ? { count, isMore: false } : count;
  return {
    label: t`State`,
    all: ofState(counts?.all),
    options: [
      ['published', t`Published`, ofState(counts?.published)],
      ['in-review', t`In review`, ofState(counts?.['in-review'])],
      ['returned', t`Returned`, ofState(counts?.returned)],
      ['scheduled', t`Scheduled`, ofState(counts?.scheduled)],
      ['draft', t`Drafts`, ofState(counts?.draft)],
      ['unpublished', t`Unpublished`, ofState(counts?.unpublished)],
      ['processing', t`Processing`, ofState(uploads.processing)],
      ['failed', t`Failed`, ofState(uploads.failed)],
      ['deleted', t`Deleted`, ofState(counts?.deleted)],
    ] as const,
  };
}

type AudioActsProps = {
  /** Undefined: all matches of the filters. */
  rows: ManagedAudio[] | undefined;
  /** Filter of all matches. */
  state?: ManagedState | undefined;
  canDelete: boolean;
  onAct: (act: BulkAct) => void;
  /** Opens the choice of a language. */
  onAskLanguage: () => void;
  onAskSyntheticVoice: () => void;
  /** More acts, on audios that are not deleted. */
  children?: ReactNode;
};

/** Acts on many audios: only those that change some of the rows. */
export function AudioActs({
  rows,
  state,
  canDelete,
  onAct,
  onAskLanguage,
  onAskSyntheticVoice,
  children,
}: AudioActsProps) {
  const isAny = (test: (row: ManagedAudio) => boolean) =>
    rows === undefined ? state !== 'deleted' : rows.some((row) => row.state !== 'deleted' && test(row));
  const areDeleted = rows === undefined ? state === 'deleted' : rows.some((row) => row.state === 'deleted');
  const acts: [BulkAct, string, boolean][] = [
    ['publish', t`Publish`, isAny((row) => row.state !== 'published' && row.state !== 'in-review')],
    ['unpublish', t`Unpublish`, isAny(({ state: now }) => now === 'published' || now === 'scheduled')],
    ['free', t`Make free`, isAny((row) => !row.isFree)],
    ['subscribers', t`For subscribers`, isAny((row) => row.isFree)],
    ['delete', t`Delete`, canDelete && isAny(() => true)],
    ['restore', t`Restore`, canDelete && areDeleted],
  ];
  return (
    <>
      {acts.map(
        ([act, label, isOffered]) =>
          isOffered && (
            <Button key={act} size="sm" onClick={() => onAct(act)}>
              {label}
            </Button>
          ),
      )}
      {isAny(() => true) && (
        <Button size="sm" onClick={onAskLanguage}>
          {t`Set language`}
        </Button>
      )}
      {isAny(() => true) && (
        <Button size="sm" onClick={onAskSyntheticVoice}>
          {t`Set synthetic voice`}
        </Button>
      )}
      {isAny(() => true) && children}
    </>
  );
}
