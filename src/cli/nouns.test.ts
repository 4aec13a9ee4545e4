import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asc, eq } from 'drizzle-orm';
import { afterAll, expect, test, vi } from 'vitest';
import { listAudios } from '#domain/admin/content/audio-list.ts';
import { siteStarts } from '#domain/admin/tables.ts';
import { audios } from '#domain/catalogue/tables.ts';
import { comments } from '#domain/community/tables.ts';
import { privateFeeds } from '#domain/feeds/tables.ts';
import { users } from '#domain/identity/tables.ts';
import { operator } from '#domain/kernel/actor.ts';
import { calls as apiCalls } from '#api/calls.ts';
import { auditEntries } from '#domain/kernel/audit.ts';
import { newId } from '#domain/kernel/ids.ts';
import { features, limitBounds } from '#domain/settings/rules.ts';
import { uploads } from '#domain/studio/tables.ts';
import { runSotto } from '#test/support/processes/command-line.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createCategory, createPlaylist, createViewer, createVoice } from '#test/support/factories.ts';
import { acts, pageOnly } from './acts.ts';
import { slow } from '#test/support/tags.ts';

// Every command's file is read once.
vi.setConfig({ testTimeout: 60_000 });

const { db, url } = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'sotto-nouns-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = { DATABASE_URL: url, DATA_DIR: folder };
const run = (...args: string[]) => runSotto(args, { environment, startFolder: folder });

/** Runs a command line, and expects success. */
async function sotto(line: string, ...more: string[]): Promise<string> {
  const outcome = await run(...line.split(' '), ...more);
  expect([line, outcome.code, outcome.code === 0 ? '' : outcome.stderr]).toEqual([line, 0, '']);
  return outcome.stdout.trimEnd();
}

/** Actions in the log since the last call of this function, all by the command line. */
let looked: string | undefined;
async function recorded(): Promise<string[]> {
  const all = await db.select().from(auditEntries).orderBy(asc(auditEntries.id));
  const fresh = all.filter(({ id }) => looked === undefined || id > looked);
  looked = all.at(-1)?.id ?? looked;
  expect(fresh.every(({ actorRole, actorId }) => actorRole === 'operator' && actorId === null)).toBe(true);
  return fresh.map(({ action }) => action);
}

const isAct = (path: string) => /^\/(?:admin|studio)\//.test(path) || path.endsWith('/figures.csv');

test('every call of Admin and Studio has a command that exists, or a reason for its absence', async () => {
  const calls = new Set<string>();
  for (const { call } of apiCalls) if (isAct(call.path)) calls.add(`${call.method.toUpperCase()} ${call.path}`);
  expect(calls.size).toBeGreaterThan(120);
  const commands = acts.flatMap((one) => Object.entries(one.commands));
  expect([...commands.map(([call]) => call), ...Object.keys(pageOnly)].toSorted()).toEqual([...calls].toSorted());
  const helps = new Map<string, string>();
  for (const [call, command] of commands) {
    const [name = '', verb = ''] = command.split(' ');
    if (!helps.has(name)) {
      const { code, stdout } = await run('help', name);
      expect([call, name, code]).toEqual([call, name, 0]);
      helps.set(name, stdout);
    }
    expect([command, helps.get(name)?.includes(verb)]).toEqual([command, true]);
  }
  expect(await sotto('acts')).toContain('PATCH /admin/tags/{id}');
});

