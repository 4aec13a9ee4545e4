import { t } from '@lingui/core/macro';
import type { FormMessage } from '../../ui/fields/use-checked-form.ts';
import type { Failure } from '../messages.ts';

/** Texts of spec §5 for the cases it covers; otherwise the site’s own message is used. */
const texts: Record<string, () => string> = {
  'auth/invalid-email': () => t`Email invalid`,
  'auth/wrong-password': () => t`Password invalid`,
  'auth/invalid-id-token': () => t`That is not the account you are logged in with. Please try again.`,
};

/**
 * Message for a refused account change.
 * @param fields field for each error code; a code without one applies to the whole form
 */
export function refusalOf<Field extends string>(
  { code, message }: Failure & { message: string },
  fields: Record<string, Field>,
): FormMessage<Field> {
  return { field: fields[code], text: texts[code]?.() ?? message };
}
