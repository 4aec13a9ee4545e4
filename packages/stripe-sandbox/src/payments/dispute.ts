import type Stripe from 'stripe';
import { clockOfCustomer } from '../customers/find-customer.ts';
import { newIdOf, optionalIdOf } from '../store/ids.ts';
import type { Work } from '../store/work.ts';

const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

/** Simulates a dispute by the cardholder. */
export async function disputeCharge(work: Work, charge: Stripe.Charge): Promise<void> {
  const clock = await clockOfCustomer(work, optionalIdOf(charge.customer));
  const created = await work.now(clock);
  const dispute: Stripe.Dispute = {
    id: newIdOf('dispute'),
    object: 'dispute',
    amount: charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: created + 7 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'manual' as Stripe.Dispute.EvidenceDetails['submission_method'],
    },
    intended_submission_method: null,
    is_charge_refundable: true,
    livemode: false,
    metadata: {},
    payment_intent: optionalIdOf(charge.payment_intent),
    reason: 'fraudulent',
    status: 'needs_response',
  };
  await work.store.insert<'dispute'>(dispute);
  await work.store.save<'charge'>({ ...charge, disputed: true });
  await work.emit('charge.dispute.created', dispute, { clock });
}
