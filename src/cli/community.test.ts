import { expect, test } from 'vitest';
import { runSotto } from '#test/support/processes/command-line.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createViewer, createVoice } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';

const { db, url } = await createTestDatabase();
const { community } = await openTestSite(db);

const sotto = (...args: string[]) => runSotto(args, { environment: { DATABASE_URL: url } });

test('reported comments are listed, removed, and kept', async () => {
  expect(await sotto('reports')).toEqual({ code: 0, stdout: '', stderr: '0 reported comments.\n' });
  const audio = await createAudio(db, { slug: 'bright-star' });
  const [ada, nell] = [await createViewer(db, { username: 'ada' }), await createViewer(db)];
  const written = await community.writeComment(ada, audio.id, { text: 'buy\nthis' });
  if (!written.ok) throw new Error(written.reason);
  const { id, createdAt } = written.comment;
  await community.reportComment(nell, id, { reason: 'spam', details: 'a\nshop' });
  expect(await sotto('reports')).toEqual({
    code: 0,
    stdout: `${id}  ${createdAt.toISOString()}  ada on bright-star  1 spam\n  | buy\n  | this\n  “a shop”\n`,
    stderr: '1 reported comment.\n',
  });
  expect((await sotto('reports', 'remove', id)).stdout).toBe(`${id} is now removed; its reports are settled.\n`);
  expect((await sotto('reports', 'remove', id)).stdout).toBe(`${id} was already removed; its reports are settled.\n`);
  expect((await sotto('reports')).stdout).toBe('');
  expect(await community.deleteComment(nell, id)).toBe(false);
  expect((await sotto('reports', 'keep', id)).stdout).toBe(`${id} is now shown; its reports are settled.\n`);
  expect((await sotto('reports', 'keep', id)).stdout).toBe(`${id} stays shown; its reports are settled.\n`);
  expect((await sotto('reports', 'warn', id)).stdout).toBe(
    `${id} is now removed; its reports are settled; its author is warned.\n`,
  );
  expect((await sotto('reports', 'undo', id)).stdout).toBe(
    `${id} is as it was before the decision to warn; its reports wait again.\n`,
  );
  const page = await community.listComments(
    { kind: 'visitor' },
    { id: audio.id, commentsDisabled: false },
    { limit: 5 },
  );
  expect(page.items.map(({ text }) => text)).toEqual(['buy\nthis']);
});

test('a voice is given to an account, which is listed, and taken back', async () => {
  await createVoice(db, { slug: 'maren-holt', name: 'Maren Holt' });
  await createViewer(db, { username: 'Maren', email: 'maren@example.org' });
  expect(await sotto('owner', 'maren-holt', 'MAREN@example.org')).toEqual({
    code: 0,
    stdout: 'Maren now owns Maren Holt (maren-holt).\n',
    stderr: '',
  });
  expect((await sotto('owner', 'maren-holt', 'maren')).stdout).toBe('Maren already owns Maren Holt (maren-holt).\n');
  expect(await sotto('owner', 'maren-holt')).toEqual({
    code: 0,
    stdout: 'Maren\n',
    stderr: '1 owner of maren-holt.\n',
  });
  expect((await sotto('owner', 'maren-holt', 'maren', '--remove')).stdout).toBe(
    'Maren is no longer an owner of Maren Holt (maren-holt).\n',
  );
  expect((await sotto('owner', 'maren-holt', 'maren', '--remove')).stdout).toBe(
    'Maren was no owner of Maren Holt (maren-holt).\n',
  );
  expect((await sotto('owner', 'maren-holt')).stderr).toBe('0 owners of maren-holt.\n');
});

test.each<[string[], number, string]>([
  [['reports', 'burn', 'x'], 2, '"burn" is not one of keep, remove, warn, suspend and undo'],
  [['reports', 'keep'], 2, '<id> is missing'],
  [['reports', 'keep', 'x', 'y'], 2, '"y" is one word too many'],
  [['reports', 'keep', 'x'], 1, 'There is no comment "x"'],
  [['reports', 'undo', 'x'], 1, 'There is no decision on a comment "x"'],
  [['owner'], 2, '<voice> is missing'],
  [['owner', 'nobody'], 1, 'There is no voice "nobody"'],
  [['owner', 'nobody', 'maren'], 1, 'There is no voice "nobody"'],
  [['owner', 'maren-holt', 'stranger'], 1, 'There is no account "stranger"'],
  [['owner', 'maren-holt', '--remove'], 2, '<email or username> is missing'],
  [['owner', 'maren-holt', 'maren', '--burn'], 2, "Unknown option '--burn'"],
])('%j is refused in one line', async (args, code, line) => {
  const outcome = await sotto(...args);
  expect(outcome).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(line) });
  expect(outcome.stderr.trimEnd().split('\n')).toHaveLength(1);
});
