import { plural, t } from '@lingui/core/macro';
import { Form } from '#web/workshop/form.tsx';
import Ban from 'lucide-react/icons/ban';
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Download from 'lucide-react/icons/download';
import Gift from 'lucide-react/icons/gift';
import KeyRound from 'lucide-react/icons/key-round';
import Mic from 'lucide-react/icons/mic';
import Scale from 'lucide-react/icons/scale';
import ShieldCheck from 'lucide-react/icons/shield-check';
import ShieldOff from 'lucide-react/icons/shield-off';
import Trash2 from 'lucide-react/icons/trash-2';
import Undo2 from 'lucide-react/icons/undo-2';
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type SuspensionReason, deletionDays, maxGivenMonths, suspensionReasons } from '#domain/admin/rules.ts';
import type { UserDetail } from '#domain/admin/people/users.ts';
import type { VoiceRole } from '#domain/kernel/viewer.ts';
import { formatDate } from '#formats/times.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { ChoiceField } from '../../workshop/forms/choice-field.tsx';
import { Pane } from '../../workshop/pane.tsx';
import { suspensionText } from './suspension-text.ts';
import { useUserActs } from './use-user-acts.ts';
import { type Found, VoiceField } from '../found-fields.tsx';

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
    <Pane title={t`Actions`} gap="mb-1.5">
      <div>
        {fold(
          'months',
          Gift,
          t`Give months`,
          <MonthsForm
            busy={busy}
            onCancel={close}
            onGive={(months, reason) => run(() => acts.giveMonths(months, reason))}
          />,
        )}
        {user.email !== null && row(Download, t`Export own data`, acts.sendExport)}
        {fold(
          'voice',
          Mic,
          t`Add access to a creator page`,
          <VoiceForm busy={busy} onCancel={close} onGive={(voice, role) => run(() => acts.giveVoice(voice, role))} />,
        )}
        {!isOneself &&
          (user.isAdmin
            ? row(ShieldOff, t`Remove admin role`, acts.takeAdmin)
            : user.suspendedAt === null && row(ShieldCheck, t`Make admin`, acts.makeAdmin))}
        {!isOneself &&
          (user.isModerator
            ? row(Scale, t`Remove moderator role`, acts.takeModerator)
            : user.suspendedAt === null && row(Scale, t`Make moderator`, acts.makeModerator))}
        {!isOneself && user.hasSecondFactor && row(KeyRound, t`Reset second factor`, acts.resetSecondFactor)}
        {!isOneself && user.suspendedAt !== null && row(Undo2, t`Lift the suspension`, acts.liftSuspension)}
        {!isOneself &&
          (user.suspendedAt === null || user.subscription.renewsAt !== null) &&
          fold(
            'suspend',
            Ban,
            // The payment provider did not answer the first time.
            user.suspendedAt === null ? t`Suspend` : t`Suspend again, to stop the renewal`,
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
            ? row(Undo2, t`Cancel the deletion, due on ${{ date: formatDate(user.deletionDueAt) }}`, acts.keepAccount)
            : fold(
                'delete',
                Trash2,
                t`Delete account`,
                <DeleteForm
                  name={name}
                  busy={busy}
                  onCancel={close}
                  onDelete={(reason) => run(() => acts.planDeletion(reason))}
                />,
                true,
              ))}
      </div>
    </Pane>
  );
}

type FormProps = { busy: boolean; onCancel: () => void };

type FoldFormProps = FormProps & {
  label: string;
  verb: string;
  isReady: boolean;
  onSubmit: () => Promise<void>;
  children: ReactNode;
};

function FoldForm({ label, verb, isReady, busy, onSubmit, onCancel, children }: FoldFormProps) {
  return (
    <Form
      className="confirm grid gap-3"
      aria-label={label}
      onSubmit={() => {
        if (isReady && !busy) void onSubmit();
      }}
    >
      {children}
      <div className="mt-1 flex flex-wrap gap-2">
        <Button type="submit" variant="primary" size="sm" disabled={!isReady} busy={busy ? t`One moment…` : undefined}>
          {verb}
        </Button>
        <Button variant="ghost" size="sm" onClick={onCancel}>
          {t`Cancel`}
        </Button>
      </div>
    </Form>
  );
}

