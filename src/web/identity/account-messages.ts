import type { Failure, FormMessage } from './messages.ts';

/** Wordings of spec §5 where it has one for the case; the site's own answer otherwise. */
const texts: Record<string, string> = {
  'auth/wrong-password': 'Password invalid',
  'auth/invalid-id-token': 'That is not the account you are logged in with. Please try again.',
};

/**
 * What a refused change of the account says.
 * @param fields which field each code is about; without one it is about the whole form
 */
export function refusalOf<Field extends string>(
  { code, message }: Failure & { message: string },
  fields: Record<string, Field>,
): FormMessage<Field> {
  return { field: fields[code], text: texts[code] ?? message };
}
