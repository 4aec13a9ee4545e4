import { useState } from 'react';
import type { ReportDetail } from '#domain/admin/people/report-queue.ts';
import { type DecisionVerb, decisionNoteLength, warningDays } from '#domain/community/rules.ts';
import { CheckBox } from '#web/ui/fields/check-box.tsx';
import { classNames } from '../../ui/class-names.ts';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import { ConsequenceDialog } from '../consequence-dialog.tsx';
import { useReportKeys } from './report-keys.tsx';
import { countOf } from '#formats/numbers.ts';

export type Choice = { verb: DecisionVerb; note: string; notifiesOwners: boolean; paysBack: boolean };

type DecidePanelProps = {
  report: ReportDetail;
  busy: boolean;
  onDecide: (choice: Choice) => Promise<void>;
};

/**
 * Decisions on a report, by buttons and keys. Give it the report's id as key, so that a draft never reaches another
 * report.
 */
export function DecidePanel({ report, busy, onDecide }: DecidePanelProps) {
  const { author, suggestion } = report;
  const ownerReported = report.given.some(({ ofVoice }) => ofVoice);
  const [note, setNote] = useState('');
  const [notifiesOwners, setNotifiesOwners] = useState(ownerReported);
  const [isSuspending, setIsSuspending] = useState(false);
  const [paysBack, setPaysBack] = useState(false);
  const isTooLong = [...note.trim()].length > decisionNoteLength;

  function choose(verb: DecisionVerb): void {
    if (busy || isTooLong || (verb === 'suspend' && author.isAdmin)) return;
    if (verb === 'suspend') setIsSuspending(true);
    else void onDecide({ verb, note, notifiesOwners, paysBack: false });
  }

  useReportKeys((command) => {
    if (isSuspending || command === 'next' || command === 'previous' || command === 'undo') return false;
    choose(command);
    return true;
  });

  const name = author.username ?? 'The author';
  const choices: { verb: DecisionVerb; label: string; key: string; text: string }[] = [
    {
      verb: 'keep',
      label: 'Keep',
      key: 'K',
      text: `The comment ${report.thread.some(({ id, state }) => id === report.id && state === 'held') ? 'shows again' : 'stays'}. Reporters are told.`,
    },
    { verb: 'remove', label: 'Remove', key: 'R', text: `Removed for everyone. ${name} is told why.` },
    {
      verb: 'warn',
      label: 'Remove and warn',
      key: 'W',
      text:
        author.warnings === 0
          ? `${name} gets a warning by email.`
          : `${author.warnings + 1}${ordinal(author.warnings + 1)} warning within ${countOf(warningDays, 'day')}. Nothing more happens by itself.`,
    },
    {
      verb: 'suspend',
      label: 'Remove and suspend',
      key: 'S',
      text: author.isAdmin
        ? 'Admins cannot be suspended for a comment. Remove the role first.'
        : 'Logged out everywhere, cannot log in. A running subscription is not renewed.',
    },
  ];

  return (
    <Pane title="Decide">
      <div className="grid gap-2">
        {choices.map(({ verb, label, key, text }) => (
          <button
            key={verb}
            type="button"
            className={classNames(
              'grid w-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 rounded-cover px-3.5 py-3 text-left text-14',
              verb === suggestion
                ? 'bg-accent text-accent-contrast hover:bg-(--accent-hover)'
                : 'edge-line hover:bg-text/5 hover:edge-control',
            )}
            aria-disabled={busy || isTooLong || (verb === 'suspend' && author.isAdmin) || undefined}
            aria-keyshortcuts={key}
            data-verb={verb}
            onClick={() => choose(verb)}
          >
            <b>
              {label}
              {verb === suggestion && ' (suggested)'}
            </b>
            <span
              className={classNames(
                'kbd col-start-2 row-start-1',
                verb === suggestion && 'bg-accent-contrast/14 text-inherit',
              )}
              aria-hidden="true"
            >
              {key}
            </span>
            <small className={classNames('col-start-1 leading-[1.45]', verb === suggestion && 'text-inherit')}>
              {text}
            </small>
          </button>
        ))}
      </div>
      <div className="mt-4">
        <TextArea
          label="Note for other operators"
          isOptional
          rows={2}
          value={note}
          error={isTooLong ? `At most ${decisionNoteLength} characters` : undefined}
          onChange={(event) => setNote(event.target.value)}
        />
      </div>
      <div className="mt-3.5">
        <CheckBox checked={notifiesOwners} onChange={(event) => setNotifiesOwners(event.target.checked)}>
          Tell {report.voice.name} what was done
        </CheckBox>
      </div>
      {isSuspending && (
        <ConsequenceDialog
          title={`Suspend ${name}`}
          consequences={`The comment is removed, ${name} is logged out everywhere and cannot log in, and all their comments are hidden. ${author.isSubscribed ? 'Their subscription is not renewed.' : 'They have no running subscription.'} Undo reactivates the account.`}
          verb="Remove and suspend"
          onClose={() => setIsSuspending(false)}
          onConfirm={async () => {
            setIsSuspending(false);
            await onDecide({ verb: 'suspend', note, notifiesOwners, paysBack: author.isSubscribed && paysBack });
          }}
        >
          {author.isSubscribed && (
            <CheckBox checked={paysBack} onChange={(event) => setPaysBack(event.target.checked)}>
              End a paid subscription now and refund its unused days
            </CheckBox>
          )}
        </ConsequenceDialog>
      )}
    </Pane>
  );
}

function ordinal(count: number): string {
  const last = count % 10;
  if (count % 100 >= 11 && count % 100 <= 13) return 'th';
  return last === 1 ? 'st' : last === 2 ? 'nd' : last === 3 ? 'rd' : 'th';
}
