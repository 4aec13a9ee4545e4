/** Prints texts that no page shows, in German, as JSON: name and text. Started with `register.ts`. */
import { mailGroups } from '#domain/admin/texts/mail-kinds.ts';
import { errorTexts, say } from '#domain/kernel/errors.ts';
import { placeholdersOf, translated, translatedText } from '#domain/kernel/mail-text.ts';
import { invoiceText } from '#domain/membership/invoice-rules.ts';
import { type NewsFacts, newsKinds } from '#domain/notifications/rules.ts';
import { pushOf } from '#domain/notifications/send-pushes.ts';
import { inLanguage } from '#i18n';

const at = new Date(0).toISOString();
const invoice = {
  id: 'in_1',
  number: '0001',
  status: 'paid',
  currency: 'usd',
  createdAt: at,
  paidAt: at,
  lines: [{ description: '0001', amount: 1, start: at, end: at }],
  seller: '0001',
  billedTo: '0001',
  subtotal: 1,
  discount: 1,
  credit: 1,
  amountPaid: 1,
  amountDue: 1,
  refunded: 1,
  soldBy: null,
  document: null,
} as unknown as Parameters<typeof invoiceText>[0];

const news = newsKinds.flatMap((kind) =>
  ([null, 'received', 'redeemed'] as const).map((detail) => ({
    kind,
    detail,
    audio: detail === null ? { slug: '0001', title: '0001', voiceName: '0001' } : null,
    replyId: null,
    by: kind === 'reply' ? null : '0001',
  })),
) as NewsFacts[];

const texts = inLanguage('de', () => [
  ...Object.entries(errorTexts).map(([code, text]) => [code, say(text)]),
  ...mailGroups.flatMap(({ label, kinds }) => [
    ['mails', label()],
    ...kinds.flatMap((kind) =>
      [
        ...[kind.name, kind.when, ...Object.values(placeholdersOf(kind)).map(({ means }) => means)].map(translated),
        ...Object.values(translatedText(kind)),
        ...Object.values(kind.answer ?? {}).map(translated),
      ].map((text) => [kind.key, text]),
    ),
  ]),
  ...[[], ...news.map((one) => [one]), news].flatMap((list) => {
    const { title, body } = pushOf(list, { showsTitles: list.length > 0, tag: '' });
    return [title, body].map((text) => ['push', text]);
  }),
  ...Object.values(invoiceText(invoice))
    .flatMap((part): unknown[] => [part].flat())
    .flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part).flat() : part))
    .map((text) => ['invoice', String(text)]),
]);
process.stdout.write(JSON.stringify(texts.filter(([, text]) => text !== 'true' && text !== 'false')));
