import type Stripe from 'stripe';
import { z } from 'zod';
import { type Endpoint, del, get, named, post } from '../http/endpoint.ts';
import { invalid } from '../http/failure.ts';
import { listOf } from '../http/list.ts';
import { integer, paging, text } from '../http/parameters.ts';
import { newIdOf } from '../store/ids.ts';
import type { Work } from '../store/work.ts';
import { letTimePass } from './bill.ts';

const path = '/v1/test_helpers/test_clocks';
const kind = 'test_helpers.test_clock';

async function advance(work: Work, id: string, until: number): Promise<Stripe.TestHelpers.TestClock> {
  const clock = await work.store.get(kind, id, 'test_clock');
  if (until <= clock.frozen_time)
    throw invalid('The test clock can only be advanced to a time after its frozen time.', 'frozen_time');
  const advancing = { ...clock, status: 'advancing', status_details: { advancing: { target_frozen_time: until } } };
  await work.emit('test_helpers.test_clock.advancing', advancing, { clock: id });
  await letTimePass(work, id, until);
  const ready: Stripe.TestHelpers.TestClock = { ...clock, frozen_time: until, status: 'ready', status_details: {} };
  await work.store.save(ready);
  await work.emit('test_helpers.test_clock.ready', ready, { clock: id });
  return ready;
}

/** Deletes all objects of the clock; events stay. */
async function remove(work: Work, id: string): Promise<object> {
  const clock = await work.store.get(kind, id, 'test_clock');
  await work.store.client.query(
    `update stripe_sandbox.objects set deleted = true, due_at = null
     where clock = $1 or document #>> '{customer}' in
       (select id from stripe_sandbox.objects where kind = 'customer' and clock = $1) and kind <> 'event'`,
    [id],
  );
  work.store.forget();
  await work.emit('test_helpers.test_clock.deleted', clock, { clock: id });
  await work.store.remove(kind, id);
  return { id, object: kind, deleted: true };
}

export const testClockEndpoints: Endpoint[] = [
  post(path, z.strictObject({ frozen_time: integer, name: text.max(300).optional() }), async (work, input) => {
    const created = await work.now(null);
    const clock: Stripe.TestHelpers.TestClock = {
      id: newIdOf(kind),
      object: kind,
      created,
      deletes_after: created + 30 * 86_400,
      frozen_time: input.frozen_time,
      livemode: false,
      name: input.name ?? null,
      status: 'ready',
      status_details: {},
    };
    await work.store.insert<typeof kind>(clock);
    await work.emit('test_helpers.test_clock.created', clock, { clock: null });
    return clock;
  }),
  get(path, z.strictObject(paging), (work, input) => listOf(work, kind, [], input, path)),
  get(`${path}/:id`, z.strictObject({}), (work, _input, at) => work.store.get(kind, named(at, 'id'), 'test_clock')),
  post(`${path}/:id/advance`, z.strictObject({ frozen_time: integer }), (work, input, at) =>
    advance(work, named(at, 'id'), input.frozen_time),
  ),
  del(`${path}/:id`, z.strictObject({}), (work, _input, at) => remove(work, named(at, 'id'))),
];
