import { plural, t } from '@lingui/core/macro';
import type { SuspensionReason } from '#domain/admin/rules.ts';
import type { VoiceRole } from '#domain/kernel/viewer.ts';
import { formatMoney } from '#formats/numbers.ts';
import { formatDay } from '#formats/times.ts';
import { api } from '../../api.ts';
import { type DataIn, type Sent, useCall } from '../use-call.ts';

/** Acts of operators on one account. Each shows a toast, with Undo if it can be undone. */
export function useUserActs(id: string, name: string) {
  const { call } = useCall();
  const param = { id };
  const user = api.admin.users[':id'];

  /** @returns whether it was done */
  async function run<Result extends Sent>(
    send: () => Promise<Result>,
    done: string | ((data: DataIn<Result>) => string),
    undo?: () => Promise<unknown>,
  ): Promise<boolean> {
    return (await call('act', send, { done, undo: undo && (() => void undo()) })) !== undefined;
  }

  const makeAdmin = (): Promise<boolean> =>
    run(() => user.admin.$put({ param }), t`${name} is now an admin`, takeAdmin);
  const takeAdmin = (): Promise<boolean> =>
    run(() => user.admin.$delete({ param }), t`${name} is no longer an admin`, makeAdmin);
  const makeModerator = (): Promise<boolean> =>
    run(() => user.moderator.$put({ param }), t`${name} is now a moderator`, takeModerator);
  const takeModerator = (): Promise<boolean> =>
    run(() => user.moderator.$delete({ param }), t`${name} is no longer a moderator`, makeModerator);
  const deleteVoice = (voice: string) => user.voices[':voice'].$delete({ param: { id, voice } });
  const giveVoice = (voice: string, role: VoiceRole): Promise<boolean> =>
    run(
      () => user.voices[':voice'].$put({ param: { id, voice }, json: { role } }),
      t`${name} has a creator page`,
      () => run(() => deleteVoice(voice), t`Undone`),
    );
  const keepAccount = () => run(() => user.deletion.$delete({ param }), t`The deletion is canceled`);
  return {
    makeAdmin,
    takeAdmin,
    makeModerator,
    takeModerator,
    giveVoice,
    takeVoice: (voice: string, voiceName: string, role: VoiceRole) =>
      run(
        () => deleteVoice(voice),
        t`${voiceName} was taken away from ${name}`,
        () => giveVoice(voice, role),
      ),
    giveMonths: (months: number, reason: string) =>
      run(
        () => user.months.$post({ param, json: { months, reason } }),
        ({ until }) =>
          t`${plural(months, { one: '# month given', other: '# months given' })}, until ${{ day: formatDay(until) }}`,
        () => run(() => user.months.$delete({ param }), t`The months were taken back`),
      ),
    suspend: (reason: SuspensionReason, paysBack: boolean, currency: string) =>
      run(
        () => user.suspension.$put({ param, json: { reason, paysBack } }),
        ({ renewal, refunded }) => {
          if (renewal === 'failed')
            return t`${name} is suspended. The payment provider did not answer, so the renewal is still on: suspend again to stop it.`;
          const amount = formatMoney(refunded, currency);
          return refunded > 0 ? t`${name} is suspended, and ${amount} were refunded` : t`${name} is suspended`;
        },
      ),
    liftSuspension: () => run(() => user.suspension.$delete({ param }), t`${name} can log in again`),
    endSessions: () =>
      run(
        () => user.sessions.$delete({ param }),
        ({ ended }) => plural(ended, { one: 'Logged out of # session', other: 'Logged out of # sessions' }),
      ),
    sendPasswordReset: () =>
      run(() => user['password-reset'].$post({ param }), t`A link to set a new password was sent to ${name}`),
    sendExport: () => run(() => user.export.$post({ param }), t`A link to their data was sent to ${name}`),
    resetSecondFactor: () =>
      run(
        () => user['second-factor'].$delete({ param }),
        t`${name} will set up a new second factor on the next visit to Admin`,
      ),
    planDeletion: (reason: string) =>
      run(
        () => user.deletion.$put({ param, json: { reason } }),
        ({ dueAt }) => t`The account is deleted on ${{ day: formatDay(dueAt) }}`,
        keepAccount,
      ),
    keepAccount,
  };
}
