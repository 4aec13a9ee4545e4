import { describe, expect, test } from 'vitest';
import { createEngine } from './engine.ts';
import { createFakeClock, settle } from './fake-clock.ts';
import { FakeMedia } from './fake-media.ts';
import { ask, classify } from './failure.ts';
import { RETRY_DELAYS_MS } from './recovery.ts';

/** An engine that plays at second 60, a file route that answers `answer`, and a network that comes back by hand. */
function setUp(refreshAccess?: () => Promise<boolean>) {
  const clock = createFakeClock();
  const media = new FakeMedia();
  const onlineListeners = new Set<() => void>();
  const route = {
    answer: (): Response | Promise<Response> => new Response(null, { status: 206 }),
    asked: [] as RequestInit[],
  };
  const engine = createEngine({
    clock,
    refreshAccess,
    network: {
      subscribe(run) {
        onlineListeners.add(run);
        return () => void onlineListeners.delete(run);
      },
    },
    fetch: async (_url, init) => {
      route.asked.push(init);
      return route.answer();
    },
  });
  engine.attach(media);
  clock.advance(0);
  engine.load('/files/a', { autoplay: true, startAt: 60 });
  media.receiveFile(300);
  const loseConnection = async (code = 2) => {
    media.fail(code);
    await settle();
  };
  const comeOnline = () => [...onlineListeners].forEach((run) => run());
  const offline = () => {
    throw new TypeError('Failed to fetch');
  };
  return { clock, media, engine, route, loseConnection, comeOnline, offline, onlineListeners };
}

test('a lost connection is tried again at the same second', async () => {
  const { clock, media, engine, loseConnection } = setUp();
  media.advance(15);
  await loseConnection();
  expect(engine.getSnapshot()).toMatchObject({ status: 'waiting', reconnecting: true, failure: null });
  clock.advance(RETRY_DELAYS_MS[0] ?? 0);
  media.receiveFile(300);
  expect(media.seeks).toEqual([60, 75]);
  expect(engine.getSnapshot()).toMatchObject({ status: 'playing', reconnecting: false });
  expect(engine.getPosition()).toBe(75);
});

test('coming back online is not waited out', async () => {
  const { media, engine, loseConnection, comeOnline, route, offline, onlineListeners } = setUp();
  route.answer = offline;
  await loseConnection();
  comeOnline();
  expect(media.files).toHaveLength(2);
  expect(onlineListeners.size).toBe(0);
  media.receiveFile(300);
  expect(engine.getSnapshot().status).toBe('playing');
});

test('tries a bounded number of times, waits longer each time, and then says so', async () => {
  const { clock, media, engine, loseConnection, route, offline, onlineListeners } = setUp();
  route.answer = offline;
  await loseConnection();
  for (const delay of RETRY_DELAYS_MS) {
    const files = media.files.length;
    clock.advance(delay - 1);
    expect(media.files).toHaveLength(files);
    clock.advance(1);
    expect(media.files).toHaveLength(files + 1);
    await loseConnection();
  }
  expect(engine.getSnapshot()).toMatchObject({ status: 'failed', failure: 'network', reconnecting: false });
  expect(onlineListeners.size).toBe(1);
});

test('after it gave up, it goes on at the same second when the machine is online again', async () => {
  const { clock, media, engine, loseConnection, route, offline, comeOnline, onlineListeners } = setUp();
  route.answer = offline;
  for (const delay of [0, ...RETRY_DELAYS_MS]) {
    clock.advance(delay);
    await loseConnection();
  }
  expect(engine.getSnapshot().status).toBe('failed');
  clock.advance(10 * 60_000);
  comeOnline();
  media.receiveFile(300);
  expect(engine.getSnapshot()).toMatchObject({ status: 'playing', failure: null });
  expect(engine.getPosition()).toBe(60);
  expect(onlineListeners.size).toBe(0);
});