test('categories, playlists and tags are made, changed, ordered and deleted', slow, async () => {
  expect(await sotto('categories create', 'Deep sleep')).toBe('deep-sleep is created.');
  await sotto('categories edit deep-sleep --label', 'Sleep');
  await sotto('categories hide deep-sleep');
  expect(await sotto('categories list')).toBe('deep-sleep  Sleep  (hidden)');
  await sotto('categories show deep-sleep');
  await createCategory(db, { slug: 'night', label: 'Night' });
  expect(await sotto('categories order night deep-sleep')).toContain('in this order');
  expect((await run('categories', 'order', 'night')).stderr).toContain('Name every category once');
  expect((await run('categories', 'delete', 'deep-sleep', 'Other')).stderr).toContain('The name does not match');
  await sotto('categories delete deep-sleep Sleep');
  expect(await sotto('categories list --deleted')).toBe('deep-sleep  Sleep  (deleted)');
  await sotto('categories restore deep-sleep');
  expect(await sotto('categories list')).toContain('deep-sleep  Sleep');
  expect(await recorded()).toEqual(
    ['create', 'edit', 'hide', 'show', 'order', 'delete', 'restore'].map((verb) => `category.${verb}`),
  );

  expect(await sotto('playlists create', 'Slow evenings')).toBe('slow-evenings is a draft.');
  await createAudio(db, { slug: 'one' });
  await createAudio(db, { slug: 'two' });
  expect(await sotto('playlists set slow-evenings two one')).toBe('slow-evenings has these 2.');
  expect(await sotto('playlists publish slow-evenings')).toBe('slow-evenings is published.');
  expect(await sotto('playlists publish slow-evenings --at 2099-01-01T00:00:00Z')).toContain('scheduled');
  expect(await sotto('playlists unpublish slow-evenings')).toContain('draft');
  await createPlaylist(db, { slug: 'other' });
  await sotto('playlists order other slow-evenings');
  await sotto('playlists delete slow-evenings');
  expect(await sotto('playlists list --deleted')).toContain('slow-evenings');
  await sotto('playlists restore slow-evenings');
  await sotto('playlists edit slow-evenings --title', 'Evenings');
  expect(await recorded()).toEqual(
    ['create', 'audios', 'publish', 'publish', 'unpublish', 'order', 'delete', 'restore', 'edit'].map(
      (verb) => `playlist.${verb}`,
    ),
  );

  await sotto('bulk start add-tags one two --tag Rain --tag Wind');
  expect(await sotto('tags list')).toBe('rain  Rain  2 audios, hidden by 0\nwind  Wind  2 audios, hidden by 0');
  await sotto('tags rename Rain', 'Soft rain');
  await sotto('tags merge wind soft-rain');
  await sotto('tags delete soft-rain');
  expect((await recorded()).filter((action) => action.startsWith('tag.'))).toEqual([
    'tag.rename',
    'tag.merge',
    'tag.delete',
  ]);
});

