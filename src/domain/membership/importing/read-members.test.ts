import { expect, test } from 'vitest';
import { maxImportedMembers } from './rules.ts';
import { readMembers } from './read-members.ts';

const now = new Date('2026-11-30T12:00:00Z');
const read = (text: string) => readMembers(text, now);

function membersOf(text: string) {
  const file = read(text);
  if (!file.ok) throw new Error(file.reason);
  return file.members;
}

test('columns are found by many names, in files with commas, semicolons and a byte order mark', () => {
  const member = {
    line: 2,
    email: 'ana@sotto.example',
    paidUntil: new Date('2027-04-01T00:00:00Z'),
    plan: 'Gold',
    language: 'de',
    customerId: null,
    reason: null,
  };
  for (const text of [
    'email,paid until,plan,language\nana@sotto.example,2027-03-31,Gold,de',
    '\uFEFFE-Mail;Paid_Until;PLAN;Locale\r\n"Ana@Sotto.Example";31.03.2027;Gold;de_AT\r\n',
    'Language\tTier\tExpiry date\tEmail address\tName\nde-CH\t Gold \t2027-03-31\tana@sotto.example\tAna\n',
  ])
    expect(membersOf(text), text).toEqual([member]);
});

test.each([
  ['2027-03-31 10:00', '2027-03-31T10:00:00.000Z'],
  ['2027-03-31T10:00:00Z', '2027-03-31T10:00:00.000Z'],
  ['2027-03-31T10:00:00.5+02:00', '2027-03-31T08:00:00.500Z'],
  ['2027-03-31 10:00:00 UTC', '2027-03-31T10:00:00.000Z'],
  ['1.3.2027', '2027-03-02T00:00:00.000Z'],
  ['2028-02-29', '2028-03-01T00:00:00.000Z'],
])('%s ends at %s', (text, until) => {
  const [member] = membersOf(`email,paid until\na@sotto.example,${text}`);
  expect(member).toMatchObject({ paidUntil: new Date(until), reason: null });
});

test.each([
  ['', 'no-time'],
  ['3/4/2027', 'bad-date'],
  ['2027-02-29', 'bad-date'],
  ['31.02.2027', 'bad-date'],
  ['2027-03-31 25:00', 'bad-date'],
  ['tomorrow', 'bad-date'],
  ['2037-03-31', 'bad-date'],
  ['2026-11-29', 'over'],
  ['2026-11-30T11:59', 'over'],
])('paid until “%s” is refused: %s', (text, reason) => {
  expect(membersOf(`email,paid until\na@sotto.example,${text}`)).toMatchObject([{ reason }]);
});

test('lines are refused by themselves, with the line of the file', () => {
  const text = `email,paid until,stripe customer
,2027-03-31,
not an address,2027-03-31,
a@sotto.example,2027-03-31,

A@SOTTO.example,2027-04-30,
b@sotto.example,2020-01-01,cus_1
c@sotto.example,,cus_1
d@sotto.example,2027-03-31,cus-2
`;
  expect(membersOf(text).map(({ line, reason }) => [line, reason])).toEqual([
    [2, 'no-email'],
    [3, 'no-email'],
    [4, null],
    [6, 'twice'],
    [7, null],
    [8, 'customer-twice'],
    [9, 'bad-customer'],
  ]);
});

test('with a customer, the time is what the provider says', () => {
  const [member] = membersOf('email,paid until,customer\na@sotto.example,2027-03-31,cus_1');
  expect(member).toMatchObject({ customerId: 'cus_1', paidUntil: null, reason: null });
});

test('an unknown language is the default one, and a plan has one line', () => {
  const [member] = membersOf('email,expires,language,plan\na@sotto.example,2027-03-31,tlh,"a\nb"');
  expect(member).toMatchObject({ language: null, plan: null, reason: null });
});

test.each([
  ['email,paid until\n"a@sotto.example,2027-03-31', 'member-import/not-csv'],
  ['email,paid until\na\uFFFD@sotto.example,2027-03-31', 'member-import/not-csv'],
  ['name,paid until\na,2027-03-31', 'member-import/no-columns'],
  ['email,plan\na@sotto.example,Gold', 'member-import/no-columns'],
  ['', 'member-import/no-columns'],
  ['email,paid until\n\n', 'member-import/empty'],
  [`email,expires\n${'a,b\n'.repeat(maxImportedMembers + 1)}`, 'member-import/too-many'],
])('%.40j is no file of members', (text, reason) => {
  expect(read(text)).toEqual({ ok: false, reason });
});
