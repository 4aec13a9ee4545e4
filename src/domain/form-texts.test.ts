import { expect, test } from 'vitest';
import { z } from 'zod';
import * as community from './community/forms.ts';
import * as identity from './identity/forms.ts';
import * as library from './library/forms.ts';
import * as membership from './membership/forms.ts';

/** Schemas of forms that people fill in; the others are used between programs. */
const forms = [community, identity, library, membership]
  .flatMap((area) => Object.entries(area))
  .filter(([name]) => /(Form|Change|^PromoCode.*)$/.test(name)) as [string, z.ZodType][];

const wrong = [undefined, null, true, 1.5, Number.NaN, '', ' ', 'x'.repeat(30_000), '\u0000', [], [1], {}, { a: 1 }];

/** In place of the messages of Zod: a form with one of these has no text of its own. */
const raw = 'without a text';

function textsOf(form: z.ZodType): string[] {
  const fields = form instanceof z.ZodObject ? Object.entries(form.shape) : [];
  const inputs: unknown[] =
    fields.length === 0 ? wrong : fields.flatMap(([field]) => wrong.map((value) => ({ [field]: value })));
  return inputs.flatMap(
    (input) => form.safeParse(input, { error: () => raw }).error?.issues.map(({ message }) => message) ?? [],
  );
}

test.each(forms)('%s answers wrong types in words for people', (_name, form) => {
  const texts = textsOf(form);
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((text) => text === raw)).toEqual([]);
});

test('every form is looked at, and a forgotten text is found', () => {
  expect(forms.map(([name]) => name)).toEqual(
    expect.arrayContaining(['SignUpForm', 'GiftCardForm', 'CommentForm', 'PlaylistChange', 'PromoCode']),
  );
  expect(textsOf(z.object({ title: z.string().max(9) })).every((text) => text === raw)).toBe(true);
});