test(
  'creators are made, changed, hidden and merged, and their people, comments and uploads are managed',
  slow,
  async () => {
    expect(await sotto('voices create Maren --type female')).toBe('maren is created.');
    await sotto('voices edit maren --bio Hello --slug maren-holt');
    await sotto('voices hide maren-holt');
    expect(await sotto('voices list --hidden')).toBe('maren-holt  Maren  0 audios, 0 owners  (hidden)');
    await sotto('voices show maren-holt');
    await createViewer(db, { username: 'ada', email: 'ada@example.org' });
    await createViewer(db, { username: 'nell' });
    await sotto('voices set-person maren-holt ada owner');
    await sotto('owner maren-holt nell');
    await sotto('voices remove-person maren-holt nell');
    expect(await sotto('voices people maren-holt')).toBe('owner   ada');
    expect(await sotto('voices commenters maren-holt subscribers')).toContain('comments of subscribers');
    expect(await sotto('voices hold-links maren-holt yes')).toContain('wait until they are shown');
    expect((await run('voices', 'hold-links', 'maren-holt', 'maybe')).code).toBe(2);
    expect((await run('voices', 'remove-person', 'maren-holt', 'ada')).stderr).toContain('needs at least one owner');
    expect(await recorded()).toEqual([
      'voice.create',
      'voice.edit',
      'voice.edit',
      'voice.hide',
      'voice.show',
      'voice.add-person',
      'voice.add-owner',
      'voice.remove-person',
      'voice.choose-commenters',
      'voice.hold-links',
    ]);

    const voice = await createVoice(db, { slug: 'bea', name: 'Bea' });
    const audio = await createAudio(db, { slug: 'rain', voiceId: voice.id });
    const [nell] = await db.select({ id: users.id }).from(users).where(eq(users.username, 'nell'));
    const comment = { id: newId(), audioId: audio.id, userId: nell?.id ?? '', text: 'Hush' };
    await db.insert(comments).values(comment);
    expect(await sotto('voices comments bea')).toContain(`nell on rain  shown  "Hush"`);
    await sotto(`voices hide-comment ${comment.id}`);
    await sotto(`voices show-comment ${comment.id}`);
    await sotto('voices block bea nell');
    expect(await sotto('voices blocked bea')).toContain('nell');
    await sotto('voices unblock bea nell');
    const upload = { id: newId(), voiceId: voice.id, userId: nell?.id ?? '', fileName: 'a.wav', title: 'A', bytes: 10 };
    await db
      .insert(uploads)
      .values({ ...upload, state: 'failed', failure: 'failed', originalKey: 'originals/1.wav', choices: {} });
    expect(await sotto('uploads list bea')).toContain(`${upload.id}  failed (failed)  10 bytes  A`);
    await sotto(`uploads edit ${upload.id} --title B --free yes`);
    await sotto(`uploads retry ${upload.id}`);
    await sotto(`uploads remove ${upload.id}`);
    await sotto('voices figures bea figures.csv');
    expect(readFileSync(join(folder, 'figures.csv'), 'utf8').split('\n').length).toBeGreaterThan(20);
    await sotto('voices merge bea maren-holt Bea');
    expect(await recorded()).toEqual([
      'comment.hide',
      'comment.show',
      'voice.block-user',
      'voice.unblock-user',
      'upload.edit',
      'upload.retry',
      'upload.remove',
      'voice.merge',
    ]);
  },
);

test('series are made, filled, ordered, hidden, deleted and restored', slow, async () => {
  const voice = await createVoice(db, { slug: 'cleo' });
  await createAudio(db, { slug: 'part-one', voiceId: voice.id });
  await createAudio(db, { slug: 'part-two', voiceId: voice.id });
  expect(await sotto('series create cleo', 'The house')).toBe('the-house is created.');
  await sotto('series add the-house part-one');
  await sotto('series add the-house part-two');
  await sotto('series move the-house part-two --after first');
  expect((await sotto('series parts the-house')).split('\n').map((line) => line.split(' ')[0])).toEqual([
    'part-two',
    'part-one',
  ]);
  await sotto('series remove the-house part-one');
  await sotto('series edit the-house --description', 'Rooms');
  await sotto('voice cleo --linked-series the-house');
  await sotto('series hide the-house');
  expect(await sotto('series list --hidden')).toContain('the-house  cleo  1 audio');
  await sotto('series show the-house');
  const output = await sotto('series delete the-house');
  await sotto(`series restore ${output.split(' ').at(-1)}`);
  expect(await recorded()).toEqual([
    'series.create',
    'series.add-audio',
    'series.add-audio',
    'series.move-audio',
    'series.remove-audio',
    'series.edit',
    'voice.edit',
    'series.hide',
    'series.show',
    'series.delete',
    'series.restore',
  ]);
});

test('an act on many audios is executed, reported, stopped and undone', slow, async () => {
  const output = await sotto('bulk start free --voice cleo --state published');
  const [id = ''] = output.split(' ');
  expect(output).toMatch(/free {2}done: 2 of 2 audios changed, 0 as they were, 0 refused$/);
  const isFree = async () =>
    (await listAudios(db, operator, { voice: 'cleo', access: 'free', limit: 10 })).items.length;
  expect((await db.select().from(audios).where(eq(audios.isFree, true))).length).toBe(2);
  expect(await sotto(`bulk undo ${id}`)).toContain('undo  done: 2 of 2');
  expect(await isFree()).toBe(0);
  const later = (await sotto('bulk start unpublish part-one --later')).split(' ')[0] ?? '';
  expect(await sotto('bulk list')).toContain(later);
  await sotto(`bulk stop ${later}`);
  expect((await run('bulk', 'watch', newId())).code).toBe(1);
  expect((await run('bulk', 'start', 'free')).stderr).toContain('Name audios, or a filter, or --all');
  expect((await run('bulk', 'start', 'add-tags', 'part-one')).stderr).toContain('Choose tags for this act');
  expect(await recorded()).toEqual(expect.arrayContaining(['bulk-act.start', 'bulk-act.stop', 'audio.free']));
});

