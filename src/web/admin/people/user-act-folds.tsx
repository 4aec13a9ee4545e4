import Ban from 'lucide-react/icons/ban';
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Download from 'lucide-react/icons/download';
import Gift from 'lucide-react/icons/gift';
import KeyRound from 'lucide-react/icons/key-round';
import Mic from 'lucide-react/icons/mic';
import ShieldCheck from 'lucide-react/icons/shield-check';
import ShieldOff from 'lucide-react/icons/shield-off';
import Trash2 from 'lucide-react/icons/trash-2';
import Undo2 from 'lucide-react/icons/undo-2';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { deletionDays, maxGivenMonths, suspensionReasons } from '#domain/admin/rules.ts';
import type { SuspensionReason } from '#domain/admin/rules.ts';
import type { UserDetail } from '#domain/admin/people/users.ts';
import type { VoiceRole } from '#domain/kernel/viewer.ts';
import { countOf } from '#formats/numbers.ts';
import { formatDate } from '#formats/times.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { ChoiceField } from '../../workshop/forms/choice-field.tsx';
import { useUserActs } from './use-user-acts.ts';
import type { ChosenVoice } from '../voice-field.tsx';
import { VoiceField } from '../voice-field.tsx';

export type Fold = 'months' | 'voice' | 'suspend' | 'delete';
type UserActFoldsProps = {
  user: UserDetail;
  name: string;
  isOneself: boolean;
  open: Fold | undefined;
  onOpen: (fold: Fold | undefined) => void;
};

/** Buttons for one account. Acts that lock a person out ask for a reason and the typed name; the others run at once. */
export function UserActFolds({ user, name, isOneself, open, onOpen }: UserActFoldsProps) {
  const acts = useUserActs(user.id, name);
  const [busy, setBusy] = useState(false);

  async function run(act: () => Promise<boolean>): Promise<void> {
    setBusy(true);
    if (await act()) close();
    setBusy(false);
  }

  /** The focus returns to the row that opened the form. */
  function close(): void {
    if (open === undefined) return;
    document.getElementById(`act-${open}`)?.focus();
    onOpen(undefined);
  }

  const row = (icon: LucideIcon, label: string, act: () => Promise<boolean>) => (
    <button type="button" className="actrow" disabled={busy} onClick={() => void run(act)}>
      <Icon of={icon} size={18} />
      {label}
      <Icon of={ChevronRight} size={16} />
    </button>
  );
  const fold = (id: Fold, icon: LucideIcon, label: string, content: ReactNode, isBad = false) => (
    <>
      <button
        type="button"
        id={`act-${id}`}
        className={isBad ? 'actrow up-bad' : 'actrow'}
        aria-expanded={open === id}
        onClick={() => onOpen(open === id ? undefined : id)}
      >
        <Icon of={icon} size={18} />
        {label}
        <Icon of={open === id ? ChevronDown : ChevronRight} size={16} />
      </button>
      {open === id && content}
    </>
  );

  return (
    <section className="pane" aria-labelledby="acts">
      <h2 className="pane-title mb-1.5" id="acts">
        Acts
      </h2>
      <div>
        {fold(
          'months',
          Gift,
          'Give months',
          <MonthsForm
            busy={busy}
            onCancel={close}
            onGive={(months, reason) => run(() => acts.giveMonths(months, reason))}
          />,
        )}
        {user.email !== null && row(Download, 'Export own data', acts.sendExport)}
        {fold(
          'voice',
          Mic,
          'Add access to a creator page',
          <VoiceForm busy={busy} onCancel={close} onGive={(voice, role) => run(() => acts.giveVoice(voice, role))} />,
        )}
        {!isOneself &&
          (user.isAdmin
            ? row(ShieldOff, 'Remove admin role', acts.takeAdmin)
            : user.suspendedAt === null && row(ShieldCheck, 'Make admin', acts.makeAdmin))}
        {!isOneself && user.hasSecondFactor && row(KeyRound, 'Reset second factor', acts.resetSecondFactor)}
        {!isOneself && user.suspendedAt !== null && row(Undo2, 'Lift the suspension', acts.liftSuspension)}
        {!isOneself &&
          (user.suspendedAt === null || user.subscription.renewsAt !== null) &&
          fold(
            'suspend',
            Ban,
            // The payment provider did not answer the first time.
            user.suspendedAt === null ? 'Suspend' : 'Suspend again, to stop the renewal',
            <SuspendForm
              user={user}
              name={name}
              busy={busy}
              onCancel={close}
              onSuspend={(reason, paysBack) =>
                run(() => acts.suspend(reason, paysBack, user.subscription.currency ?? 'usd'))
              }
            />,
          )}
        {!isOneself &&
          (user.deletionDueAt !== null
            ? row(Undo2, `Cancel the deletion, due on ${formatDate(user.deletionDueAt)}`, acts.keepAccount)
            : fold(
                'delete',
                Trash2,
                'Delete account',
                <DeleteForm
                  name={name}
                  busy={busy}
                  onCancel={close}
                  onDelete={(reason) => run(() => acts.planDeletion(reason))}
                />,
                true,
              ))}
      </div>
    </section>
  );
}

