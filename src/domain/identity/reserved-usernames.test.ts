import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser, createVoice } from '#test/support/factories.ts';
import { setVoiceOwner } from '../community/voice-owners.ts';
import { userSql } from '../site.ts';
import { isUsernameReserved } from './reserved-usernames.ts';

const { db } = await createTestDatabase();
const isReserved = (siteName: string, username: string, userId?: string) =>
  isUsernameReserved({ db, siteName, userSql }, username, userId);

test.each([
  'admin',
  'ADMIN',
  '4dm1n',
  'adrnin',
  'ädmin',
  'a.d.m-i_n',
  'admin7',
  'root',
  'supp0rt',
  'moderator',
  'S0TTO',
  'sotto-support',
  'TheHouse',
])('nobody may call themselves %s', async (name) => {
  expect(await isReserved('The House', name)).toBe(true);
});

test.each(['admiral', 'rooted', 'supporter', 'sottovoce', 'night-owl', '7', '...', 'ada.m'])(
  '%s is anybody’s',
  async (name) => {
    expect(await isReserved('The House', name)).toBe(false);
  },
);

test('only its owners may use the name of a voice as a username', async () => {
  await createVoice(db, { name: 'Lena Vern', slug: 'lena-vern' });
  const owner = await createUser(db);
  for (const name of ['lenavern', 'Lena.Vern', 'Iena_Vem', 'l3na-vern']) {
    expect(await isReserved('Sotto', name), name).toBe(true);
    expect(await isReserved('Sotto', name, owner.id), name).toBe(true);
  }
  await setVoiceOwner(db, 'lena-vern', owner.id, true);
  expect(await isReserved('Sotto', 'lena.vern', owner.id)).toBe(false);
  expect(await isReserved('Sotto', 'lena')).toBe(false);
});
