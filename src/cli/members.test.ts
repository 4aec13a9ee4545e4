/** @module-tag slow */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, expect, test, vi } from 'vitest';
import { users } from '#domain/identity/tables.ts';
import { auditEntries } from '#domain/kernel/audit.ts';
import { englishErrors } from '#domain/kernel/errors.ts';
import { memberImports } from '#domain/membership/importing/tables.ts';
import { memberships } from '#domain/membership/tables.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser } from '#test/support/factories.ts';
import { runSotto } from '#test/support/processes/command-line.ts';

vi.setConfig({ testTimeout: 60_000 });

const { db, url } = await createTestDatabase();
const folder = await mkdtemp(join(tmpdir(), 'sotto-cli-members-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const sotto = (...args: string[]) =>
  runSotto(args, { environment: { DATA_DIR: folder, DATABASE_URL: url }, startFolder: folder });

test('members are planned, imported and repeated', async () => {
  await createUser(db, { email: 'known@example.org' });
  const file = 'email;paid until\nnew@example.org;2031-03-31\nknown@example.org;2031-03-31\nnobody;2031-03-31\n';
  await writeFile(join(folder, 'members.csv'), file);
  const planned = await sotto('members', 'import', 'members.csv', '--dry-run', '--json');
  expect(planned).toMatchObject({ code: 0, stderr: 'line 4: no-email\n' });
  expect(JSON.parse(planned.stdout)).toMatchObject({
    total: 3,
    new: 1,
    known: 1,
    refused: 1,
    note: 'Nothing was changed',
  });
  expect(await db.$count(memberImports)).toBe(0);
  expect(await db.$count(users, eq(users.email, 'new@example.org'))).toBe(0);

  const done = await sotto('members', 'import', 'members.csv', '--json');
  expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining('3 of 3 lines') as string });
  expect(JSON.parse(done.stdout)).toMatchObject({ new: 1, known: 1, refused: 1, given: 2, waiting: 0, note: 'Done' });
  expect(await db.$count(memberships, eq(memberships.giftUntil, new Date('2031-04-01T00:00:00Z')))).toBe(2);
  const mails = await sotto('mails', 'list', '--json');
  expect(mails.stdout.match(/new@example\.org/g)).toHaveLength(1);
  const acts = await db.select().from(auditEntries).where(eq(auditEntries.subjectType, 'member-import'));
  expect(acts).toMatchObject([{ action: 'member-import.start', actorRole: 'operator', subjectName: 'members.csv' }]);

  const again = await sotto('members', 'import', 'members.csv', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ new: 0, known: 2, given: 0 });
  expect((await sotto('mails', 'list', '--json')).stdout).toBe(mails.stdout);
});

test('a stopped import goes on with the same file, and another one waits', async () => {
  await writeFile(join(folder, 'a.csv'), 'email,expires\na@example.org,2031-03-31\n');
  await writeFile(join(folder, 'b.csv'), 'email,expires\nb@example.org,2031-03-31\n');
  await sotto('members', 'import', 'a.csv');
  // As a killed command leaves it.
  await db.execute(sql`update imported_members set state = 'waiting' where email = 'a@example.org'`);
  await db.execute(sql`update member_imports set state = 'running', ended_at = null where file_name = 'a.csv'`);
  expect(await sotto('members', 'import', 'b.csv')).toMatchObject({
    code: 1,
    stderr: `${englishErrors['member-import/running']}\n`,
  });
  const resumed = await sotto('members', 'import', 'a.csv', '--json');
  expect(JSON.parse(resumed.stdout)).toMatchObject({ new: 1, waiting: 0, note: 'Done' });
  expect(await db.$count(users, eq(users.email, 'a@example.org'))).toBe(1);
  expect(await db.$count(memberImports, eq(memberImports.fileName, 'a.csv'))).toBe(1);
});

test('what is no file of members is refused', async () => {
  expect(await sotto('members', 'import', 'missing.csv')).toMatchObject({ code: 1 });
  await writeFile(join(folder, 'other.csv'), 'name,age\nAna,30\n');
  expect(await sotto('members', 'import', 'other.csv')).toMatchObject({
    code: 1,
    stderr: `${englishErrors['member-import/no-columns']}\n`,
  });
});