type FormProps = { busy: boolean; onCancel: () => void };

function Buttons({ label, isReady, busy, onCancel }: FormProps & { label: string; isReady: boolean }) {
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      <Button type="submit" variant="primary" size="sm" disabled={!isReady} busy={busy ? 'One moment…' : undefined}>
        {label}
      </Button>
      <Button variant="ghost" size="sm" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}

function MonthsForm({ onGive, ...rest }: FormProps & { onGive: (months: number, reason: string) => Promise<void> }) {
  const [months, setMonths] = useState('1');
  const [reason, setReason] = useState('');
  const count = Number(months);
  const isReady = Number.isInteger(count) && count >= 1 && count <= maxGivenMonths && reason.trim() !== '';
  return (
    <form
      className="confirm"
      aria-label="Give months"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !rest.busy) void onGive(count, reason.trim());
      }}
    >
      <Field
        label="Months"
        // Also opened from the head of the page, far from here.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        type="number"
        inputMode="numeric"
        min={1}
        max={maxGivenMonths}
        hint="A running subscription is charged that much later."
        value={months}
        onChange={({ target }) => setMonths(target.value)}
      />
      <Field
        className="mt-3"
        label="Reason"
        maxLength={500}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <Buttons label="Give months" isReady={isReady} {...rest} />
    </form>
  );
}

function VoiceForm({ onGive, ...rest }: FormProps & { onGive: (voice: string, role: VoiceRole) => Promise<void> }) {
  const [voice, setVoice] = useState<ChosenVoice>();
  const [role, setRole] = useState<VoiceRole>('owner');
  return (
    <form
      className="confirm"
      aria-label="Add access to a creator page"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (voice !== undefined && !rest.busy) void onGive(voice.slug, role);
      }}
    >
      <VoiceField voice={voice} onChoose={setVoice} />
      <div className="mt-3">
        <ChoiceField
          label="Role"
          value={role}
          none={null}
          options={[
            { value: 'owner', label: 'Owner: everything, including people and deletion' },
            { value: 'editor', label: 'Editor: everything else' },
          ]}
          onChoose={(value) => setRole(value === 'editor' ? 'editor' : 'owner')}
        />
      </div>
      <Buttons label="Give the page" isReady={voice !== undefined} {...rest} />
    </form>
  );
}

type SuspendFormProps = FormProps & {
  user: UserDetail;
  name: string;
  onSuspend: (reason: SuspensionReason, paysBack: boolean) => Promise<void>;
};

function SuspendForm({ user, name, onSuspend, ...rest }: SuspendFormProps) {
  const [reason, setReason] = useState<SuspensionReason>();
  const [typed, setTyped] = useState('');
  const [paysBack, setPaysBack] = useState(false);
  const { renewsAt, state } = user.subscription;
  const isReady = reason !== undefined && typed.trim() === name;
  const consequences = [
    `${name} is logged out on ${countOf(user.sessions.length, 'device')} and cannot log in.`,
    'Comments and public playlists are not shown meanwhile.',
    ...(renewsAt === null ? [] : [`The renewal on ${formatDate(renewsAt)} stops.`]),
  ];
  return (
    <form
      className="confirm"
      aria-label={`Suspend ${name}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !rest.busy) void onSuspend(reason, paysBack);
      }}
    >
      <p className="text-14">{consequences.join(' ')}</p>
      <div className="mt-3">
        <ChoiceField
          label="Reason"
          value={reason ?? ''}
          options={suspensionReasons.map((one) => ({ value: one, label: one }))}
          onChoose={(value) => setReason(suspensionReasons.find((one) => one === value))}
        />
      </div>
      {(state === 'active' || state === 'ending') && (
        <label className="mt-3 flex min-h-11 items-center gap-2.5 text-14">
          <input
            type="checkbox"
            className="tick-box"
            checked={paysBack}
            onChange={({ target }) => setPaysBack(target.checked)}
          />
          End the subscription now and refund the unused days
        </label>
      )}
      <Field
        className="mt-3"
        label={`Type ${name} to confirm`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Buttons label={`Suspend ${name}`} isReady={isReady} {...rest} />
    </form>
  );
}

type DeleteFormProps = FormProps & { name: string; onDelete: (reason: string) => Promise<void> };

function DeleteForm({ name, onDelete, ...rest }: DeleteFormProps) {
  const [reason, setReason] = useState('');
  return (
    <form
      className="confirm"
      aria-label={`Delete the account of ${name}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim() !== '' && !rest.busy) void onDelete(reason.trim());
      }}
    >
      <p className="text-14">
        The account and everything that belongs to it are deleted in {countOf(deletionDays, 'day')}. {name} gets a mail.
        You can cancel until then; a subscription ends with the account.
      </p>
      <Field
        className="mt-3"
        label="Reason"
        maxLength={500}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <Buttons label={`Delete in ${countOf(deletionDays, 'day')}`} isReady={reason.trim() !== ''} {...rest} />
    </form>
  );
}
