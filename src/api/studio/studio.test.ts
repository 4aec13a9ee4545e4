import { expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { auditEntries } from '#domain/kernel/audit.ts';
import { voiceOwners } from '#domain/community/tables.ts';
import { createAudio, createSeries, createSession, createUser, createVoice } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';

const { url, db } = await startTestSite({ TRUST_PROXY: '1' });

async function newPerson() {
  const { id, username } = await createUser(db, { termsAcceptedAt: new Date() });
  return { id, username: username ?? '', token: (await createSession(db, id)).token };
}

async function newCreator(role: 'owner' | 'editor' = 'owner') {
  const creator = await newPerson();
  const voice = await createVoice(db);
  await db.insert(voiceOwners).values({ voiceId: voice.id, userId: creator.id, role });
  return { creator, voice };
}

async function call({ token }: { token: string }, method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}/v1/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

const refused = (status: number, code: string) => ({ status, body: { error: { code } } });

test('a blocked user’s comment is refused, and members cannot be blocked', async () => {
  const { creator, voice } = await newCreator();
  const listener = await newPerson();
  const audio = await createAudio(db, { voiceId: voice.id });
  const block = (id: string) => call(creator, 'PUT', `/studio/voices/${voice.id}/blocked/${id}`, { isBlocked: true });
  expect(await block(listener.id)).toMatchObject({ status: 200, body: { isBlocked: true } });
  expect(await block(creator.id)).toMatchObject(refused(409, 'voice/is-member'));
  const comment = await call(listener, 'POST', `/audios/${audio.id}/comments`, { text: 'hello' });
  expect(comment).toMatchObject(refused(403, 'comments/blocked'));
  const { body } = await call(creator, 'GET', `/studio/voices/${voice.id}/blocked`);
  expect(body.items).toMatchObject([{ id: listener.id, username: listener.username }]);
});

test('managers of the voice choose who may comment on new audios, and the log records it', async () => {
  const { creator, voice } = await newCreator('editor');
  const choose = (by: { token: string }, commenters: unknown) =>
    call(by, 'PUT', `/studio/voices/${voice.id}/commenters`, { commenters });
  expect(await choose(creator, 'subscribers')).toEqual({ status: 200, body: { commenters: 'subscribers' } });
  expect((await choose(creator, 'subscribers')).status).toBe(200);
  expect(await choose(await newPerson(), 'nobody')).toMatchObject(refused(403, 'studio/no-creator'));
  for (const nonsense of ['friends', null, 7]) expect((await choose(creator, nonsense)).status).toBe(400);
  expect(await db.select().from(auditEntries).where(eq(auditEntries.voiceId, voice.id))).toMatchObject([
    { action: 'voice.choose-commenters', before: { commenters: 'everyone' }, after: { commenters: 'subscribers' } },
  ]);
});

test('comments with links wait for the creator who asks for it, and only their author sees them', async () => {
  const { creator, voice } = await newCreator();
  const [listener, other] = [await newPerson(), await newPerson()];
  const audio = await createAudio(db, { voiceId: voice.id });
  const comments = `/audios/${audio.id}/comments`;
  const write = (by: { token: string }, text: string) => call(by, 'POST', comments, { text });
  const seenBy = async (by: { token: string }) =>
    (await call(by, 'GET', comments)).body.items.map(({ text }: { text: string }) => text).toSorted();
  const hold = (by: { token: string }, holdsLinks: unknown) =>
    call(by, 'PUT', `/studio/voices/${voice.id}/holds-links`, { holdsLinks });

  expect((await write(listener, 'Before: www.shop.example')).body).not.toHaveProperty('waitsForCreator');
  expect(await hold(listener, true)).toMatchObject(refused(403, 'studio/no-creator'));
  expect(await hold(creator, 'yes')).toMatchObject(refused(400, 'request/invalid'));
  expect(await hold(creator, true)).toEqual({ status: 200, body: { holdsLinks: true } });
  const held = await write(listener, 'Cheap at shop.example.com/x');
  expect(held).toMatchObject({ status: 201, body: { waitsForCreator: true, state: 'shown' } });
  // A retry is the same comment.
  expect((await write(listener, 'Cheap at shop.example.com/x')).body.id).toBe(held.body.id);
  const dropped = await write(other, 'HTTPS://EVIL.EXAMPLE');
  await write(listener, 'No link. And 3.5 stars, e.g. this…');
  await write(creator, 'My page: https://maren.example');
  const open = ['Before: www.shop.example', 'My page: https://maren.example', 'No link. And 3.5 stars, e.g. this…'];
  expect(await seenBy(await newPerson())).toEqual(open.toSorted());
  expect(await seenBy(listener)).toEqual([...open, 'Cheap at shop.example.com/x'].toSorted());

  const list = async (filter: string) =>
    (await call(creator, 'GET', `/studio/voices/${voice.id}/comments?filter=${filter}`)).body.items.map(
      ({ id, state }: { id: string; state: string }) => `${id} ${state}`,
    );
  expect(await list('waiting')).toEqual([`${dropped.body.id} waiting`, `${held.body.id} waiting`]);
  expect(await list('hidden')).toEqual([]);
  const setHidden = (id: string, isHidden: boolean) =>
    call(creator, 'PUT', `/studio/comments/${id}/hidden`, { isHidden });
  expect((await setHidden(held.body.id, false)).status).toBe(200);
  expect((await setHidden(dropped.body.id, true)).status).toBe(200);
  expect(await list('waiting')).toEqual([]);
  expect(await list('hidden')).toEqual([`${dropped.body.id} hidden`]);
  expect(await seenBy(await newPerson())).toEqual([...open, 'Cheap at shop.example.com/x'].toSorted());
  const { body } = await call(other, 'GET', comments);
  expect(body.items[0]).not.toHaveProperty('waitsForCreator');
  expect(body.totalComments).toBe(5);
});

test('a page’s address that is taken, and a file that is not a picture, are refused; the page stays as it was', async () => {
  const { creator, voice } = await newCreator();
  const other = await createVoice(db);
  const edit = (body: unknown) => call(creator, 'PATCH', `/studio/voices/${voice.id}`, body);
  expect(await edit({ bio: 'New', slug: other.slug })).toMatchObject(refused(409, 'voice/address-taken'));
  const picture = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
  expect(await edit({ bio: 'New', picture })).toMatchObject(refused(400, 'picture/unreadable'));
  for (const form of [
    { picture: 'no base64!' },
    { slug: 'A b' },
    { links: [{ label: 'x', url: 'http://a.b' }] },
    { role: 'x' },
  ])
    expect(await edit(form)).toMatchObject(refused(400, 'request/invalid'));
  expect(await edit({ picture: 'A'.repeat(5_000_000) })).toMatchObject(refused(413, 'request/too-large'));
  const { body } = await call(creator, 'GET', `/voices/${voice.id}`);
  expect(body).toMatchObject({ bio: '', links: [], slug: voice.slug });
});

test('a page or series that somebody changed since it was seen is a conflict, and other fields are not', async () => {
  const { creator, voice } = await newCreator();
  const edit = (body: unknown) => call(creator, 'PATCH', `/studio/voices/${voice.id}`, body);
  const links = [{ label: 'Website', url: 'https://example.org/' }];
  expect(await edit({ bio: 'Theirs', links, before: { bio: '', links: [] } })).toMatchObject({ status: 200 });
  const last = { by: creator.username, at: expect.stringMatching(/^\d{4}-.*Z$/) };
  const conflict = { status: 409, body: { error: { code: 'text/changed-meanwhile', change: last } } };
  expect(await edit({ bio: 'Mine', before: { bio: '' } })).toMatchObject(conflict);
  expect(await edit({ links: [], before: { links: [{ ...links[0], label: 'Shop' }] } })).toMatchObject(conflict);
  expect(await edit({ name: 'Mine', before: { name: voice.name } })).toMatchObject({ status: 200 });
  expect((await call(creator, 'GET', `/voices/${voice.id}`)).body).toMatchObject({
    name: 'Mine',
    bio: 'Theirs',
    links,
  });

  const made = await call(creator, 'POST', `/studio/voices/${voice.id}/series`, { title: 'One' });
  const series = `/studio/series/${made.body.id}`;
  const change = (body: unknown) => call(creator, 'PATCH', series, body);
  expect(await change({ description: 'Theirs', before: { description: '' } })).toMatchObject({ status: 204 });
  expect(await change({ description: 'Mine', before: { description: '' } })).toMatchObject(conflict);
  expect(await change({ title: 'Two', before: { title: 'One' } })).toMatchObject({ status: 204 });
  expect((await call(creator, 'GET', series)).body).toMatchObject({ title: 'Two', description: 'Theirs' });
});

test('the last change is told to those who may make one, with the facts of a refused edit', async () => {
  const { creator, voice } = await newCreator();
  const path = `/studio/voices/${voice.id}`;
  await call(creator, 'PATCH', path, { bio: 'Theirs' });
  const { body } = await call(creator, 'PATCH', path, { bio: 'Mine', before: { bio: '' } });
  const last = `/studio/last-change?type=voice&id=${voice.id}`;
  expect(await call(creator, 'GET', last)).toEqual({ status: 200, body: body.error.change });
  expect(body.error.message).toContain(`${creator.username} changed this meanwhile.`);
  const editor = await newPerson();
  await db.insert(voiceOwners).values({ voiceId: voice.id, userId: editor.id, role: 'editor' });
  // Their own act comes after the creator's.
  await call(editor, 'PATCH', path, { bio: 'Ours' });
  expect((await call(editor, 'GET', last)).body).toMatchObject({ by: creator.username });
  expect((await call(creator, 'GET', last)).body).toMatchObject({ by: editor.username });
  expect(await call(await newPerson(), 'GET', last)).toMatchObject(refused(404, 'request/not-found'));
  const setting = '/studio/last-change?type=settings&id=membership';
  expect(await call(creator, 'GET', setting)).toMatchObject(refused(404, 'request/not-found'));
});

test('the last owner stays, and unknown names are refused', async () => {
  const { creator, voice } = await newCreator();
  const people = `/studio/voices/${voice.id}/people`;
  expect(await call(creator, 'DELETE', `${people}/${creator.id}`)).toMatchObject(refused(409, 'voice/last-owner'));
  expect(await call(creator, 'PUT', people, { name: 'nobody-there', role: 'editor' })).toMatchObject(
    refused(404, 'voice/no-such-user'),
  );
});

test('an audio of another series is not added, and an editor does not delete', async () => {
  const { creator, voice } = await newCreator('editor');
  const [free, taken] = [await createAudio(db, { voiceId: voice.id }), await createAudio(db, { voiceId: voice.id })];
  await createSeries(db, { voiceId: voice.id, audioIds: [taken.id] });
  const { body } = await call(creator, 'POST', `/studio/voices/${voice.id}/series`, { title: 'One' });
  const path = `/studio/series/${body.id}`;
  expect(await call(creator, 'POST', `${path}/audios`, { audioId: taken.id })).toMatchObject(
    refused(409, 'series/audio-in-another'),
  );
  expect(await call(creator, 'POST', `${path}/audios`, { audioId: free.id })).toMatchObject({ status: 204 });
  expect((await call(creator, 'GET', path)).body.parts).toMatchObject([{ id: free.id, state: 'published' }]);
  expect(await call(creator, 'DELETE', path)).toMatchObject(refused(404, 'request/not-found'));
});
