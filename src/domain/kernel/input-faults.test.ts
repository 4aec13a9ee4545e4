import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Language } from '#formats/languages.ts';
import { inLanguage } from '#i18n';
import { tooLong } from './forms.ts';
import { sentenceOf } from './input-faults.ts';

const Form = z
  .strictObject({
    email: z.email(),
    sortTitle: z.string().min(2).max(5),
    months: z.number().int().min(1).max(12),
    tags: z.array(z.string().min(1)).max(1),
    kind: z.enum(['one', 'two']),
    of: z.strictObject({ id: z.uuid() }),
    slug: z.string().regex(/^[a-z]+$/, 'must be small letters'),
    terms: z.literal(true, 'Please accept the terms.'),
  })
  .partial();

test.each<[unknown, string]>([
  [{ email: 1 }, 'Email must be text.'],
  [{ email: 'x' }, 'Email must be an email address.'],
  [{ sortTitle: 1 }, 'Sort title must be text.'],
  [{ sortTitle: 'a' }, 'Sort title must have at least 2 characters.'],
  [{ sortTitle: 'abcdef' }, 'Sort title must have at most 5 characters.'],
  [{ months: 'x' }, 'Months must be a number.'],
  [{ months: 1.5 }, 'Months must be a whole number.'],
  [{ months: 0 }, 'Months must be at least 1.'],
  [{ months: 13 }, 'Months must be at most 12.'],
  [{ tags: 'x' }, 'Tags must be a list.'],
  [{ tags: [''] }, 'Tags must not be empty.'],
  [{ tags: ['a', 'b'] }, 'Tags must have at most 1 entry.'],
  [{ kind: 'three' }, 'Kind must be one of one, two.'],
  [{ of: {} }, 'Id is missing.'],
  [{ of: { id: 'x' } }, 'Id must be an id.'],
  [{ slug: 'A' }, 'Slug must be small letters.'],
  [{ terms: false }, 'Please accept the terms.'],
  [{ titel: 'x' }, 'This has no “titel”.'],
  [{ of: { id: '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b', x: 1 } }, 'Of has no “x”.'],
  ['x', 'This must be an object.'],
])('%j: %s', (value, sentence) => {
  expect(Form.safeParse(value).error?.issues.map(sentenceOf)).toEqual([sentence]);
});

test.each<[Language, unknown, string]>([
  ['de', { sortTitle: 'a' }, '„Sort title“ muss mindestens 2 Zeichen haben.'],
  ['de', { of: {} }, '„Id“ fehlt.'],
  ['de', 'x', 'Die Eingabe muss ein Objekt sein.'],
  ['fr', { months: 1.5 }, '« Months » doit être un nombre entier.'],
  ['fr', { kind: 'three' }, '« Kind » doit être l’une de ces valeurs : one, two.'],
  ['es', { tags: ['a', 'b'] }, '«Tags» debe tener como máximo 1 entrada.'],
  ['es', { titel: 'x' }, 'Este valor no tiene “titel”.'],
  ['ar', { sortTitle: 'a' }, 'يجب أن يحتوي «Sort title» على حرفين على الأقل.'],
  ['ar', { email: 'x' }, 'يجب أن يكون «Email» عنوان بريد إلكتروني.'],
])('in %s, %j: %s', (language, value, sentence) => {
  const found = inLanguage(language, () => Form.safeParse(value).error?.issues.map(sentenceOf));
  expect(found?.map((text) => text.replaceAll('\u00a0', ' ').replaceAll(/[\u2068\u2069]/g, ''))).toEqual([sentence]);
});

test('a form’s own words follow the name of the field', () => {
  const issues = (language: Language) =>
    inLanguage(language, () => z.object({ title: z.string().max(3, tooLong(3)) }).safeParse({ title: 'long' }).error);
  const inGerman = inLanguage('de', () => issues('de')?.issues.map(sentenceOf));
  expect(inGerman).toEqual(['„Title“: Höchstens 3 Zeichen.']);
  expect(issues('en')?.issues.map(sentenceOf)).toEqual(['Title: At most 3 characters.']);
});