test('settings are listed, read, set and reset, as the site has them', slow, async () => {
  expect(await sotto('settings get price.month')).toBe('799');
  expect(await sotto('settings set price.month 899')).toBe('price.month is 899.');
  expect(await sotto('settings list')).toMatch(/^price\.month +899 {2}\(by default 799\)$/m);
  expect(await sotto('settings reset price.month')).toBe('price.month is 799.');
  expect(await sotto('settings set feature.blog off')).toBe('feature.blog is off.');
  expect(await sotto('settings set limit.uploads-per-day 7')).toBe('limit.uploads-per-day is 7.');
  expect(await sotto('settings get feature.news')).toBe('on');
  expect(await sotto('settings get limit.feed-networks-per-day')).toBe('20');
  const names = (await sotto('settings list')).split('\n').map((line) => line.split(' ')[0]);
  expect(names.filter((name) => name?.startsWith('feature.'))).toHaveLength(features.length);
  expect(names.filter((name) => name?.startsWith('limit.'))).toHaveLength(Object.keys(limitBounds).length);
  expect(await sotto('settings set currency eur')).toBe('currency is eur.');
  expect(await recorded()).toEqual(Array.from({ length: 5 }, () => 'settings.change'));
  for (const [name, value, reason] of [
    ['price.month', '7.99', 'is not a whole number'],
    ['price.month', '1', 'is not a whole number from 50 to 1000000'],
    ['limit.reports-to-hide', 'default', 'is not a whole number from 1 to 100'],
    ['currency', 'jpy', 'is not a currency with cents'],
    ['feature.blog', 'yes', 'is neither on nor off'],
    ['price.week', '1', 'there is no setting'],
  ] as const) {
    const outcome = await run('settings', 'set', name, value);
    expect([name, outcome.code, outcome.stderr]).toEqual([name, 2, expect.stringMatching(new RegExp(reason, 'i'))]);
  }
});

test('users are found, logged out, mailed, deleted and kept', slow, async () => {
  expect(await sotto('users find ada')).toContain('user  ');
  expect(await sotto('users log-out ada')).toBe('ada is logged out: 0 sessions ended.');
  await sotto('users mail-export ada');
  const [ada] = await db.select({ id: users.id }).from(users).where(eq(users.username, 'ada'));
  const feedId = newId();
  const tokenHash = 'f'.repeat(64);
  await db.insert(privateFeeds).values({ id: feedId, userId: ada?.id ?? '', kind: 'library', tokenHash });
  const listed = await sotto('users feeds ada');
  expect(listed).toMatch(new RegExp(`^${feedId}  [\\dT:.Z-]+  never used  open$`, 'm'));
  expect(listed).not.toMatch(/library|ffff/);
  expect((await run('users', 'revoke-feed', 'ada', newId())).stderr).toContain('There is no feed');
  expect(await sotto(`users revoke-feed ada ${feedId}`)).toContain('has ended');
  expect(await sotto('users feeds ada')).not.toContain(feedId);
  expect(await sotto('users delete ada --reason', 'Asked for it')).toContain('ada is deleted on');
  await sotto('users keep ada');
  expect((await run('users', 'delete', 'ada')).stderr).toContain('--reason must have');
  const made = await sotto('admin grace@example.org --username grace');
  expect(made).toContain('grace is now an admin');
  expect(await recorded()).toEqual([
    'user.send-export',
    'user.revoke-feed',
    'user.plan-deletion',
    'user.take-deletion-back',
    'user.make-admin',
  ]);
});

