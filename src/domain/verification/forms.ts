import { z } from 'zod';
import { i18n } from '#i18n';
import { isEmpty, lineOfWords, wordsOf } from '../kernel/forms.ts';
import { emailField } from '../identity/forms.ts';
import { agreementLength, performerNameLength, todayOf, verificationLengths } from './rules.ts';

const line = (max: number) => lineOfWords(max, z.string(isEmpty));
const words = (max: number) => wordsOf(max, z.string(isEmpty));

const notDay = { error: () => i18n._(/*i18n*/ { id: 'verification-form.day', message: 'Enter a day' }) };
const inFuture = {
  error: () => i18n._(/*i18n*/ { id: 'verification-form.future', message: 'Choose a day in the future' }),
};
const notInFuture = {
  error: () => i18n._(/*i18n*/ { id: 'verification-form.past', message: 'Choose today or an earlier day' }),
};
const Day = z.iso.date(notDay);

/** Sotto's record of a check. Never a document, a photo or a birthday. */
export const CheckForm = z.strictObject({
  method: line(verificationLengths.method).describe('Such as “Video call with the operator”'),
  reference: line(verificationLengths.reference).describe('Where the operator keeps the record of the check'),
  checkedOn: Day.refine((day) => day <= todayOf(), notInFuture).describe('Day of the check'),
  until: Day.refine((day) => day > todayOf(), inFuture).describe('Last day on which the check counts'),
});
export type CheckForm = z.output<typeof CheckForm>;

export const RefusalForm = z.strictObject({
  reason: words(verificationLengths.reason),
  askAgainOn: Day.nullable().default(null).describe('The creator may ask again from that day; null: by appeal only'),
});
export type RefusalForm = z.output<typeof RefusalForm>;

export const WithdrawalForm = z.strictObject({ reason: words(verificationLengths.reason) });
export type WithdrawalForm = z.output<typeof WithdrawalForm>;

export const RequestForm = z.strictObject({
  appeal: words(verificationLengths.appeal).optional().describe('Against the last decision, in own words'),
});
export type RequestForm = z.output<typeof RequestForm>;

export const AgreementForm = z.strictObject({
  text: words(agreementLength)
    .transform((text) => text.replaceAll('\r\n', '\n'))
    .describe('Paragraphs between empty lines; headings begin with `#`. `{site}` is the name of the site'),
  version: z.number().int().min(1).describe('The number of the new version: one more than the last'),
});
export type AgreementForm = z.output<typeof AgreementForm>;

const notEmail = () => i18n._(/*i18n*/ { id: 'performer-form.email', message: 'Enter an email address' });
const PerformerName = line(performerNameLength).nullable().describe('Shown with the audio; null: not credited');

export const PerformerForm = z.strictObject({
  name: PerformerName,
  email: emailField({ empty: notEmail, invalid: notEmail }),
});
export type PerformerForm = z.output<typeof PerformerForm>;

/** An answer that allows a publication: its first two parts are needed. */
export const ConsentForm = z.strictObject({
  recorded: z.literal(true),
  published: z.literal(true),
  downloaded: z.boolean(),
  name: PerformerName,
});
export type ConsentForm = { recorded: boolean; published: boolean; downloaded: boolean; name: string | null };

/** A consent that the operator has on record, such as on paper. */
export const RecordedConsentForm = z.strictObject({
  reference: line(verificationLengths.reference).describe('Where the operator keeps the consent'),
  downloaded: z.boolean().default(false).describe('Listeners may download the audio'),
});
export type RecordedConsentForm = z.output<typeof RecordedConsentForm>;