test('hours later, no sound comes by itself', async () => {
  const { clock, engine, loseConnection, route, offline, comeOnline } = setUp();
  route.answer = offline;
  for (const delay of [0, ...RETRY_DELAYS_MS]) {
    clock.advance(delay);
    await loseConnection();
  }
  clock.advance(31 * 60_000);
  comeOnline();
  expect(engine.getSnapshot().status).toBe('failed');
});

describe('a refusal in the middle', () => {
  test('is mended by renewing the access, once, at the same second', async () => {
    let renewed = 0;
    const { media, engine, loseConnection, route } = setUp(async () => {
      renewed += 1;
      route.answer = () => new Response(null, { status: 206 });
      return true;
    });
    route.answer = () => new Response(null, { status: 401 });
    media.advance(15);
    await loseConnection();
    media.receiveFile(300);
    expect(renewed).toBe(1);
    expect(engine.getSnapshot()).toMatchObject({ status: 'playing', failure: null });
    expect(engine.getPosition()).toBe(75);
  });

  test.each([401, 403, 404])('by %i is tried once, and a second one is final', async (status) => {
    let renewed = 0;
    const { media, engine, loseConnection, route } = setUp(async () => {
      renewed += 1;
      return true;
    });
    route.answer = () => new Response(null, { status });
    await loseConnection();
    expect(media.files).toHaveLength(2);
    await loseConnection();
    expect(renewed).toBe(1);
    expect(engine.getSnapshot()).toMatchObject(status === 403 ? { reconnecting: true } : { status: 'failed' });
  });

  test('for want of a subscription renews nothing', async () => {
    let renewed = 0;
    const { engine, loseConnection, route } = setUp(async () => Boolean((renewed += 1)));
    route.answer = () => new Response(null, { status: 402 });
    await loseConnection();
    expect(renewed).toBe(0);
    expect(engine.getSnapshot().failure).toBe('subscription-required');
  });

  test('that cannot be mended says why', async () => {
    for (const refresh of [async () => false, () => Promise.reject(new TypeError('Failed to fetch'))]) {
      const { engine, loseConnection, route } = setUp(refresh);
      route.answer = () => new Response(null, { status: 401 });
      await loseConnection();
      expect(engine.getSnapshot()).toMatchObject({ status: 'failed', failure: 'login-required' });
    }
  });

  test('is no matter any more when another file is loaded meanwhile', async () => {
    const renewal = Promise.withResolvers<boolean>();
    const { media, engine, loseConnection, route } = setUp(() => renewal.promise);
    route.answer = () => new Response(null, { status: 401 });
    await loseConnection();
    engine.load('/files/b', { autoplay: true });
    renewal.resolve(true);
    await settle();
    expect(media.files).toEqual(['/files/a', '/files/b']);
  });

  test('while it waits for data is mended too', async () => {
    const { clock, media, engine, route } = setUp(async () => {
      route.answer = () => new Response(null, { status: 206 });
      return true;
    });
    route.answer = () => new Response(null, { status: 404 });
    media.stall();
    clock.advance(8000);
    await settle();
    media.receiveFile(300);
    expect(engine.getSnapshot().status).toBe('playing');
    expect(engine.getPosition()).toBe(60);
  });
});

test('after it gave up, retry goes on at the same second, and play does the same', async () => {
  for (const command of ['retry', 'play'] as const) {
    const { media, engine, loseConnection, route } = setUp();
    route.answer = () => new Response(null, { status: 404 });
    await loseConnection(4);
    expect(engine.getSnapshot().status).toBe('failed');
    engine[command]();
    expect(engine.getSnapshot()).toMatchObject({ status: 'loading', failure: null });
    media.receiveFile(300);
    expect(engine.getSnapshot().status).toBe('playing');
    expect(engine.getPosition()).toBe(60);
  }
});