test('connections are tested, starts listed, the search index rebuilt, and a mail deleted', slow, async () => {
  expect(await sotto('system test storage')).toBe('A file was written, read and removed.');
  expect(await sotto('system test payment')).toContain('It answers');
  expect(await sotto('system test search')).toContain('The built-in index is in use');
  expect((await run('system', 'test', 'mail')).stderr).toContain('MAIL_URL is not set');
  expect((await run('system', 'test', 'moon')).code).toBe(2);
  await db.insert(siteStarts).values({ id: newId(), version: '0.1.0', host: 'here', pid: 7 });
  expect(await sotto('system starts')).toContain('0.1.0  here 7');
  await sotto('system rebuild-search');
  const [mail = ''] = (await sotto('mails')).split('\n').map((line) => line.split('  ')[2] ?? '');
  expect(await sotto(`mails show ${mail}`)).toMatch(/^To: \S+@\S+\nSubject: .+\n\n.+https?:\/\//s);
  await sotto(`mails drop ${mail}`);
  expect((await run('mails', 'show', mail)).stderr).toContain('There is no mail');
  expect((await run('mails', 'drop', mail)).code).toBe(1);
  expect(await recorded()).toEqual(['system.rebuild-search', 'system.drop-mail']);
});

test('the look, the topics of the blog and the days of logs are changed', slow, async () => {
  writeFileSync(join(folder, 'name.json'), '{"name": "Nightfall"}');
  await sotto('look set name name.json');
  expect(JSON.parse(await sotto('look show name'))).toEqual({ name: 'Nightfall' });
  await sotto('look export look.json');
  await sotto('look reset name');
  await sotto('look import look.json');
  expect(JSON.parse(await sotto('look show name'))).toEqual({ name: 'Nightfall' });
  await sotto('look undo');
  expect((await run('look', 'set', 'logo', 'name.json')).code).toBe(2);
  writeFileSync(join(folder, 'bad.json'), '{"name": 7}');
  expect((await run('look', 'set', 'name', 'bad.json')).code).toBe(2);

  await sotto('topics add', 'Night notes');
  await sotto('topics rename night-notes Notes');
  await sotto('topics order night-notes sex wellness culture relationships');
  expect((await sotto('topics list')).split('\n')[0]).toBe('night-notes  Notes  0 articles');
  await sotto('topics remove night-notes');
  expect(await sotto('text retention --logs 7 --backups none')).toBe('Logs: 7 days. Backups: not said.');
  expect(await sotto('payouts trials off')).toBe('Listening in trials does not count.');
  expect(await recorded()).toEqual([
    'settings.change',
    'settings.change',
    'look.import',
    'look.undo-import',
    ...Array.from({ length: 4 }, () => 'topic.change'),
    'settings.change',
    'settings.change',
  ]);
});

test.each([
  ['tags'],
  ['tags', 'burn'],
  ['tags', 'rename', 'x'],
  ['tags', 'delete', 'x', 'y'],
  ['tags', 'list', '--burn'],
  ['categories', 'edit', 'x'],
  ['voices', 'create', 'X', '--type', 'loud'],
  ['voices', 'set-person', 'x', 'y', 'king'],
  ['series', 'move', 'x', 'y'],
  ['uploads', 'edit', 'x', '--free', 'perhaps'],
  ['look', 'reset', 'x'],
  ['audios', 'burn'],
  ['playlists', 'publish', 'x', '--at', 'soon'],
])('%s %s is refused in one line before anything is opened', async (...args) => {
  const outcome = await runSotto(args, { environment: { DATA_DIR: join(folder, 'never') } });
  expect(outcome).toMatchObject({ code: 2, stdout: '' });
  expect(outcome.stderr.trimEnd().split('\n')).toHaveLength(1);
});
