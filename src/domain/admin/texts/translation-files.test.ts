import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createCategory } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { categories } from '../../catalogue/tables.ts';
import { operator } from '../../kernel/actor.ts';
import { translations } from '../../settings/tables.ts';

const { db } = await createTestDatabase();
const { texts } = (await openTestSite(db)).admin;
const text = 'For people who “mean” it.\n\n"Really"\\ {x}';
const { id } = await createCategory(db, { label: 'Devotion', description: text });
const key = (field: string) => `category/${id}/${field}`;

const translationIn = async (language: 'de' | 'fr', field: string) =>
  (await texts.listTranslations(operator, { language })).find((one) => one.key === key(field));
const load = (file: string, isPlan = false) => texts.importTranslations(operator, { file, isPlan });
const entry = (field: string, msgid: string, msgstr: string, flags = '') =>
  `${flags}msgctxt "${key(field)}"\nmsgid ${JSON.stringify(msgid)}\nmsgstr ${JSON.stringify(msgstr)}\n`;
const head = 'msgid ""\nmsgstr ""\n"Language: de\\n"\n\n';

test('a file of a language can be imported again as it is', async () => {
  const german = 'Für Menschen, die es „ernst“ meinen.\n\n"Wirklich"\\ {x}';
  await texts.changeTranslations(operator, [
    { key: key('label'), language: 'de', text: 'Hingabe' },
    { key: key('description'), language: 'de', text: german },
  ]);
  const file = await texts.exportTranslations(operator, 'de');
  expect(file).toContain(`msgctxt "${key('label')}"\nmsgid "Devotion"\nmsgstr "Hingabe"`);
  const plan = await load(file);
  expect(plan).toMatchObject({ language: 'de', added: 0, changed: 0, unchanged: 2 });
  expect(plan.unfinished).toBeGreaterThan(10);
  await db.delete(translations);
  expect(await load(file, true)).toMatchObject({ added: 2 });
  expect(await translationIn('de', 'label')).toMatchObject({ state: 'missing' });
  expect(await load(file)).toMatchObject({ added: 2 });
  expect(await translationIn('de', 'description')).toMatchObject({ state: 'translated', text: german });
  expect(await texts.exportTranslations(operator, undefined)).toContain(`msgid "Devotion"\nmsgstr ""`);
});

test('a translation of a text that has changed since is fuzzy, and stays to be checked', async () => {
  await db.update(categories).set({ label: 'Deep devotion' }).where(eq(categories.id, id));
  const file = await texts.exportTranslations(operator, 'de');
  expect(file).toMatch(/translated from: Devotion\n#, fuzzy\nmsgctxt "category\/.*\nmsgid "Deep devotion"/);
  expect(await load(file)).toMatchObject({ added: 0, changed: 0 });
  expect(await translationIn('de', 'label')).toMatchObject({ state: 'outdated' });
  // A file from before the change.
  expect(await load(head + entry('label', 'Devotion', 'Andacht'))).toMatchObject({ changed: 1 });
  expect(await translationIn('de', 'label')).toMatchObject({ state: 'outdated', text: 'Andacht' });
  expect(await load(head + entry('label', 'Deep devotion', 'Andacht'))).toMatchObject({ changed: 1 });
  expect(await translationIn('de', 'label')).toMatchObject({ state: 'translated', text: 'Andacht' });
});

test('a file with a fault is refused as a whole, and each fault has its line', async () => {
  const about = 'msgctxt "info/about/text"\nmsgid "x"\nmsgstr "# Titel\\n\\nSatz {nothing}"\n';
  const file = [
    entry('label', 'Deep devotion', 'Ergebenheit'),
    entry('none', 'x', 'y'),
    entry('label', 'Deep devotion', 'Noch einmal'),
    entry('description', text, 'x'.repeat(2001)),
    about,
  ].join('\n');
  const refused = load(head + file);
  await expect(refused).rejects.toMatchObject({ code: 'text/unusable' });
  const { message } = (await refused.catch((error: Error) => error)) as Error;
  expect(message.split('\n')).toEqual([
    'Nothing was imported.',
    `Line 10, ${key('none')}: There is no text ${key('none')}.`,
    `Line 14, ${key('label')}: This text is in the file twice.`,
    expect.stringMatching(/^Line 18, .*description: .*2,?000/),
    expect.stringMatching(/^Line 22, info\/about\/text: \{nothing\} is no placeholder/),
  ]);
  expect(await translationIn('de', 'label')).toMatchObject({ text: 'Andacht' });
  await expect(load('msgid ""\nmsgstr ""\n"Language: xx\\n"\n')).rejects.toMatchObject({
    message: expect.stringContaining('none of these: de, fr, es, ar'),
  });
});
