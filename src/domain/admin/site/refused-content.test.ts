import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUserPlaylist, createViewer } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { audios } from '../../catalogue/tables.ts';
import { operator } from '../../kernel/actor.ts';
import { changeSetting, findSetting } from '../../settings/change-setting.ts';
import { WordLists, wordSetting } from '../../settings/word-lists.ts';

const { db } = await createTestDatabase();
const site = await openTestSite(db);

async function refuse(...refused: string[]): Promise<void> {
  const { revision } = await findSetting(db, wordSetting);
  const value = WordLists.parse({ refused, help: 'Call somebody you trust.' });
  await db.transaction((tx) => changeSetting(tx, wordSetting, { actor: operator, value, revision }));
  await site.settings.refresh();
}

test('what had a word before it was refused is listed by kind, whole words alone, and nothing that is gone', async () => {
  const author = await createViewer(db, { username: 'ember.night' });
  const audio = await createAudio(db, { title: 'Èmber and Ash' });
  await createAudio(db, { title: 'Remembered' });
  const gone = await createAudio(db, { title: 'Ember, deleted' });
  await db.update(audios).set({ deletedAt: new Date(), publishedAt: null }).where(eq(audios.id, gone.id));
  const { id: playlistId } = await createUserPlaylist(db, { userId: author.id, title: 'EMBER' });
  const written = await site.community.writeComment(author, audio.id, { text: 'An ember’s glow', parentId: undefined });
  if (!written.ok) throw new Error(written.reason);
  expect(await site.admin.site.listRefusedContent(operator)).toEqual([]);
  await refuse('ember');
  const found = await site.admin.site.listRefusedContent(operator);
  expect(found.map(({ kind, id, words }) => [kind, id, words]).toSorted()).toEqual(
    [
      ['audio', audio.id, ['ember']],
      ['comment', written.comment.id, ['ember']],
      ['user', author.id, ['ember']],
      ['user-playlist', playlistId, ['ember']],
    ].toSorted(),
  );
  expect(found.find(({ kind }) => kind === 'comment')?.slug).toBe(audio.slug);
  await expect(site.admin.site.listRefusedContent(author)).rejects.toMatchObject({ code: 'request/not-found' });
});

test('a search for a refused word has the help of the operator, and another one has none', async () => {
  await refuse('ember');
  expect(site.search.helpFor('a warm ÉMBER tonight')).toBe('Call somebody you trust.');
  expect(site.search.helpFor('remember')).toBeUndefined();
});