test('a connection that breaks at the same second each time does not go on for ever', async () => {
  const { clock, media, engine, loseConnection } = setUp();
  await loseConnection();
  for (const delay of RETRY_DELAYS_MS) {
    clock.advance(delay);
    media.receiveFile(300);
    media.advance(1);
    await loseConnection();
  }
  expect(engine.getSnapshot()).toMatchObject({ status: 'failed', failure: 'network' });
});

test('once it played on for a while, the attempts are counted from nothing', async () => {
  const { clock, media, engine, loseConnection } = setUp();
  for (let time = 0; time < 2 * RETRY_DELAYS_MS.length; time += 1) {
    await loseConnection();
    clock.advance(RETRY_DELAYS_MS[0] ?? 0);
    media.receiveFile(300);
    media.advance(6);
    expect(engine.getSnapshot().status).toBe('playing');
  }
});

test('a listener who pauses meanwhile hears nothing when the connection is back', async () => {
  const { clock, media, engine, loseConnection } = setUp();
  await loseConnection();
  engine.pause();
  expect(engine.getSnapshot().status).toBe('paused');
  clock.advance(RETRY_DELAYS_MS[0] ?? 0);
  media.receiveFile(300);
  expect(media.paused).toBe(true);
  expect(engine.getSnapshot()).toMatchObject({ status: 'paused', reconnecting: false });
});

test('what was paused from outside before the connection broke stays paused', async () => {
  const { clock, media, engine, loseConnection } = setUp();
  media.interrupt();
  await loseConnection();
  clock.advance(RETRY_DELAYS_MS[0] ?? 0);
  media.receiveFile(300);
  expect(engine.getSnapshot().status).toBe('paused');
});

test('a play meanwhile waits with the listener, and starts when the connection is back', async () => {
  const { clock, media, engine, loseConnection } = setUp();
  engine.pause();
  await loseConnection();
  engine.play();
  expect(engine.getSnapshot().status).toBe('waiting');
  clock.advance(RETRY_DELAYS_MS[0] ?? 0);
  media.receiveFile(300);
  expect(engine.getSnapshot().status).toBe('playing');
});

test('an element that comes after a failure is left alone until it is asked to try again', async () => {
  const { engine, loseConnection } = setUp();
  await loseConnection(3);
  const other = new FakeMedia();
  engine.attach(other);
  expect(other.files).toEqual([]);
  engine.retry();
  expect(other.files).toEqual(['/files/a']);
});

test('a seek meanwhile is where it goes on', async () => {
  const { clock, media, engine, loseConnection } = setUp();
  await loseConnection();
  engine.seek(200);
  expect(media.seeks).toEqual([60]);
  clock.advance(RETRY_DELAYS_MS[0] ?? 0);
  media.receiveFile(300);
  expect(media.seeks).toEqual([60, 200]);
});

test('another file ends the attempts for the one before', async () => {
  const { clock, media, engine, loseConnection } = setUp();
  await loseConnection();
  engine.load('/files/b', { autoplay: true });
  clock.advance(60_000);
  expect(media.files).toEqual(['/files/a', '/files/b']);
  expect(engine.getSnapshot()).toMatchObject({ status: 'loading', reconnecting: false });
});

test('an answer that comes when another file is loaded is about nothing', async () => {
  const { media, engine, route } = setUp();
  route.answer = () => new Response(null, { status: 402 });
  media.fail(4);
  engine.load('/files/b');
  await settle();
  expect(engine.getSnapshot().failure).toBeNull();
});

