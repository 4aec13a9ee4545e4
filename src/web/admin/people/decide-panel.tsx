import { plural, selectOrdinal, t } from '@lingui/core/macro';
import { useState } from 'react';
import type { ReportDetail } from '#domain/admin/people/report-queue.ts';
import { type DecisionVerb, decisionNoteLength, warningDays } from '#domain/community/rules.ts';
import { CheckBox } from '#web/ui/fields/check-box.tsx';
import { classNames } from '../../ui/class-names.ts';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import { ConsequenceDialog } from '../consequence-dialog.tsx';
import { useReportKeys } from './report-keys.tsx';

export type Choice = { verb: DecisionVerb; note: string; notifiesOwners: boolean; paysBack: boolean };

type DecidePanelProps = {
  report: ReportDetail;
  busy: boolean;
  /** Accounts are the admins' alone. */
  maySuspend: boolean;
  onDecide: (choice: Choice) => Promise<void>;
};

/**
 * Decisions on a report, by buttons and keys. Give it the report's id as key, so that a draft never reaches another
 * report.
 */
export function DecidePanel({ report, busy, maySuspend, onDecide }: DecidePanelProps) {
  const { author, suggestion } = report;
  const ownerReported = report.given.some(({ ofVoice }) => ofVoice);
  const [note, setNote] = useState('');
  const [notifiesOwners, setNotifiesOwners] = useState(ownerReported);
  const [isSuspending, setIsSuspending] = useState(false);
  const [paysBack, setPaysBack] = useState(false);
  const isTooLong = [...note.trim()].length > decisionNoteLength;

  function choose(verb: DecisionVerb): void {
    if (busy || isTooLong || (verb === 'suspend' && (author.isAdmin || !maySuspend))) return;
    if (verb === 'suspend') setIsSuspending(true);
    else void onDecide({ verb, note, notifiesOwners, paysBack: false });
  }

  useReportKeys((command) => {
    if (isSuspending || command === 'next' || command === 'previous' || command === 'undo') return false;
    choose(command);
    return true;
  });

  const name = author.username ?? t`The author`;
  const { name: voice } = report.voice;
  const warnings = author.warnings + 1;
  const isHeld = report.thread.some(({ id, state }) => id === report.id && state === 'held');
  const choices: { verb: DecisionVerb; label: string; key: string; text: string }[] = [
    {
      verb: 'keep',
      label: t({ message: 'Keep', context: 'comment' }),
      key: 'K',
      text: isHeld ? t`The comment shows again. Reporters are told.` : t`The comment stays. Reporters are told.`,
    },
    { verb: 'remove', label: t`Remove`, key: 'R', text: t`Removed for everyone. ${name} is told why.` },
    {
      verb: 'warn',
      label: t`Remove and warn`,
      key: 'W',
      text:
        author.warnings === 0
          ? t`${name} gets a warning by email.`
          : t`${selectOrdinal(warnings, { one: '#st', two: '#nd', few: '#rd', other: '#th' })} warning within ${plural(warningDays, { one: '# day', other: '# days' })}. Nothing more happens by itself.`,
    },
    {
      verb: 'suspend',
      label: t`Remove and suspend`,
      key: 'S',
      text: author.isAdmin
        ? t`Admins cannot be suspended for a comment. Remove the role first.`
        : t`Logged out everywhere, cannot log in. A running subscription is not renewed.`,
    },
  ];

  const suggested = suggestion === 'suspend' && !maySuspend ? 'warn' : suggestion;
  const shown = maySuspend ? choices : choices.filter(({ verb }) => verb !== 'suspend');

  return (
    <Pane title={t`Decide`}>
      <div className="grid gap-2">
        {shown.map(({ verb, label, key, text }) => (
          <button
            key={verb}
            type="button"
            className={classNames(
              'grid w-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 rounded-cover px-3.5 py-3 text-start text-14',
              verb === suggested
                ? 'bg-accent text-accent-contrast hover:bg-(--accent-hover)'
                : 'edge-line hover:bg-text/5 hover:edge-control',
            )}
            aria-disabled={busy || isTooLong || (verb === 'suspend' && author.isAdmin) || undefined}
            aria-keyshortcuts={key}
            data-verb={verb}
            onClick={() => choose(verb)}
          >
            <b>{verb === suggested ? t`${label} (suggested)` : label}</b>
            <span
              className={classNames(
                'kbd col-start-2 row-start-1',
                verb === suggested && 'bg-accent-contrast/14 text-inherit',
              )}
              aria-hidden="true"
            >
              {key}
            </span>
            <small className={classNames('col-start-1 leading-[1.45]', verb === suggested && 'text-inherit')}>
              {text}
            </small>
          </button>
        ))}
      </div>
      <div className="mt-4">
        <TextArea
          label={t`Note for other operators`}
          isOptional
          rows={2}
          value={note}
          error={
            isTooLong
              ? t`At most ${plural(decisionNoteLength, { one: '# character', other: '# characters' })}`
              : undefined
          }
          onChange={(event) => setNote(event.target.value)}
        />
      </div>
      <div className="mt-3.5">
        <CheckBox checked={notifiesOwners} onChange={(event) => setNotifiesOwners(event.target.checked)}>
          {t`Tell ${voice} what was done`}
        </CheckBox>
      </div>
      {isSuspending && (
        <ConsequenceDialog
          title={t`Suspend ${name}`}
          consequences={
            author.isSubscribed
              ? t`The comment is removed, ${name} is logged out everywhere and cannot log in, and all their comments are hidden. Their subscription is not renewed. Undo reactivates the account.`
              : t`The comment is removed, ${name} is logged out everywhere and cannot log in, and all their comments are hidden. They have no running subscription. Undo reactivates the account.`
          }
          verb={t`Remove and suspend`}
          onClose={() => setIsSuspending(false)}
          onConfirm={async () => {
            setIsSuspending(false);
            await onDecide({ verb: 'suspend', note, notifiesOwners, paysBack: author.isSubscribed && paysBack });
          }}
        >
          {author.isSubscribed && (
            <CheckBox checked={paysBack} onChange={(event) => setPaysBack(event.target.checked)}>
              {t`End a paid subscription now and refund its unused days`}
            </CheckBox>
          )}
        </ConsequenceDialog>
      )}
    </Pane>
  );
}
