import { z } from 'zod';
import { i18n } from '#i18n';
import { isEmpty, isPlainLine, lineOfWords, notOneLine, tooLong, wordsOf } from '../../kernel/forms.ts';
import { compose, dropUnwanted } from '../../kernel/rules.ts';
import { isVatId, plainVatId } from '../../membership/tax/rules.ts';
import { accountWays, isBic, isIban, payeeKinds, payeeLengths, plainAccount } from './rules.ts';

const notCountry = { error: () => i18n._(/*i18n*/ { id: 'payee-form.country', message: 'Choose a country' }) };
const notIban = {
  error: () =>
    i18n._(/*i18n*/ { id: 'payee-form.iban', message: 'This IBAN is not right. Please check each character.' }),
};
const notBic = {
  error: () => i18n._(/*i18n*/ { id: 'payee-form.bic', message: 'Use a BIC of 8 or 11 characters, or leave it empty' }),
};
const notVatId = {
  error: () =>
    i18n._(/*i18n*/ { id: 'payee-form.vat-id', message: 'Use a VAT ID with its country, such as FR12345678901' }),
};

const line = (max: number) => lineOfWords(max, z.string(isEmpty));
/** Empty: none. */
const optionalLine = (max: number) =>
  z
    .string()
    .trim()
    .overwrite(compose)
    .refine((text) => [...text].length <= max, tooLong(max))
    .refine(isPlainLine, notOneLine)
    .transform(dropUnwanted);

/** A payee with their account, and facts that the tax office asks for. */
export const PayeeForm = z
  .strictObject({
    kind: z.enum(payeeKinds),
    name: line(payeeLengths.name).describe('Legal name'),
    address: wordsOf(payeeLengths.address, z.string(isEmpty)).describe('In lines, without the country'),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, notCountry)
      .describe('ISO 3166, such as FR'),
    way: z
      .enum(accountWays)
      .describe('`iban`: `iban` and `bic` count; `other`: `account`; `kept`: the account that was saved before'),
    iban: z.string().max(60).transform(plainAccount),
    bic: z
      .string()
      .max(30)
      .transform(plainAccount)
      .refine((bic) => bic === '' || isBic(bic), notBic)
      .describe('Empty: none'),
    account: optionalLine(payeeLengths.account).describe('In one line, what a transfer needs that has no IBAN'),
    vatId: z
      .string()
      .max(60)
      .transform(plainVatId)
      .refine((id) => id === '' || isVatId(id), notVatId)
      .describe('Only its form is checked. Empty: none'),
    taxNumber: optionalLine(payeeLengths.taxNumber).describe('Empty: none'),
    taxForm: optionalLine(payeeLengths.taxForm).describe(
      'A form given to the operator, such as “W-8BEN, May 2026”. Empty: none',
    ),
  })
  .refine(({ way, iban }) => way !== 'iban' || isIban(iban), { path: ['iban'], ...notIban })
  .refine(({ way, account }) => way !== 'other' || account !== '', { path: ['account'], ...isEmpty });
export type PayeeForm = z.output<typeof PayeeForm>;
