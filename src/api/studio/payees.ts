import { z } from '@hono/zod-openapi';
import { countries } from '#domain/age/places.ts';
import { Instant } from '#domain/kernel/shapes.ts';
import { PayeeForm } from '#domain/studio/payees/forms.ts';
import { payeeKinds } from '#domain/studio/payees/rules.ts';
import { callBy } from '../call.ts';
import { idOrSlug } from '../schemas.ts';

/** The payee of a creator: entered by an owner, who alone reads it again. */

const ownerCall = callBy('user', {
  limit: { kind: 'payee', perMinute: 20 },
  command: { none: 'only the person who is paid enters it' },
});

const OwnPayee = z
  .object({
    kind: z.enum(payeeKinds),
    name: z.string(),
    address: z.string(),
    country: z.string(),
    vatId: z.string(),
    taxNumber: z.string(),
    taxForm: z.string(),
    way: z.enum(['iban', 'other']),
    accountEnd: z.string().describe('The last four characters; the rest is not shown again'),
  })
  .openapi('Payee');

export const findPayee = ownerCall({
  get: '/voices/{id}/payee',
  about: 'Who is paid for a creator that you own, and what you entered',
  params: idOrSlug,
  output: z.object({
    payee: z
      .object({ since: Instant, username: z.string().nullable(), isOwn: z.boolean() })
      .nullable()
      .describe('Null: nobody is entered'),
    own: OwnPayee.nullable(),
    mayEnter: z.boolean(),
  }),
  async act({ site, viewer, id }) {
    const voice = await site.studio.findManagedVoice(viewer, id);
    return voice && site.studio.findPayee(viewer, voice.id);
  },
});

export const savePayee = ownerCall({
  put: '/voices/{id}/payee',
  about: 'You are paid for this creator from now on. Kept encrypted; its owners are mailed that it has changed',
  params: idOrSlug,
  input: PayeeForm.refine(({ country }) => countries.includes(country), { path: ['country'] }),
  refuses: { 'no-account': 'payee/no-account' },
  sameSite: true,
  async act({ site, viewer, id, input }) {
    const voice = await site.studio.findManagedVoice(viewer, id);
    return voice === undefined ? false : site.studio.savePayee(viewer, voice.id, input);
  },
});

export const removePayee = ownerCall({
  delete: '/voices/{id}/payee',
  about: 'You are no longer paid for this creator; what you entered is deleted with the last one',
  params: idOrSlug,
  sameSite: true,
  async act({ site, viewer, id }) {
    const voice = await site.studio.findManagedVoice(viewer, id);
    return voice !== undefined && site.studio.removePayee(viewer, voice.id);
  },
});