describe('waiting that lasts', () => {
  test('is looked into after eight seconds, and a lost connection is tried again at the same second', async () => {
    const { clock, media, engine, route, offline } = setUp();
    media.advance(15);
    route.answer = offline;
    media.stall();
    clock.advance(7999);
    expect(route.asked).toHaveLength(0);
    clock.advance(1);
    await settle();
    expect(engine.getSnapshot()).toMatchObject({ status: 'waiting', reconnecting: true });
    clock.advance(RETRY_DELAYS_MS[0] ?? 0);
    media.receiveFile(300);
    expect(media.seeks).toEqual([60, 75]);
    expect(engine.getSnapshot()).toMatchObject({ status: 'playing', reconnecting: false });
  });

  test('for a slow line only goes on waiting, and is looked into again', async () => {
    const { clock, media, engine, route } = setUp();
    media.stall();
    for (const count of [1, 2, 3, 4, 5, 6]) {
      media.receiveSome(60 + count / 10);
      clock.advance(8000);
      await settle();
      expect(route.asked).toHaveLength(count);
    }
    expect(engine.getSnapshot()).toMatchObject({ status: 'waiting', reconnecting: false });
    expect(media.files).toHaveLength(1);
  });

  test('without a single new byte for twenty-four seconds gets the file anew, whatever the file route says', async () => {
    const { clock, media, engine } = setUp();
    media.stall();
    for (const count of [1, 2, 3]) {
      expect(media.files).toHaveLength(1);
      clock.advance(8000);
      await settle();
      expect(engine.getSnapshot().reconnecting).toBe(count === 3);
    }
    clock.advance(RETRY_DELAYS_MS[0] ?? 0);
    expect(media.files).toHaveLength(2);
    media.receiveFile(300);
    expect(engine.getSnapshot().status).toBe('playing');
    expect(engine.getPosition()).toBe(60);
  });

  test('that ends by itself ends the attempts', async () => {
    const { clock, media, engine, route, offline } = setUp();
    route.answer = offline;
    media.stall();
    clock.advance(8000);
    await settle();
    media.receiveData();
    clock.advance(60_000);
    expect(media.files).toHaveLength(1);
    expect(engine.getSnapshot()).toMatchObject({ status: 'playing', reconnecting: false });
  });

  test('that ends while it is looked into changes nothing', async () => {
    const { clock, media, engine, route, offline } = setUp();
    route.answer = offline;
    media.stall();
    clock.advance(8000);
    media.receiveData();
    await settle();
    expect(engine.getSnapshot()).toMatchObject({ status: 'playing', reconnecting: false });
  });

  test('after a reload that brings nothing is looked into as well, until there are no attempts left', async () => {
    const { clock, media, engine, route, offline } = setUp();
    route.answer = offline;
    media.stall();
    const secondsInAll = RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay + 8000, 8000) / 1000;
    for (let second = 0; second < secondsInAll; second += 1) {
      clock.advance(1000);
      await settle();
    }
    expect(media.files).toHaveLength(1 + RETRY_DELAYS_MS.length);
    expect(route.asked).toHaveLength(1 + RETRY_DELAYS_MS.length);
    expect(engine.getSnapshot()).toMatchObject({ status: 'failed', failure: 'network' });
  });

  test('is no matter when nobody wants sound, or the audio plays', () => {
    const { clock, media, engine, route } = setUp();
    clock.advance(60_000);
    media.stall();
    engine.pause();
    clock.advance(60_000);
    expect(route.asked).toHaveLength(0);
  });

  test('is not looked into when an error is being looked into already', async () => {
    const { clock, media, route } = setUp();
    route.answer = () => new Promise(() => {});
    media.stall();
    media.fail(2);
    clock.advance(9000);
    await settle();
    expect(route.asked).toHaveLength(1);
  });

  test('begins anew with another file', () => {
    const { clock, media, engine, route } = setUp();
    media.stall();
    clock.advance(7000);
    engine.load('/files/b', { autoplay: true });
    clock.advance(7000);
    expect(route.asked).toHaveLength(0);
    clock.advance(1000);
    expect(route.asked).toHaveLength(1);
  });

  test('of an audio whose subscription has ended says so', async () => {
    const { clock, media, engine, route } = setUp();
    route.answer = () => new Response(null, { status: 402 });
    media.stall();
    clock.advance(8000);
    await settle();
    expect(engine.getSnapshot()).toMatchObject({ status: 'failed', failure: 'subscription-required' });
  });
});

