/** @module-tag slow */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { setAdmin } from '#domain/identity/operators.ts';
import { listAddresses } from '../support/built-pages.ts';
import { createAudio, createSession, createUser, createVoice } from '../support/factories.ts';
import { startWholeSite } from '../support/whole-site.ts';

const { db, url } = await startWholeSite();
const { id } = await createUser(db);
const voice = await createVoice(db);
await createAudio(db, { voiceId: voice.id });
await setVoiceOwner(db, voice.id, id, true);
await setAdmin(db, id, true);
const { token } = await createSession(db, id);
const headers = { cookie: `sotto_session=${token}` };

/** Names of the parameters that the code of pages reads, so that new ones are included. */
const names = new Set(
  globSync(['src/web/**/*.{ts,tsx}', 'src/domain/{catalogue,editorial,search}/forms.ts'])
    .filter((file) => !/\.test\./.test(file))
    .flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(
        /(?:[pP]arams|[pP]arameters)\.get\('(\w+)'\)|^\s+(\w+): (?:z\b|listOf\()/gm,
      ),
    ])
    .map(([, read, parsed]) => read ?? parsed ?? ''),
)
  .add('tag')
  .add('page')
  .add('topics');
/** A bad one of these is refused, so they are tried apart from the others. */
const isPosition = (name: string) => ['cursor', 'after', 'before'].includes(name);
const values = ['\0', 'x'.repeat(1500), '-1', '0000-00-00', 'abcd'];

/** The same value for each of these parameters. */
const query = (chosen: string[], value: string) =>
  new URLSearchParams(chosen.map((name) => [name, value.slice(0, 6000 / chosen.length)])).toString();

test('the parameters of pages are found', () => {
  expect([...names]).toEqual(expect.arrayContaining(['q', 'cursor', 'voiceType', 'sort', 'month', 'who']));
});

// Without the facts of a process, which admin/system.e2e.ts has.
test.each(listAddresses().filter((page) => page !== '/admin/system'))(
  '%s with odd parameters is answered without failing',
  async (page) => {
    const failed: string[] = [];
    const path = (value: string) =>
      page
        .replace(':voice', voice.slug)
        .replace(/:\w+/, encodeURIComponent(value))
        .replace('*', encodeURIComponent(value));
    const all = [...names];
    const addresses = values.flatMap((value) => [
      `${path(value)}?${query(
        all.filter((name) => !isPosition(name)),
        value,
      )}`,
      `${path('a')}?${query(all.filter(isPosition), value)}`,
    ]);
    for (const address of addresses) {
      const response = await fetch(url + address, { headers, redirect: 'manual' });
      await response.text();
      if (response.status >= 500) failed.push(`${response.status} ${address}`);
    }
    expect(failed).toEqual([]);
  },
);
