import { z } from 'zod';
import { i18n } from '#i18n';
import { creditNameLength, creditRoles } from '../../catalogue/credits/rules.ts';
import { lineOfWords } from '../../kernel/forms.ts';

const Role = z.enum(creditRoles);

/** Either a name, or a creator of this site. */
export const CreditForm = z
  .strictObject({
    role: Role,
    name: lineOfWords(creditNameLength).optional().describe('Of somebody without a page here'),
    voiceId: z.uuid().toLowerCase().optional().describe('Creator of this site, who is asked first'),
  })
  .refine(({ name, voiceId }) => (name === undefined) !== (voiceId === undefined), {
    error: () =>
      i18n._(/*i18n*/ { id: 'credit-form.name-or-creator', message: 'Give either a name or a creator of this site' }),
  });
export type CreditForm = z.output<typeof CreditForm>;

export const CreditRoleForm = z.strictObject({ role: Role });