test.each([
  [401, 'login-required'],
  [402, 'subscription-required'],
  [404, 'gone'],
  [410, 'gone'],
] as const)('the file route answering %i fails at once as %s', async (status, failure) => {
  const { media, engine, loseConnection, route } = setUp();
  route.answer = () => new Response(null, { status });
  await loseConnection(4);
  expect(engine.getSnapshot()).toMatchObject({ status: 'failed', failure });
  expect(media.files).toHaveLength(1);
});

test('a file that cannot be decoded fails without asking', async () => {
  const { engine, loseConnection, route } = setUp();
  await loseConnection(3);
  expect(engine.getSnapshot()).toMatchObject({ status: 'failed', failure: 'decode' });
  expect(route.asked).toHaveLength(0);
});

test('a connection that breaks while the file loads is no pause: it plays when it is back', async () => {
  const { clock, media, engine, loseConnection, route, offline } = setUp();
  engine.load('/files/b', { autoplay: true });
  route.answer = offline;
  await loseConnection(4);
  expect(engine.getSnapshot()).toMatchObject({ status: 'loading', reconnecting: true });
  clock.advance(RETRY_DELAYS_MS[0] ?? 0);
  media.receiveFile(300);
  expect(engine.getSnapshot().status).toBe('playing');
});

test('a file that is there but not supported is tried once more before it counts as broken', async () => {
  const { clock, engine, loseConnection } = setUp();
  await loseConnection(4);
  expect(engine.getSnapshot().reconnecting).toBe(true);
  clock.advance(RETRY_DELAYS_MS[0] ?? 0);
  await loseConnection(4);
  expect(engine.getSnapshot().failure).toBe('decode');
});

test('while it is asked why a file does not come, nothing is said of a lost connection', async () => {
  const { media, engine, route } = setUp();
  route.answer = () => new Response(null, { status: 402 });
  const told: boolean[] = [];
  engine.subscribe(() => told.push(engine.getSnapshot().reconnecting));
  media.fail(4);
  expect(engine.getSnapshot().status).toBe('waiting');
  await settle();
  expect(engine.getSnapshot().status).toBe('failed');
  expect(told).not.toContain(true);
});

test('asks for one byte, and follows no redirect', async () => {
  const { loseConnection, route } = setUp();
  await loseConnection();
  expect(route.asked).toHaveLength(1);
  expect(route.asked[0]).toMatchObject({ headers: { Range: 'bytes=0-0' }, redirect: 'manual' });
});

test('a redirect to storage says that the file may be had; a server in trouble is a matter of the network', async () => {
  const clock = createFakeClock();
  const answer = (response: { status: number; type: ResponseType; ok: boolean }) =>
    ask('/files/a', async () => response, clock);
  expect(await answer({ status: 0, type: 'opaqueredirect', ok: false })).toBe('reachable');
  expect(await answer({ status: 503, type: 'basic', ok: false })).toBe('network');
  expect(await answer({ status: 206, type: 'basic', ok: true })).toBe('reachable');
});

test('a file route that never answers is given up after ten seconds', async () => {
  const clock = createFakeClock();
  const answer = ask(
    '/files/a',
    (_url, init) =>
      new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(new Error('aborted')))),
    clock,
  );
  clock.advance(10_000);
  expect(await answer).toBe('network');
});

test('what the file route says counts more than the media error, unless the data itself is broken', () => {
  expect(classify(2, 'gone', 0)).toBe('gone');
  expect(classify(2, 'reachable', 5)).toBe('network');
  expect(classify(4, 'reachable', 0)).toBe('network');
  expect(classify(4, 'reachable', 1)).toBe('decode');
  expect(classify(3, 'login-required', 0)).toBe('decode');
});
