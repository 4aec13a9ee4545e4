import { z } from '@hono/zod-openapi';
import { CorrectionForm, MinimumForm, PaymentForm, TermForm } from '#domain/earnings/forms.ts';
import { Instant } from '#domain/kernel/shapes.ts';
import { attachment } from '../attachment.ts';
import { adminCall, freshAdminCall } from '../call.ts';

/** Sums due to creators, payments and corrections. The domain checks rights and logs the acts. */

const reading = { limit: { kind: 'admin', perMinute: 120 } } as const;
const acting = { limit: { kind: 'admin', perMinute: 60 }, sameSite: true } as const;
const strict = { ...acting, once: true } as const;
const ofMonth = z.object({ month: z.string().max(20).openapi({ example: '2026-10' }) });
const changes = ['request/not-found', 'payout/changed'] as const;

export const listBalances = adminCall({
  get: '/admin/payouts/{month}/balances',
  command: 'payouts balances',
  about: 'What is due to each creator up to a locked month, and what was paid',
  params: ofMonth,
  output: z.object({
    items: z.array(
      z
        .object({
          voice: z.object({
            id: z.uuid(),
            name: z.string(),
            slug: z.string(),
            imageUrl: z.string().nullable(),
          }),
          currency: z.string(),
          due: z.int().describe('In the smallest unit'),
          state: z.enum(['due', 'carried', 'none', 'paid']).describe('`carried`: below the smallest payment'),
          payment: z.object({ amount: z.int(), reference: z.string(), paidAt: Instant }).nullable(),
          payeeSince: Instant.nullable().describe('Since when it is entered who is paid; null: it is not'),
        })
        .openapi('Balance'),
    ),
    minimums: z.record(z.string(), z.int()).describe('Smallest payment by currency'),
    minimumRevision: z.int(),
    dueOn: z.string().nullable().describe('Day by which the month is paid'),
    termDays: z.int().describe('From the lock of a month to its payment, for months locked from now on'),
    termRevision: z.int(),
  }),
  ...reading,
  act: ({ site, viewer, month }) => site.earnings.listBalances(viewer, month),
});

export const payEarnings = freshAdminCall({
  post: '/admin/payouts/{month}/payments',
  command: 'payouts pay',
  about: 'Notes that a creator was paid what was due up to a locked month; the money itself is sent elsewhere',
  params: ofMonth,
  input: PaymentForm,
  errors: [...changes, 'payout/not-locked', 'payout/below-minimum', 'payout/no-payee'],
  ...strict,
  act: ({ site, viewer, month, input }) => site.earnings.payEarnings(viewer, month, input),
});

export const exportPayees = freshAdminCall({
  get: '/admin/payouts/{month}/payees',
  command: 'payouts payees',
  about: 'What is to be paid for a locked month with the bank and tax data of those who get it, as CSV; logged',
  params: ofMonth,
  file: 'text/csv',
  head: false,
  ...reading,
  async act({ site, viewer, month }) {
    const csv = await site.earnings.exportPayees(viewer, month);
    return csv === undefined ? undefined : attachment(`\uFEFF${csv}`, 'text/csv; charset=utf-8', `payees-${month}.csv`);
  },
});

export const correctEarnings = freshAdminCall({
  post: '/admin/payouts/{month}/corrections',
  command: 'payouts correct',
  about: 'Adds to or takes from what a creator gets, in a month that is not locked',
  params: ofMonth,
  input: CorrectionForm,
  errors: [...changes, 'payout/locked', 'payout/other-currency'],
  ...strict,
  act: ({ site, viewer, month, input }) => site.earnings.correctEarnings(viewer, month, input),
});

export const setPayoutMinimum = freshAdminCall({
  put: '/admin/payouts/minimum',
  command: 'payouts set-minimum',
  about: 'The smallest payment in a currency; less is carried over',
  seen: { revision: async ({ site, viewer }) => site.earnings.findMinimumRevision(viewer) },
  input: MinimumForm,
  errors: ['payout/changed'],
  ...acting,
  act: ({ site, viewer, input }) => site.earnings.setPayoutMinimum(viewer, input),
});

export const setPayoutTerm = freshAdminCall({
  put: '/admin/payouts/term',
  command: 'payouts set-term',
  about: 'Days from the lock of a month until it is paid, which its statements name; for months locked from now on',
  seen: { revision: async ({ site, viewer }) => site.earnings.findTermRevision(viewer) },
  input: TermForm,
  errors: ['payout/changed'],
  ...acting,
  act: ({ site, viewer, input }) => site.earnings.setPayoutTerm(viewer, input),
});
