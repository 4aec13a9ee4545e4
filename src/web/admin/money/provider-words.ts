import { t } from '@lingui/core/macro';
import type { Capabilities } from '#domain/membership/capabilities.ts';
import type { MoveProblem, MoveProgress } from '#domain/admin/money/provider-moves.ts';
import type { MovePlan } from '#domain/membership/moving/plan-move.ts';
import type { MovedKind } from '#domain/membership/moving/tables.ts';

/** Abilities of a provider, in words. */
export function capabilityWords(can: Capabilities): string[] {
  return [
    can.form === 'card' ? t`Card form on this site` : t`A page of its own`,
    can.prepaid ? t`Months are paid once; nothing renews` : t`Renews by itself`,
    can.trial ? t`Free trial` : t`No free trial`,
    can.periodChange ? t`Change of plan while it runs` : t`No change of plan while it runs`,
    can.promo === 'provider' ? t`Promo codes of the provider` : t`Promo codes of this site: the first payment, or all`,
    {
      api: t`Canceled on this site`,
      page: t`Canceled by the subscriber, on its page`,
      none: t`Nothing to cancel`,
    }[can.cancel],
    {
      partial: t`Refunds from here, also in part`,
      full: t`Refunds from here, in full`,
      no: t`Refunds on its pages only`,
    }[can.refund],
    can.movesCharge ? t`Gift time moves the next charge` : t`Gift time comes after the paid time`,
    can.sellsInOwnName
      ? t`Sells in its own name, and issues the receipts`
      : t`This site sells, and issues the invoices`,
  ];
}

export const kindNames = (): Record<MovedKind, string> => ({
  active: t`Active`,
  trialing: t`In their free time`,
  'past-due': t`Payment failed`,
  cancelled: t`Canceled already`,
});

/** Effects of a move on each kind. */
export function kindActs({ stoppedBy }: Pick<MovePlan, 'stoppedBy'>): Record<MovedKind, string> {
  const stops = {
    site: t`The renewal is stopped, and the paid time is kept here.`,
    subscriber: t`They are asked to cancel there. Once they have, the paid time is kept here.`,
    none: t`The paid time is kept here.`,
    gone: t`The paid time is kept here. The provider cannot be asked to stop.`,
  }[stoppedBy];
  return {
    active: stops,
    trialing: stops,
    'past-due': t`It ends there, and the days that stay open after a failed payment are kept here.`,
    cancelled: t`The paid time is kept here.`,
  };
}

export const moveStates = (): Record<MoveProgress['state'], string> => ({
  running: t`Running`,
  paused: t`Paused`,
  done: t`Done`,
});

export function problemText({ is, charged }: Pick<MoveProblem, 'is' | 'charged'>): string {
  if (charged) return t`Was charged by the former provider after the move. The time was added; you can refund it.`;
  return {
    failed: t`Failed`,
    unstopped: t`The former provider has not said that it stops. It is asked again.`,
    asked: t`Has to cancel at the former provider, and has not yet.`,
    'lived-on': t`Went on at the former provider, and was stopped again.`,
  }[is];
}
