import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { newId } from '../kernel/ids.ts';
import { withPaymentLock } from './lock.ts';

const { db } = await createTestDatabase();
const inProgress = { code: 'payment/in-progress' };

test('a caller that waits too long fails, and the one behind it gets the next turn', async () => {
  const user = newId();
  const hanging = Promise.withResolvers<void>();
  const first = withPaymentLock(db, user, () => hanging.promise);
  const begun: string[] = [];
  const impatient = withPaymentLock(db, user, async () => void begun.push('impatient'), 50);
  const patient = withPaymentLock(db, user, async () => void begun.push('patient'));
  await expect(impatient).rejects.toMatchObject(inProgress);
  expect(begun).toEqual([]);
  hanging.resolve();
  await Promise.all([first, patient]);
  expect(begun).toEqual(['patient']);
});
