import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import {
  createAudio,
  createCategory,
  createSession,
  createUser,
  createUserPlaylist,
  createVoice,
} from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { audios } from './catalogue/tables.ts';
import { comments } from './community/tables.ts';
import { createSharedReads } from './kernel/shared-reads.ts';
import { type User, visitor } from './kernel/viewer.ts';

const { db } = await createTestDatabase();
const shared = createSharedReads();
const site = await openTestSite(db, undefined, undefined, undefined, { shared });
const { catalogue, library, community, listening, identity } = site;

const voice = await createVoice(db);
const category = await createCategory(db);
const place = { voiceId: voice.id, categoryIds: [category.id] };
const calm = await createAudio(db, { ...place, title: 'Calm', tagLabels: ['slow'] });
const loud = await createAudio(db, { ...place, title: 'Loud', tagLabels: ['Thunder'] });
const liked = await createUserPlaylist(db, { audioIds: [calm.id] });
const disliked = await createUserPlaylist(db, { audioIds: [loud.id] });

/** The viewers as requests carry them. */
async function logIn(): Promise<() => Promise<User>> {
  const { id } = await createUser(db);
  const { token } = await createSession(db, id);
  return async () => {
    const session = await identity.findSession(token);
    if (session === undefined) throw new Error('The session is not known');
    return session.viewer;
  };
}

const ids = (items: { id: string }[]) => items.map(({ id }) => id).toSorted();

test('viewers get only what they may see, whichever viewer asked before', async () => {
  const [hiding, open] = [await logIn(), await logIn()];
  await library.setTagHidden((await hiding()).id, 'thunder', true);
  await community.setBlocked(await hiding(), disliked.userId, true);
  expect((await open()).hidesNothing).toBe(true);
  for (let round = 0; round < 3; round += 1)
    for (const [viewer, isWhole] of [
      [await open(), true],
      [await hiding(), false],
      [visitor, true],
    ] as const) {
      const all = ids(isWhole ? [calm, loud] : [calm]);
      expect(ids((await catalogue.listAudios(viewer, { limit: 12 })).items)).toEqual(all);
      expect(ids((await catalogue.listAudios(viewer, { voiceId: voice.id, sort: 'popular', limit: 4 })).items)).toEqual(
        all,
      );
      expect(ids(await catalogue.listRelatedAudios(viewer, (await catalogue.findAudio(calm.id))!, 12))).toEqual(
        isWhole ? [loud.id] : [],
      );
      expect(ids((await library.listTopUserPlaylists(viewer, { limit: 10 })).items)).toEqual(
        ids(isWhole ? [liked, disliked] : [liked]),
      );
    }
  // From the next request on, without waiting for a cache to expire.
  await library.setTagHidden((await open()).id, 'thunder', true);
  expect(ids((await catalogue.listAudios(await open(), { limit: 12 })).items)).toEqual([calm.id]);
});

test('personal data is never shared', async () => {
  const [one, other] = [await logIn(), await logIn()];
  await listening.saveProgress((await one()).id, calm.id, 1);
  await library.setFavorite(await other(), { contentTypeId: 'audio', id: loud.id, isFavorite: true });
  for (let round = 0; round < 2; round += 1) {
    expect((await listening.findContinueListening(await one())).map(({ audio }) => audio.id)).toEqual([calm.id]);
    expect(await listening.findContinueListening(await other())).toEqual([]);
    expect(ids((await library.listFavorites(await one(), 'audios', { limit: 5 })).items)).toEqual([]);
    expect(ids((await library.listFavorites(await other(), 'audios', { limit: 5 })).items)).toEqual([loud.id]);
  }
});

test('comments are shared only among those who see the same, and a new one shows at once', async () => {
  const [author, hiding, open] = [await logIn(), await logIn(), await logIn()];
  const write = async (viewer: () => Promise<User>, text: string) => {
    const written = await community.writeComment(await viewer(), calm.id, { text });
    if (!written.ok) throw new Error(written.reason);
    return written.comment.id;
  };
  const texts = async (viewer: User | typeof visitor) => {
    const state = await community.findAudioState(viewer, calm.id);
    const { items } = await community.listFirstComments(viewer, { ...calm, commentsDisabled: false }, state!, {
      limit: 10,
    });
    return items.map(({ text }) => text);
  };
  await write(author, 'by the author');
  expect(await texts(await open())).toEqual(['by the author']);
  expect(await texts(visitor)).toEqual(['by the author']);
  const second = await write(open, 'by another');
  expect(await texts(await author())).toEqual(['by another', 'by the author']);
  await community.setBlocked(await hiding(), (await author()).id, true);
  expect(await texts(await hiding())).toEqual(['by another']);
  expect(await texts(await open())).toEqual(['by another', 'by the author']);
  // Hidden by the creator: only its author still sees it.
  await db.update(comments).set({ hiddenAt: new Date() }).where(eq(comments.id, second));
  for (let round = 0; round < 2; round += 1) {
    expect(await texts(await open())).toEqual(['by another', 'by the author']);
    expect(await texts(await author())).toEqual(['by the author']);
    expect(await texts(visitor)).toEqual(['by the author']);
  }
});

test('user facts on every page belong to the user', async () => {
  const [one, other] = [await createUser(db, { preferences: { isDiscreet: true } }), await createUser(db)];
  await library.setFavorite(
    { kind: 'user', isSubscribed: false, isComplete: true, id: one.id },
    {
      contentTypeId: 'audio',
      id: loud.id,
      isFavorite: true,
    },
  );
  for (let round = 0; round < 2; round += 1) {
    expect(await site.findPageFacts(one.id)).toMatchObject({
      me: { id: one.id, username: one.username, preferences: { isDiscreet: true } },
      favorites: { ids: { audios: [loud.id] }, isWhole: true },
      hold: null,
    });
    expect(await site.findPageFacts(other.id)).toMatchObject({
      me: { id: other.id, username: other.username, preferences: { isDiscreet: null } },
      favorites: { ids: { audios: [] } },
    });
  }
});

test('a transcript that one viewer may read stays locked for others', async () => {
  const audio = { ...(await catalogue.findAudio(calm.id))!, hasTranscript: true };
  const listener = await (await logIn())();
  expect(await listening.findTranscript({ ...listener, isSubscribed: true }, audio)).not.toBe('locked');
  expect(await listening.findTranscript(listener, audio)).toBe('locked');
  expect(await listening.findTranscript(visitor, audio)).toBe('locked');
});

test('drafts and scheduled audios are in no shared list, and an audio that is withdrawn leaves with the change', async () => {
  const viewer = await (await logIn())();
  const scheduled = await createAudio(db, { ...place, publishedAt: new Date(Date.now() + 60_000) });
  const draft = await createAudio(db, { ...place, publishedAt: null });
  shared.clear();
  const listed = async () => ids((await catalogue.listAudios(viewer, { limit: 12 })).items);
  expect(await listed()).toEqual(ids([calm, loud]));
  await listening.saveProgress(viewer.id, loud.id, 1);
  expect((await listening.findContinueListening(viewer)).map(({ audio }) => audio.id)).toEqual([loud.id]);
  for (const { id } of [scheduled, draft]) expect(await catalogue.findAudio(id)).toBeUndefined();
  await db.update(audios).set({ publishedAt: null }).where(eq(audios.id, loud.id));
  // As `start.ts` does at a notification of the change feed.
  shared.clear();
  expect(await listed()).toEqual([calm.id]);
  expect(await listening.findContinueListening(viewer)).toEqual([]);
});
