import { z } from '@hono/zod-openapi';
import { earningStates } from '#domain/earnings/rules.ts';
import { Instant } from '#domain/kernel/shapes.ts';
import { attachment } from '../attachment.ts';
import { call, userCall } from '../call.ts';
import { idOrSlug } from '../schemas.ts';

/** Earnings of a creator, for its owners; and the published hashes of months, for everybody. */

const limit = { kind: 'earnings', perMinute: 60 } as const;
const ofMonth = idOrSlug.extend({ month: z.string().max(20).openapi({ example: '2026-10' }) });
const Amounts = z.record(z.string(), z.int()).describe('In the smallest unit, by currency');
const Milliseconds = z.number().nullable().describe('Null: fewer than ten listeners');

export const listEarnings = userCall({
  get: '/voices/{id}/earnings',
  command: 'earnings list',
  about: 'What a creator that you own earns, by month; an open month is an estimate',
  params: idOrSlug,
  limit,
  output: z.object({
    months: z.array(
      z.object({
        month: z.string(),
        state: z.enum(earningStates),
        milliseconds: Milliseconds,
        share: z.number().describe('Part of the pools before splits, from 0 to 1'),
        amounts: Amounts,
        dueOn: z.string().nullable().describe('Day by which a locked month is paid'),
        number: z.string().nullable().describe('Of the statement, once the month is locked'),
      }),
    ),
    waiting: Amounts.describe('Locked and not paid'),
    minimums: Amounts.describe('Smallest payments; what is below is carried over'),
    paid: z.object({ year: z.int(), amounts: Amounts, payments: z.int() }),
  }),
  async act({ site, viewer, id }) {
    const voice = await site.studio.findManagedVoice(viewer, id);
    return voice && site.earnings.listEarnings(viewer, voice.id);
  },
});

const Line = z.object({
  audioId: z.uuid(),
  title: z.string().nullable().describe('Null: deleted'),
  slug: z.string().nullable(),
  imageUrl: z.string().nullable(),
  milliseconds: Milliseconds,
  amounts: Amounts.describe('Before splits'),
  yours: Amounts,
  shares: z
    .array(z.object({ voiceId: z.uuid(), name: z.string(), share: z.int().describe('Percent') }))
    .describe('Empty: the creator gets the whole'),
});

export const findEarnings = userCall({
  get: '/voices/{id}/earnings/{month}',
  command: 'earnings show',
  about: 'One month of a creator that you own, by audio',
  params: ofMonth,
  limit,
  output: z
    .object({
      month: z.string(),
      state: z.enum(earningStates),
      lockedAt: Instant.nullable(),
      number: z.string().nullable().describe('Of the statement, once the month is locked'),
      dueOn: z.string().nullable().describe('Day by which it is paid'),
      hasPayee: z.boolean().describe('An owner has entered who is paid'),
      payment: z.object({ reference: z.string(), paidAt: Instant }).nullable(),
      poolsOf: z.string().nullable().describe('An estimate with the pools of this month, because it has none yet'),
      pools: Amounts,
      root: z.string().nullable().describe('Published hash of the locked month'),
      milliseconds: Milliseconds,
      before: Milliseconds.describe('In the month before'),
      sources: z.object({ subscribers: z.number(), trials: z.number() }).nullable(),
      share: z.number(),
      all: z.number().describe('Milliseconds of all creators'),
      own: z.array(Line),
      others: z.array(Line.extend({ creator: z.string() })),
      corrections: z.array(
        z.object({
          currency: z.string(),
          amount: z.int(),
          reason: z.string(),
          tips: z.int().nullable().describe('Number of tips that it sums; null: entered by an operator'),
        }),
      ),
      tips: z
        .array(
          z.object({
            id: z.uuid(),
            at: Instant,
            amount: z.int().describe('As it was paid'),
            currency: z.string(),
            tax: z.int(),
            yours: z.int().describe('Less tax and the site’s part; negative: paid back'),
            note: z.string().nullable(),
            giver: z.string().nullable().describe('Null: anonymous'),
            isDisputed: z.boolean(),
          }),
        )
        .describe('Paid, or paid back, in the month; the newest first, at most 200'),
      ownAmounts: Amounts,
      ownYours: Amounts,
      hasAudios: z.boolean().describe('False: locked by an earlier version, which kept no lines of audios'),
      othersYours: Amounts,
      amounts: Amounts.describe('After splits, with corrections'),
    })
    .openapi('Earnings'),
  async act({ site, viewer, id, month }) {
    const voice = await site.studio.findManagedVoice(viewer, id);
    return voice && site.earnings.findEarnings(viewer, voice.id, month);
  },
});

export const exportEarnings = userCall({
  get: '/voices/{id}/earnings.csv',
  command: 'earnings export',
  about: 'What a creator that you own earns, by month, as CSV',
  params: idOrSlug,
  file: 'text/csv',
  limit,
  async act({ site, viewer, id }) {
    const voice = await site.studio.findManagedVoice(viewer, id);
    const file = voice && (await site.earnings.exportEarnings(viewer, voice.id));
    return file && attachment(file.text, 'text/csv; charset=utf-8', file.name);
  },
});

export const exportStatement = userCall({
  get: '/voices/{id}/earnings/{month}/csv',
  command: 'earnings statement',
  about: 'The statement of a month as CSV, with the proof that its seconds are part of the published root',
  params: ofMonth,
  file: 'text/csv',
  limit,
  async act({ site, viewer, id, month }) {
    const voice = await site.studio.findManagedVoice(viewer, id);
    const file = voice && (await site.earnings.exportStatement(viewer, voice.id, month));
    return file && attachment(file.text, 'text/csv; charset=utf-8', file.name);
  },
});

export const printStatement = userCall({
  get: '/voices/{id}/earnings/{month}/pdf',
  command: 'earnings statement-pdf',
  about: 'The statement of a month as PDF',
  params: ofMonth,
  file: 'application/pdf',
  limit,
  async act({ site, viewer, id, month }) {
    const voice = await site.studio.findManagedVoice(viewer, id);
    const earnings = voice && (await site.earnings.findEarnings(viewer, voice.id, month));
    if (voice === undefined || earnings === undefined) return undefined;
    // Its fonts are loaded with the first PDF.
    const { statementPdf } = await import('./statement-pdf.ts');
    const parties = await site.earnings.findStatementParties(viewer, voice.id, month);
    const pdf = await statementPdf(earnings, { voice: voice.name, site: site.facts.name }, parties);
    return attachment(new Uint8Array(pdf), 'application/pdf', `statement-${voice.slug}-${month}.pdf`);
  },
});

export const listEarningsRoots = call({
  get: '/earnings/roots',
  command: 'earnings roots',
  about: 'Published hash of each locked month, which the proofs of all its statements lead to',
  output: z.object({
    items: z.array(z.object({ month: z.string(), lockedAt: Instant, root: z.string() }).openapi('EarningsRoot')),
  }),
  act: async ({ site }) => ({ items: await site.earnings.listRoots() }),
});
