import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
import { calls } from '#api/calls.ts';
import { auditEntries } from '#domain/kernel/audit.ts';
import { newId } from '#domain/kernel/ids.ts';
import { uploads } from '#domain/studio/tables.ts';
import { runSotto } from '#test/support/processes/command-line.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createCategory, createPlaylist, createViewer, createVoice } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { slow } from '#test/support/tags.ts';
import { callCommands, isOperators } from './call-commands.ts';
import { ownCalls } from './own/own-calls.ts';

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

test('every call of Admin and Studio is one command, or says why it is none', async () => {
  const ofOperators = calls.filter(({ call }) => isOperators(call));
  expect(ofOperators.length).toBeGreaterThan(120);
  const withoutCommand = ofOperators.flatMap(({ call }) =>
    typeof call.command === 'object' ? [call.command.none] : [],
  );
  expect(withoutCommand.every((reason) => reason.length > 10)).toBe(true);
  const own = callCommands.length - (ofOperators.length - withoutCommand.length);
  expect(own).toBe(ownCalls.length);
  const names = callCommands.map(({ noun, verb }) => `${noun} ${verb}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z]+(-[a-z]+)* [a-z]+(-[a-z]+)*$/.test(name))).toEqual([]);
});

test('help shows every command with its options, and opens nothing', async () => {
  const nowhere = { environment: { DATA_DIR: join(folder, 'never') } };
  const { stdout: overview } = await runSotto(['help'], nowhere);
  for (const noun of new Set(callCommands.map((command) => command.noun))) {
    expect(overview).toMatch(new RegExp(`^ {2}${noun} {2}`, 'm'));
    const { code, stdout } = await runSotto(['help', noun], nowhere);
    expect([noun, code]).toEqual([noun, 0]);
    for (const { verb } of callCommands.filter((command) => command.noun === noun))
      expect(stdout).toMatch(new RegExp(`^ {2}${verb}\\b`, 'm'));
    expect(stdout).not.toMatch(/undefined|\[object/);
  }
  const one = (await runSotto(['help', 'audios', 'publish'], nowhere)).stdout;
  expect(one).toMatch(/^ {2}publish <audio> +Publishes an audio.*\n {4}--at <text> +such as/m);
  expect((await runSotto(['help', 'audios', 'burn'], nowhere)).code).toBe(2);
  expect(existsSync(join(folder, 'never'))).toBe(false);
});

test('every list prints its lines, also as JSON', slow, async () => {
  const lists = callCommands.filter(({ verb, call }) => verb.startsWith('list') && !call.path.includes('{'));
  expect(lists.length).toBeGreaterThan(20);
  await createAudio(db, { slug: 'listed' });
  for (const { noun, verb } of lists) {
    const outcome = await run(noun, verb, '--json');
    expect([noun, verb, outcome.code, outcome.stderr]).toEqual([noun, verb, 0, '']);
    JSON.parse(outcome.stdout);
  }
  expect(await sotto('audios --state published')).toMatch(/^listed /m);
  expect(JSON.parse(await sotto('audios list --json'))).toMatchObject({
    items: [{ slug: 'listed' }],
    total: { count: 1 },
  });
});

test('categories, playlists and tags are made, changed, ordered and deleted', slow, async () => {
  expect(await sotto('categories create --label', 'Deep sleep')).toMatch(/^id {2}\S{36}$/);
  await sotto('categories edit deep-sleep --label Sleep --hidden');
  expect(await sotto('categories list')).toMatch(/^deep-sleep +Sleep +hidden /m);
  await sotto('categories edit deep-sleep --no-hidden');
  await createCategory(db, { slug: 'night', label: 'Night' });
  expect(await sotto('categories order --ids night --ids deep-sleep')).toBe('Done.');
  expect((await sotto('categories list')).split('\n').map((line) => line.split(' ')[0])).toEqual([
    'night',
    'deep-sleep',
  ]);
  expect((await run('categories', 'order', '--ids', 'night')).stderr).toContain('changed this list');
  expect((await run('categories', 'delete', 'deep-sleep', '--name', 'Other')).stderr).toContain(
    'The name does not match',
  );
  await sotto('categories delete deep-sleep --name Sleep');
  expect(await sotto('categories list --deleted')).toContain('deep-sleep');
  await sotto('categories restore deep-sleep');
  expect(await recorded()).toEqual(
    ['create', 'hide', 'show', 'order', 'delete', 'restore'].map((verb) => `category.${verb}`),
  );

  await sotto('playlists create --title', 'Slow evenings');
  await createAudio(db, { slug: 'one' });
  await createAudio(db, { slug: 'two' });
  await sotto('playlists set-audios slow-evenings --audio two --audio one');
  expect(JSON.parse(await sotto('playlists show slow-evenings --json'))).toMatchObject({ audios: 2, state: 'draft' });
  await sotto('playlists edit slow-evenings --published-at now');
  expect(await sotto('playlists list')).toContain('published');
  await sotto('playlists edit slow-evenings --published-at 2099-01-01T00:00:00Z');
  await sotto('playlists edit slow-evenings --no-published-at');
  await createPlaylist(db, { slug: 'other' });
  await sotto('playlists order --ids other --ids slow-evenings');
  await sotto('playlists delete slow-evenings');
  expect(await sotto('playlists list --deleted')).toContain('slow-evenings');
  await sotto('playlists restore slow-evenings');
  await sotto('playlists edit slow-evenings --title Evenings');
  expect(await recorded()).toEqual(
    ['create', 'audios', 'publish', 'publish', 'unpublish', 'order', 'delete', 'restore', 'edit'].map(
      (verb) => `playlist.${verb}`,
    ),
  );

  await sotto('bulk-acts start --verb add-tags --ids one --ids two --tags Rain --tags Wind');
  expect((await sotto('tags list')).split('\n')).toEqual([
    expect.stringMatching(/^rain +Rain +2 /),
    expect.stringMatching(/^wind +Wind +2 /),
  ]);
  await sotto('tags rename Rain --label', 'Soft rain');
  await sotto('tags merge wind --into soft-rain');
  await sotto('tags delete', 'Soft rain');
  expect((await recorded()).filter((action) => action.startsWith('tag.'))).toEqual([
    'tag.rename',
    'tag.merge',
    'tag.delete',
  ]);
});

test('creators are made, changed, hidden and merged, with their people, comments and uploads', slow, async () => {
  await sotto('voices create --name Maren --voice-type female');
  await sotto('voices edit maren --bio Hello');
  await sotto('voices edit-page maren --slug maren-holt');
  await sotto('voices edit maren-holt --hidden');
  expect(await sotto('voices list --hidden')).toContain('maren-holt');
  await sotto('voices edit maren-holt --no-hidden');
  await createViewer(db, { username: 'ada', email: 'ada@example.org' });
  await createViewer(db, { username: 'nell' });
  await sotto('voices set-person maren-holt --name ada --role owner');
  await sotto('voices set-owner maren-holt --account nell --owner');
  await sotto('voices remove-person maren-holt nell');
  expect(JSON.parse(await sotto('voices list-people maren-holt --json'))).toMatchObject({
    items: [{ username: 'ada', role: 'owner' }],
  });
  expect(await sotto('voices set-commenters maren-holt --commenters subscribers')).toBe('commenters  subscribers');
  await sotto('voices set-holds-links maren-holt --holds-links');
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
    'voice.set-comments',
  ]);

  const voice = await createVoice(db, { slug: 'bea', name: 'Bea' });
  const audio = await createAudio(db, { slug: 'rain', voiceId: voice.id });
  const [nell] = await db.select({ id: users.id }).from(users).where(eq(users.username, 'nell'));
  const comment = { id: newId(), audioId: audio.id, userId: nell?.id ?? '', text: 'Hush' };
  await db.insert(comments).values(comment);
  expect(await sotto('comments list bea')).toMatch(new RegExp(`^${comment.id} .* rain +nell +Hush .*shown`));
  await sotto(`comments set-hidden ${comment.id} --hidden`);
  await sotto(`comments set-hidden ${comment.id} --no-hidden`);
  await sotto('voices set-block bea nell --blocked');
  expect(await sotto('voices list-blocks bea')).toContain('nell');
  await sotto('voices set-block bea nell --no-blocked');
  const upload = { id: newId(), voiceId: voice.id, userId: nell?.id ?? '', fileName: 'a.wav', title: 'A', bytes: 10 };
  await db
    .insert(uploads)
    .values({ ...upload, state: 'failed', failure: 'failed', originalKey: 'originals/1.wav', choices: {} });
  expect(await sotto('uploads list bea')).toMatch(new RegExp(`^${upload.id} +a.wav +A +10 .*failed`));
  await sotto(`uploads edit ${upload.id} --title B --free`);
  await sotto(`uploads retry ${upload.id}`);
  await sotto(`uploads remove ${upload.id}`);
  expect((await sotto('voices figures bea --days 28')).split('\n').length).toBeGreaterThan(20);
  await sotto('voices merge bea --into maren-holt --name Bea');
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
});

test('series are made, filled, ordered, hidden, deleted and restored', slow, async () => {
  const voice = await createVoice(db, { slug: 'cleo' });
  await createAudio(db, { slug: 'part-one', voiceId: voice.id });
  await createAudio(db, { slug: 'part-two', voiceId: voice.id });
  expect(await sotto('series create cleo --title', 'The house')).toMatch(/^slug +the-house$/m);
  await sotto('series add the-house --audio part-one');
  await sotto('series add the-house --audio part-two --after part-one');
  await sotto('series move the-house --audio part-two --no-after');
  const { parts } = JSON.parse(await sotto('series show the-house --json')) as { parts: { slug: string }[] };
  expect(parts.map(({ slug }) => slug)).toEqual(['part-two', 'part-one']);
  await sotto('series remove the-house part-one');
  await sotto('series edit the-house --description Rooms');
  await sotto('voices edit-page cleo --linked-series the-house');
  await sotto('series set-hidden the-house --hidden');
  expect(await sotto('series list --hidden')).toMatch(/^the-house +The house +hidden +cleo +1 /);
  await sotto('series set-hidden the-house --no-hidden');
  await sotto('series delete the-house');
  const [id = ''] = (await sotto('series list-deleted')).split(' ');
  await sotto(`series restore ${id}`);
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
  const act = JSON.parse(
    await sotto('bulk-acts start --verb free --filter.voice cleo --filter.state published --json'),
  ) as { id: string };
  expect(act).toMatchObject({ state: 'done', total: 2, changed: 2, unchanged: 0, refused: 0 });
  expect((await db.select().from(audios).where(eq(audios.isFree, true))).length).toBe(2);
  expect(await sotto(`bulk-acts undo ${act.id}`)).toMatch(/^verb +undo$/m);
  expect((await listAudios(db, operator, { voice: 'cleo', access: 'free', limit: 10 })).items).toHaveLength(0);
  expect((await run('bulk-acts', 'stop', act.id)).stderr).toContain('already finished');
  expect((await run('bulk-acts', 'show', newId())).code).toBe(1);
  expect((await run('bulk-acts', 'start', '--verb', 'free')).stderr).toContain('Send either ids or a filter');
  expect((await run('bulk-acts', 'start', '--verb', 'add-tags', '--ids', 'part-one')).stderr).toContain(
    '--tags: Choose tags for this act, and only for it',
  );
  expect(await recorded()).toEqual(expect.arrayContaining(['bulk-act.start', 'audio.free', 'audio.restrict']));
});

test('settings are read and changed in part, as the site has them', slow, async () => {
  const values = async () => {
    const all = JSON.parse(await sotto('settings show --json')) as Record<string, { value: object }>;
    return [all['membership']?.value, all['features']?.value, all['limits']?.value, all['languages']?.value];
  };
  const [membership, features, limits, languages] = await values();
  await sotto('settings change-membership --plans.month 899');
  await sotto('settings change-features --no-blog');
  await sotto('settings change-limits --uploads-per-day 7');
  await sotto('settings change-languages --de');
  const plans = { month: 899, year: 5988 };
  expect(await values()).toEqual([
    { ...membership, plans },
    { ...features, blog: false },
    { ...limits, uploadsPerDay: 7 },
    { ...languages, de: true },
  ]);
  await sotto('settings change-languages --no-de');
  await sotto('settings change-limits --no-uploads-per-day');
  await sotto('settings change-membership --currency eur');
  expect(await values()).toEqual([
    { ...membership, plans, currency: 'eur' },
    { ...features, blog: false },
    limits,
    languages,
  ]);
  expect(await recorded()).toEqual(Array.from({ length: 7 }, () => 'settings.change'));
  for (const [section, option, value, reason] of [
    ['membership', '--plans.month', '7.99', '--plans.month must be a whole number'],
    ['membership', '--plans.month', '1', '--plans.month must be at least 50'],
    ['limits', '--reports-to-hide', 'default', '--reports-to-hide must be a number'],
    ['membership', '--currency', 'zzz', '--currency: Choose a currency'],
    ['features', '--price', '1', "Unknown option '--price'"],
  ] as const) {
    const outcome = await run('settings', `change-${section}`, option, value);
    expect([option, value, outcome.code, outcome.stderr]).toEqual([option, value, 2, expect.stringContaining(reason)]);
  }
});

test('users are found, logged out, mailed, deleted and kept', slow, async () => {
  expect(await sotto('users find --query ada')).toMatch(/^user /);
  expect(await sotto('users log-out ada')).toBe('ended  0');
  await sotto('users send-export ada');
  const [ada] = await db.select({ id: users.id }).from(users).where(eq(users.username, 'ada'));
  const feedId = newId();
  const tokenHash = 'f'.repeat(64);
  await db.insert(privateFeeds).values({ id: feedId, userId: ada?.id ?? '', kind: 'library', tokenHash });
  const listed = await sotto('users list-feeds ADA@example.org');
  expect(listed).toMatch(new RegExp(`^${feedId}  [\\dT:.Z-]+  never used$`, 'm'));
  expect(listed).not.toMatch(/library|ffff/);
  expect((await run('users', 'revoke-feed', 'ada', newId())).stderr).toContain('There is nothing with this name');
  expect(await sotto(`users revoke-feed ada ${feedId}`)).toBe('Done.');
  expect(await sotto('users list-feeds ada')).toBe('');
  expect(await sotto('users plan-deletion ada --reason', 'Asked for it')).toMatch(/^dueAt {2}20/);
  await sotto('users take-deletion-back ada');
  expect(await run('users', 'plan-deletion', 'ada')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--reason is missing'),
  });
  expect((await run('users', 'log-out', 'nobody')).stderr).toBe('There is no user "nobody"\n');
  await sotto('users suspend ada --reason Spam --no-pays-back');
  await sotto('users lift-suspension ada');
  expect(await sotto('users give-months ada --months 3 --reason Thanks')).toMatch(/^until {2}20/);
  await sotto('users take-months-back ada');
  expect(await sotto('admin grace@example.org --username grace')).toContain('grace is now an admin');
  expect(await recorded()).toEqual([
    'user.send-export',
    'user.revoke-feed',
    'user.plan-deletion',
    'user.take-deletion-back',
    'user.suspend',
    'user.lift-suspension',
    'user.give-months',
    'user.take-months-back',
    'user.make-admin',
  ]);
});

test('connections are tested, starts listed, the search index rebuilt, and a mail deleted', slow, async () => {
  expect(await sotto('system test storage')).toContain('A file was written, read and removed');
  expect(await sotto('system test payment')).toContain('It answers');
  expect(await sotto('system test mail')).toContain('MAIL_URL is not set');
  expect((await run('system', 'test', 'moon')).stderr).toContain('is not one of mail, payment, storage');
  await db.insert(siteStarts).values({ id: newId(), version: '0.1.0', host: 'here', pid: 7 });
  expect(await sotto('system list-starts')).toMatch(/0\.1\.0 +here +7 /);
  await sotto('system rebuild-search');
  const [mail = ''] = (await sotto('mails')).split(' ');
  expect(await sotto(`mails show ${mail}`)).toMatch(/^To: \S+@\S+\nSubject: .+\n\n.+https?:\/\//s);
  await sotto(`mails drop ${mail}`);
  expect((await run('mails', 'show', mail)).stderr).toContain('There is nothing with this name');
  expect((await run('mails', 'drop', mail)).code).toBe(1);
  expect((await run('mails', 'send')).stderr).toContain('MAIL_URL is not set');
  expect(await recorded()).toEqual(['system.rebuild-search', 'system.drop-mail']);
});

test('texts of the site go to translators and back', slow, async () => {
  const { id } = await createCategory(db, { label: 'Wind' });
  const key = `category/${id}/label`;
  await sotto(`texts change ${key} --language de --text Wind`);
  await sotto(`texts change ${key} --language de --text Brise`);
  expect(await sotto('texts list --language de --kind category --state translated')).toContain('Brise');
  await sotto('texts export --language de --out texts.po');
  expect(await sotto('texts export --language de')).toContain(`msgctxt "${key}"\nmsgid "Wind"\nmsgstr "Brise"`);
  writeFileSync(
    join(folder, 'texts.po'),
    readFileSync(join(folder, 'texts.po'), 'utf8').replace('msgstr "Brise"', 'msgstr "Böe"'),
  );
  const shown = () => sotto('texts list --language de --state translated');
  expect(JSON.parse(await sotto('texts import texts.po --dry-run --json'))).toMatchObject({ changed: 1, added: 0 });
  expect(await shown()).toContain('Brise');
  await sotto('texts import texts.po');
  expect(await shown()).toContain('Böe');
  writeFileSync(
    join(folder, 'bad.po'),
    `msgid ""\nmsgstr "Language: de\\n"\n\nmsgctxt "tag/x/label"\nmsgid "a"\nmsgstr "b"\n`,
  );
  const { code, stderr } = await run('texts', 'import', 'bad.po');
  expect([code, stderr]).toEqual([1, expect.stringContaining('Line 5, tag/x/label: There is no text tag/x/label.')]);
  expect(await recorded()).toEqual(['text.translate', 'text.translate', 'text.translate']);
});

test('the look, the topics of the blog and the days of logs are changed', slow, async () => {
  const nameOf = async () => (JSON.parse(await sotto('look show --json')) as { name: object }).name;
  await sotto('look change-name --name Nightfall');
  expect(await nameOf()).toEqual({ name: 'Nightfall' });
  writeFileSync(join(folder, 'look.json'), await sotto('look export'));
  await sotto('look reset name');
  await sotto('look import --file @look.json');
  expect(await nameOf()).toEqual({ name: 'Nightfall' });
  await sotto('look undo-import');
  expect((await run('look', 'reset', 'x')).stderr).toContain('is not one of name, logo');
  expect((await run('look', 'change-colors', '--dark.accent', 'red', '--dark.ground', '#000000')).stderr).toContain(
    '--dark.accent: Write the color as #RRGGBB',
  );
  writeFileSync(
    join(folder, 'logo.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>',
  );
  await sotto('look change-picture logo --picture logo.svg');
  expect((await run('look', 'change-picture', 'logo', '--picture', 'none.svg')).stderr).toContain('ENOENT');

  const { items } = { items: JSON.parse(await sotto('blog-topics list --json')) as { slug: string; label: string }[] };
  const topics = [...items.map(({ slug, label }) => ({ slug, label })), { slug: null, label: 'Night notes' }];
  await sotto('blog-topics change --topics', JSON.stringify(topics));
  expect(await sotto('blog-topics list')).toContain('night-notes');
  expect((await run('blog-topics', 'change', '--topics', '[')).stderr).toContain('--topics is not JSON');
  await sotto('retention change --log-days 7');
  await sotto('retention change --backup-days 30');
  expect(JSON.parse(await sotto('retention show --json'))).toMatchObject({ logDays: 7, backupDays: 30 });
  await sotto('payouts set-trials --no-counts-trials');
  expect(await recorded()).toEqual([
    'settings.change',
    'settings.change',
    'look.import',
    'look.undo-import',
    'settings.change',
    'topic.change',
    'settings.change',
    'settings.change',
    'settings.change',
  ]);
});

test('reported comments are listed, decided on, and decided otherwise', slow, async () => {
  const audio = await createAudio(db, { slug: 'bright-star' });
  const { community } = await openTestSite(db);
  const [writer, reporter] = [await createViewer(db, { username: 'mo' }), await createViewer(db)];
  const written = await community.writeComment(writer, audio.id, { text: 'buy\nthis' });
  if (!written.ok) throw new Error(written.reason);
  const { id } = written.comment;
  await community.reportComment(reporter, id, { reason: 'spam', details: 'a\nshop' });
  expect(await sotto('reports')).toMatch(new RegExp(`^${id} .*mo.*buy this.*spam`, 's'));
  expect(JSON.parse(await sotto(`reports show ${id} --json`))).toMatchObject({ id });
  const [, decision = ''] = (await sotto(`reports decide ${id} --verb warn`)).split(/ +/);
  expect(await sotto('reports')).toBe('');
  expect((await run('reports', 'decide', id, '--verb', 'burn')).stderr).toContain(
    '--verb must be one of keep, remove, warn, suspend',
  );
  expect((await run('reports', 'decide', id, '--verb', 'keep')).stderr).toContain('The command line decided');
  expect(await sotto('decisions')).toContain('warn');
  await sotto(`decisions undo ${decision}`);
  expect(await sotto('reports')).toContain(id);
  await sotto(`reports decide ${id} --verb remove`);
  expect((await run('reports', 'decide', id, '--verb', 'keep')).code).toBe(1);
  expect(await sotto(`comments decide ${id} --verb keep`)).toMatch(/^changed +true$/m);
  expect(await recorded()).toEqual([
    expect.stringMatching(/^(report|comment)\./),
    expect.stringMatching(/^(report|comment|decision)\./),
    expect.stringMatching(/^(report|comment)\./),
    expect.stringMatching(/^(report|comment)\./),
  ]);
});

test('a mail and a page are printed, changed, refused without a placeholder, and given back to the site', async () => {
  expect(await sotto('mail-texts show reset-password')).toContain('Set a new password');
  await sotto('mail-texts change reset-password --subject', 'A new one');
  expect(JSON.parse(await sotto('mail-texts show reset-password --json'))).toMatchObject({
    text: { subject: 'A new one', body: expect.stringContaining('{link}') },
  });
  expect((await run('mail-texts', 'change', 'reset-password', '--body', 'No link')).stderr).toContain(
    '{link} is missing',
  );
  expect(await sotto('mail-texts list')).toMatch(/^reset-password .*changed$/m);
  await sotto('mail-texts change reset-password --no-text');
  expect(await sotto('mail-texts list')).not.toMatch(/^reset-password .*changed$/m);

  expect(await sotto('info-pages show terms')).toMatch(/^# Terms of Service\n/);
  writeFileSync(join(folder, 'terms.md'), '# Rules\n\nBe kind.\n');
  await sotto('info-pages change terms --text @terms.md');
  expect(await sotto('info-pages show terms')).toBe('# Rules\n\nBe kind.');
  expect((await run('info-pages', 'change', 'terms', '--text', '# Rules\n\n{who}')).stderr).toContain(
    '{who} is no placeholder',
  );
  expect((await run('info-pages', 'show', 'imprint')).code).toBe(1);
});

test('an article is imported, deleted, restored and taken back', async () => {
  writeFileSync(join(folder, 'on-rain.md'), '---\ntitle: On rain\ntopic: culture\n---\n\nIt rains.\n');
  expect(await sotto('articles import on-rain.md')).toContain('/blog/on-rain');
  expect(await sotto('articles')).toMatch(/^on-rain .*culture/);
  await sotto('articles delete on-rain');
  expect(await sotto('articles')).toBe('');
  await sotto('articles restore on-rain');
  await sotto('articles publish on-rain --no-at');
  expect(await sotto('articles')).toContain('draft');
  await sotto('articles edit on-rain --title', 'Rain');
  expect((await run('articles', 'edit', 'on-rain')).stderr).toContain('Name something to change');
});

test.each([
  [['look'], 'Name an act: change-colors'],
  [['tags', 'burn'], '"burn" is not known here'],
  [['tags', 'rename'], '<tag> is missing'],
  [['tags', 'rename', 'x'], '--label is missing'],
  [['tags', 'delete', 'x', 'y'], '"y" is one word too many'],
  [['tags', 'list', '--burn'], "Unknown option '--burn'"],
  [['categories', 'edit', 'x'], 'Name something to change'],
  [['voices', 'create', '--name', 'X', '--voice-type', 'loud'], '--voice-type must be one of female, male, non-binary'],
  [['voices', 'set-person', 'x', '--name', 'y', '--role', 'king'], '--role must be one of owner, editor'],
  [['series', 'move', 'x', '--audio', 'y'], '--after is missing'],
  [['uploads', 'remove', 'x'], '"x" is not an id'],
  [['uploads', 'edit', 'x', '--title', 'y', '--free', 'perhaps'], '"perhaps" is one word too many'],
  [['audios', 'publish', 'x', '--at', 'soon'], 'is not a time such as'],
  [['users', 'give-months', 'x', '--months', '37', '--reason', 'y'], '--months must be at most 36'],
  [['promo-codes', 'create', '--code', 'X1Y', '--duration', 'once'], '--percent-off: Choose a percentage or an amount'],
  [['payouts', 'set-pool', '2026-10', '--pool', 'much'], '--pool must be a number'],
])('%j is refused in one line before anything is opened', async (args, line) => {
  const outcome = await runSotto(args, { environment: { DATA_DIR: join(folder, 'never') } });
  expect(outcome).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(line) });
  expect(outcome.stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(existsSync(join(folder, 'never'))).toBe(false);
});
