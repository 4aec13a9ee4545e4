import type { PaymentProvider } from '../payment-provider.ts';

/**
 * Refunds a payment whose refund is marked here.
 * @param steps.prepare the last look before the provider is asked; a failure of it means that nothing was asked for
 * @param steps.undo removes the mark
 * @throws the failure, after `undo`; without it when the answer was lost, which a job then completes
 */
export async function refundMarked(
  payments: Pick<PaymentProvider, 'findPayment' | 'refundPayment'>,
  paymentId: string,
  { prepare, undo }: { prepare: () => Promise<void>; undo: () => Promise<void> },
): Promise<void> {
  try {
    await prepare();
  } catch (error) {
    await undo();
    throw error;
  }
  try {
    await payments.refundPayment(paymentId);
  } catch (error) {
    // Only the answer may be lost.
    const payment = await payments.findPayment(paymentId).catch(() => undefined);
    if (payment?.status === 'refunded') return;
    if (payment !== undefined) await undo();
    throw error;
  }
}