function ReasonField({ value, onChange }: { value: string; onChange: (reason: string) => void }) {
  return <Field label={t`Reason`} maxLength={500} value={value} onChange={({ target }) => onChange(target.value)} />;
}

function MonthsForm({ onGive, ...rest }: FormProps & { onGive: (months: number, reason: string) => Promise<void> }) {
  const [months, setMonths] = useState('1');
  const [reason, setReason] = useState('');
  const count = Number(months);
  const isReady = Number.isInteger(count) && count >= 1 && count <= maxGivenMonths && reason.trim() !== '';
  return (
    <FoldForm
      {...rest}
      label={t`Give months`}
      verb={t`Give months`}
      isReady={isReady}
      onSubmit={() => onGive(count, reason.trim())}
    >
      <Field
        label={t`Months`}
        // Also opened from the head of the page, far from here.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        type="number"
        inputMode="numeric"
        min={1}
        max={maxGivenMonths}
        hint={t`A running subscription is charged that much later.`}
        value={months}
        onChange={({ target }) => setMonths(target.value)}
      />
      <ReasonField value={reason} onChange={setReason} />
    </FoldForm>
  );
}

function VoiceForm({ onGive, ...rest }: FormProps & { onGive: (voice: string, role: VoiceRole) => Promise<void> }) {
  const [voice, setVoice] = useState<Found>();
  const [role, setRole] = useState<VoiceRole>('owner');
  return (
    <FoldForm
      {...rest}
      label={t`Add access to a creator page`}
      verb={t`Give access`}
      isReady={voice !== undefined}
      onSubmit={async () => voice && onGive(voice.slug, role)}
    >
      <VoiceField found={voice} onChoose={setVoice} />
      <ChoiceField
        label={t`Role`}
        value={role}
        none={null}
        options={[
          { value: 'owner', label: t`Owner: everything, including people and deletion` },
          { value: 'editor', label: t`Editor: everything else` },
        ]}
        onChoose={(value) => setRole(value === 'editor' ? 'editor' : 'owner')}
      />
    </FoldForm>
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
  const devices = user.sessions.length;
  return (
    <FoldForm
      {...rest}
      label={t`Suspend ${name}`}
      verb={t`Suspend ${name}`}
      isReady={reason !== undefined && typed.trim() === name}
      onSubmit={async () => reason && onSuspend(reason, paysBack)}
    >
      <p className="text-14">
        {t`${name} is logged out on ${plural(devices, { one: '# device', other: '# devices' })} and cannot log in. Comments and public playlists are not shown meanwhile.`}
        {renewsAt !== null && ` ${t`The renewal on ${{ date: formatDate(renewsAt) }} stops.`}`}
      </p>
      <ChoiceField
        label={t`Reason`}
        value={reason ?? ''}
        options={suspensionReasons.map((one) => ({ value: one, label: suspensionText(one) }))}
        onChoose={(value) => setReason(suspensionReasons.find((one) => one === value))}
      />
      {(state === 'active' || state === 'ending') && (
        <CheckBox checked={paysBack} onChange={({ target }) => setPaysBack(target.checked)}>
          {t`End the subscription now and refund the unused days`}
        </CheckBox>
      )}
      <Field
        label={t`Type ${name} to confirm`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </FoldForm>
  );
}

type DeleteFormProps = FormProps & { name: string; onDelete: (reason: string) => Promise<void> };

function DeleteForm({ name, onDelete, ...rest }: DeleteFormProps) {
  const [reason, setReason] = useState('');
  return (
    <FoldForm
      {...rest}
      label={t`Delete the account of ${name}`}
      verb={plural(deletionDays, { one: 'Delete in # day', other: 'Delete in # days' })}
      isReady={reason.trim() !== ''}
      onSubmit={() => onDelete(reason.trim())}
    >
      <p className="text-14">
        {t`The account and everything that belongs to it are deleted in ${plural(deletionDays, { one: '# day', other: '# days' })}. ${name} gets a mail. You can cancel until then; a subscription ends with the account.`}
      </p>
      <ReasonField value={reason} onChange={setReason} />
    </FoldForm>
  );
}
