import { resolveObjectURL } from 'node:buffer';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { silent } from '#test/support/browser-calls.ts';
import { type EngineOptions, createEngine } from '../media/engine.ts';
import { createFakeClock, settle } from '#test/support/player/fake-clock.ts';
import { FakeMedia } from '#test/support/player/fake-media.ts';
import { ANSWER_LIMIT_MS, askFileRoute, classify } from './failure.ts';
import { alreadyLoaded, createLazy } from '../lazy.ts';
import { createRecovery } from './recovery.ts';
import { RETRY_DELAYS_MS } from './retry.ts';
import { STALLED_AFTER_MS } from './stall-watch.ts';

/** An engine playing at second 60, a file route that answers `answer`, and a network that the test brings back. */
function setUp(
  refreshAccess?: () => Promise<boolean>,
  parts: EngineOptions['parts'] = alreadyLoaded({ createRecovery }),
  fallbackUrl?: () => string,
  storedUrl?: () => string | undefined,
) {
  const clock = createFakeClock();
  const media = new FakeMedia();
  const onlineListeners = new Set<() => void>();
  const route = {
    answer: (): Response | Promise<Response> => new Response(null, { status: 206 }),
    asked: [] as RequestInit[],
  };
  const engine = createEngine({
    parts,
    clock,
    refreshAccess,
    ...(fallbackUrl && { fallbackUrl }),
    ...(storedUrl && { storedUrl }),
    network: {
      subscribe(run) {
        onlineListeners.add(run);
        return () => void onlineListeners.delete(run);
      },
    },
    fetch: async (_url, init) => {
      route.asked.push(init);
      const aborted = Promise.withResolvers<never>();
      aborted.promise.catch(() => undefined);
      init.signal?.addEventListener('abort', () => aborted.reject(new Error('aborted')));
      return Promise.race([route.answer(), aborted.promise]);
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

test('a file that the route still serves, such as after an expired signed address, continues at once and unnoticed', async () => {
  const { media, engine, loseConnection } = setUp();
  const reported: boolean[] = [];
  engine.subscribe(() => reported.push(engine.getSnapshot().reconnecting));
  for (const second of [75, 90]) {
    media.advance(15);
    await loseConnection();
    media.receiveFile(300);
    expect(media.seeks.at(-1)).toBe(second);
    expect(engine.getSnapshot()).toMatchObject({ status: 'playing', failure: null });
  }
  expect(media.files).toHaveLength(3);
  expect(reported).not.toContain(true);
});

test.each([401, 402, 403, 404])(
  'a stored copy that is refused by %i goes on from its other address',
  async (status) => {
    const { media, engine, route, loseConnection } = setUp(undefined, undefined, () => '/files/b');
    route.answer = () => new Response(null, { status });
    media.advance(15);
    await loseConnection();
    expect(media.files.at(-1)).toBe('/files/b');
    media.receiveFile(300);
    expect(media.seeks.at(-1)).toBe(75);
    expect(engine.getSnapshot()).toMatchObject({ status: 'playing', failure: null });
    // Refused there as well.
    await loseConnection();
    expect(engine.getSnapshot().failure).toBe(
      { 401: 'login-required', 402: 'subscription-required', 404: 'gone' }[status] ?? null,
    );
  },
);

test('a connection that is lost again soon is retried at the same second', async () => {
  const { clock, media, engine, loseConnection } = setUp();
  await loseConnection();
  media.receiveFile(300);
  media.advance(4);
  await loseConnection();
  expect(engine.getSnapshot()).toMatchObject({ status: 'waiting', reconnecting: true, failure: null });
  clock.advance(RETRY_DELAYS_MS[0] ?? 0);
  media.receiveFile(300);
  expect(media.seeks).toEqual([60, 60, 64]);
  expect(engine.getSnapshot()).toMatchObject({ status: 'playing', reconnecting: false });
  expect(engine.getPosition()).toBe(64);
});

test('coming back online retries at once', async () => {
  const { media, engine, loseConnection, comeOnline, route, offline, onlineListeners } = setUp();
  route.answer = offline;
  await loseConnection();
  comeOnline();
  expect(media.files).toHaveLength(2);
  expect(onlineListeners.size).toBe(0);
  media.receiveFile(300);
  expect(engine.getSnapshot().status).toBe('playing');
});

test('a lost connection is announced once, until the file route answers; buffered data is no answer', async () => {
  const { clock, media, engine, loseConnection, route, offline, comeOnline } = setUp();
  const reported = [false];
  engine.subscribe(() => {
    const { reconnecting } = engine.getSnapshot();
    if (reported.at(-1) !== reconnecting) reported.push(reconnecting);
  });
  route.answer = offline;
  await loseConnection();
  for (const delay of RETRY_DELAYS_MS.slice(0, 3)) {
    clock.advance(delay);
    media.receiveFile(300);
    await settle();
    expect(engine.getSnapshot()).toMatchObject({ status: 'playing', reconnecting: true });
    await loseConnection();
  }
  engine.load('/files/b', { autoplay: true });
  media.receiveFile(200);
  await settle();
  comeOnline();
  await settle();
  expect(reported).toEqual([false, true]);
  route.answer = () => new Response(null, { status: 206 });
  comeOnline();
  await settle();
  expect(reported).toEqual([false, true, false]);
});

test('retries a limited number of times with growing delays, then fails', async () => {
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

test('after failing, it resumes at the same second when the machine is online again', async () => {
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

test('after failing, it also resumes when the site answers again, although the machine was always online', async () => {
  const { clock, media, engine, route, loseConnection, offline } = setUp();
  route.answer = offline;
  for (const delay of [0, ...RETRY_DELAYS_MS]) {
    clock.advance(delay);
    await loseConnection();
  }
  expect(engine.getSnapshot()).toMatchObject({ status: 'failed', failure: 'network' });
  const before = route.asked.length;
  for (let minute = 0; minute < 3; minute += 1) {
    clock.advance(60_000);
    await settle();
  }
  expect(route.asked).toHaveLength(before + 3);
  expect(engine.getSnapshot().status).toBe('failed');
  route.answer = () => new Response(null, { status: 206 });
  clock.advance(60_000);
  await settle();
  media.receiveFile(300);
  expect(engine.getSnapshot()).toMatchObject({ status: 'playing', failure: null });
  expect(media.seeks.at(-1)).toBe(60);
});

test('a sound that is unloaded while the connection is lost asks no more, and the next one begins anew', async () => {
  const { clock, engine, route, loseConnection, offline } = setUp();
  route.answer = offline;
  await loseConnection();
  expect(engine.getSnapshot().reconnecting).toBe(true);
  engine.unload();
  const before = route.asked.length;
  clock.advance(5 * 60_000);
  await settle();
  expect(route.asked).toHaveLength(before);
  engine.load('/files/b', { autoplay: true });
  expect(engine.getSnapshot()).toMatchObject({ status: 'loading', reconnecting: false });
});

test('after half an hour, the site is not asked any more', async () => {
  const { clock, engine, route, loseConnection, offline } = setUp();
  route.answer = offline;
  for (const delay of [0, ...RETRY_DELAYS_MS]) {
    clock.advance(delay);
    await loseConnection();
  }
  for (let minute = 0; minute < 30; minute += 1) {
    clock.advance(60_000);
    await settle();
  }
  const before = route.asked.length;
  clock.advance(3 * 60 * 60_000);
  await settle();
  expect(route.asked).toHaveLength(before);
  expect(engine.getSnapshot().status).toBe('failed');
});

test.each([
  ['before the attempts are used up', true],
  ['after that', false],
])('a listener who pauses %s hears nothing when the connection is back', async (_, isEarly) => {
  const { clock, engine, route, loseConnection, comeOnline, offline } = setUp();
  route.answer = offline;
  await loseConnection();
  if (isEarly) engine.pause();
  for (const delay of RETRY_DELAYS_MS) {
    clock.advance(delay);
    await loseConnection();
  }
  expect(engine.getSnapshot().status).toBe('failed');
  if (!isEarly) engine.pause();
  route.answer = () => new Response(null, { status: 206 });
  comeOnline();
  clock.advance(5 * 60_000);
  await settle();
  expect(engine.getSnapshot().status).toBe('failed');
});

test('a listener who pauses while the site is asked hears nothing from its answer', async () => {
  const { clock, media, engine, route, loseConnection, offline } = setUp();
  route.answer = offline;
  for (const delay of [0, ...RETRY_DELAYS_MS]) {
    clock.advance(delay);
    await loseConnection();
  }
  const answer = Promise.withResolvers<Response>();
  route.answer = () => answer.promise;
  clock.advance(60_000);
  await settle();
  const loaded = media.files.length;
  engine.pause();
  answer.resolve(new Response(null, { status: 206 }));
  await settle();
  expect(engine.getSnapshot().status).toBe('failed');
  expect(media.files).toHaveLength(loaded);
});

test('after hours, playback does not resume by itself', async () => {
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
  test('is recovered by renewing the access, once, at the same second', async () => {
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

  test('for a missing subscription renews nothing', async () => {
    let renewed = 0;
    const { engine, loseConnection, route } = setUp(async () => Boolean((renewed += 1)));
    route.answer = () => new Response(null, { status: 402 });
    await loseConnection();
    expect(renewed).toBe(0);
    expect(engine.getSnapshot().failure).toBe('subscription-required');
  });

  test('is recovered again after a while of playback, as through a long night', async () => {
    let renewed = 0;
    const { media, engine, loseConnection, route } = setUp(async () => {
      renewed += 1;
      route.answer = () => new Response(null, { status: 206 });
      return true;
    });
    for (let time = 0; time < 3; time += 1) {
      route.answer = () => new Response(null, { status: 401 });
      await loseConnection();
      media.receiveFile(300);
      media.advance(6);
      expect(engine.getSnapshot().status).toBe('playing');
    }
    expect(renewed).toBe(3);
  });

  test('that cannot be recovered gives its reason', async () => {
    for (const refresh of [async () => false, () => Promise.reject(new TypeError('Failed to fetch'))]) {
      const { engine, loseConnection, route } = setUp(refresh);
      route.answer = () => new Response(null, { status: 401 });
      await loseConnection();
      expect(engine.getSnapshot()).toMatchObject({ status: 'failed', failure: 'login-required' });
    }
  });

  test('is ignored when another file is loaded meanwhile', async () => {
    const renewal = Promise.withResolvers<boolean>();
    const { media, engine, loseConnection, route } = setUp(() => renewal.promise);
    route.answer = () => new Response(null, { status: 401 });
    await loseConnection();
    engine.load('/files/b', { autoplay: true });
    renewal.resolve(true);
    await settle();
    expect(media.files).toEqual(['/files/a', '/files/b']);
  });

  test('while waiting for data is recovered too', async () => {
    const { clock, media, engine, route } = setUp(async () => {
      route.answer = () => new Response(null, { status: 206 });
      return true;
    });
    route.answer = () => new Response(null, { status: 404 });
    media.stall();
    clock.advance(STALLED_AFTER_MS);
    await settle();
    media.receiveFile(300);
    expect(engine.getSnapshot().status).toBe('playing');
    expect(engine.getPosition()).toBe(60);
  });

  test.each([true, false])('is over when the wait ends during the renewal, which succeeds: %s', async (isRenewed) => {
    const renewal = Promise.withResolvers<boolean>();
    const { clock, media, engine, route } = setUp(() => renewal.promise);
    route.answer = () => new Response(null, { status: 401 });
    media.stall();
    clock.advance(STALLED_AFTER_MS);
    await settle();
    media.receiveData();
    renewal.resolve(isRenewed);
    await settle();
    expect(media.files).toEqual(['/files/a']);
    expect(engine.getSnapshot()).toMatchObject({ status: 'playing', failure: null });
  });
});

test('after failing, play resumes at the same second', async () => {
  const { media, engine, loseConnection, route } = setUp();
  route.answer = () => new Response(null, { status: 404 });
  await loseConnection(4);
  expect(engine.getSnapshot().status).toBe('failed');
  engine.play();
  expect(engine.getSnapshot()).toMatchObject({ status: 'loading', failure: null });
  media.receiveFile(300);
  expect(engine.getSnapshot().status).toBe('playing');
  expect(engine.getPosition()).toBe(60);
});

test('a connection that breaks at the same second each time is not retried forever', async () => {
  const { clock, media, engine, loseConnection } = setUp();
  await loseConnection();
  for (const delay of [0, ...RETRY_DELAYS_MS]) {
    clock.advance(delay);
    media.receiveFile(300);
    await loseConnection();
  }
  expect(engine.getSnapshot()).toMatchObject({ status: 'failed', failure: 'network' });
});

test('the attempts are reset after a while of playback', async () => {
  const { clock, media, engine, loseConnection } = setUp();
  for (let time = 0; time < 2 * RETRY_DELAYS_MS.length; time += 1) {
    await loseConnection();
    clock.advance(RETRY_DELAYS_MS[0] ?? 0);
    media.receiveFile(300);
    media.advance(6);
    expect(engine.getSnapshot().status).toBe('playing');
  }
});

test('a listener who pauses meanwhile stays paused when the connection is back', async () => {
  const { clock, media, engine, loseConnection } = setUp();
  await loseConnection();
  engine.pause();
  expect(engine.getSnapshot().status).toBe('paused');
  clock.advance(RETRY_DELAYS_MS[0] ?? 0);
  media.receiveFile(300);
  expect(media.paused).toBe(true);
  expect(engine.getSnapshot()).toMatchObject({ status: 'paused', reconnecting: false });
});

test('an audio paused from outside before the connection broke stays paused', async () => {
  const { clock, media, engine, loseConnection } = setUp();
  media.interrupt();
  await loseConnection();
  clock.advance(RETRY_DELAYS_MS[0] ?? 0);
  media.receiveFile(300);
  expect(engine.getSnapshot().status).toBe('paused');
});

test('a play meanwhile waits for the connection, and starts when it is back', async () => {
  const { clock, media, engine, loseConnection } = setUp();
  engine.pause();
  await loseConnection();
  engine.play();
  expect(engine.getSnapshot().status).toBe('waiting');
  clock.advance(RETRY_DELAYS_MS[0] ?? 0);
  media.receiveFile(300);
  expect(engine.getSnapshot().status).toBe('playing');
});

test('an element attached after a failure is left alone until a retry', async () => {
  const { engine, loseConnection } = setUp();
  await loseConnection(3);
  const other = new FakeMedia();
  engine.attach(other);
  expect(other.files).toEqual([]);
  engine.play();
  expect(other.files).toEqual(['/files/a']);
});

test('a seek meanwhile sets the position to resume at', async () => {
  const { clock, media, engine, loseConnection } = setUp();
  await loseConnection();
  engine.seek(200);
  expect(media.seeks).toEqual([60]);
  clock.advance(RETRY_DELAYS_MS[0] ?? 0);
  media.receiveFile(300);
  expect(media.seeks).toEqual([60, 200]);
});

test('another file ends the attempts for the previous one', async () => {
  const { clock, media, engine, loseConnection } = setUp();
  await loseConnection();
  await loseConnection();
  engine.load('/files/b', { autoplay: true });
  clock.advance(60_000);
  expect(media.files).toEqual(['/files/a', '/files/a', '/files/b']);
  expect(engine.getSnapshot()).toMatchObject({ status: 'loading', reconnecting: false });
});

test('an answer that comes after another file is loaded is ignored', async () => {
  const { media, engine, route } = setUp();
  route.answer = () => new Response(null, { status: 402 });
  media.fail(4);
  engine.load('/files/b');
  await settle();
  expect(engine.getSnapshot().failure).toBeNull();
});

test.each([undefined, () => '/files/elsewhere'])(
  'an answer for an older file renews no access, and moves no file',
  async (fallbackUrl) => {
    let renewed = 0;
    const refresh = async () => (renewed += 1) > 0;
    const { media, engine, route, loseConnection } = setUp(refresh, undefined, fallbackUrl);
    const late = Promise.withResolvers<Response>();
    route.answer = () => late.promise;
    await loseConnection();
    engine.load('/files/b', { autoplay: true });
    media.receiveFile(300);
    late.resolve(new Response(null, { status: 401 }));
    await settle();
    route.answer = () => new Response(null, { status: 206 });
    await loseConnection();
    expect(media.files).toEqual(['/files/a', '/files/b', '/files/b']);
    expect(renewed).toBe(0);
  },
);

describe('a long wait', () => {
  test('is checked after three seconds, and a lost connection is retried at the same second', async () => {
    const { clock, media, engine, route, offline } = setUp();
    media.advance(15);
    route.answer = offline;
    media.stall();
    clock.advance(STALLED_AFTER_MS - 1);
    expect(route.asked).toHaveLength(0);
    clock.advance(1);
    await settle();
    expect(engine.getSnapshot()).toMatchObject({ status: 'waiting', reconnecting: true });
    clock.advance(RETRY_DELAYS_MS[0] ?? 0);
    route.answer = () => new Response(null, { status: 206 });
    media.receiveFile(300);
    await settle();
    expect(media.seeks).toEqual([60, 75]);
    expect(engine.getSnapshot()).toMatchObject({ status: 'playing', reconnecting: false });
  });

  test('on a slow connection just continues, and the file route is not asked while bytes arrive', async () => {
    const { clock, media, engine, route } = setUp();
    media.stall();
    for (const count of [1, 2, 3, 4, 5, 6]) {
      media.receiveSome(60 + count / 10);
      clock.advance(STALLED_AFTER_MS);
      await settle();
    }
    expect(route.asked).toHaveLength(0);
    expect(engine.getSnapshot()).toMatchObject({ status: 'waiting', reconnecting: false });
    expect(media.files).toHaveLength(1);
    // The last bytes were those.
    for (const _ of [1, 2]) {
      clock.advance(STALLED_AFTER_MS);
      await settle();
    }
    expect(engine.getSnapshot().reconnecting).toBe(true);
  });

  test(`${silent('sound: no byte while it should play')} is reported within eight seconds, whatever the file route answers or not`, async () => {
    expect(2 * STALLED_AFTER_MS).toBeLessThan(8000);
    expect(STALLED_AFTER_MS + ANSWER_LIMIT_MS).toBeLessThan(8000);
    for (const answers of [true, false]) {
      const { clock, media, engine, route } = setUp();
      if (!answers) route.answer = () => new Promise(() => {});
      media.stall();
      expect(engine.getSnapshot().reconnecting).toBe(false);
      for (let second = 0; second < 8; second += 1) {
        clock.advance(1000);
        await settle();
      }
      expect(engine.getSnapshot()).toMatchObject({ status: 'waiting', reconnecting: true });
      expect(media.files).toHaveLength(2);
    }
  });

  test('reloads the file at the same second, each time one check later, until bytes arrive', async () => {
    const { clock, media, engine } = setUp();
    media.stall();
    async function look() {
      clock.advance(STALLED_AFTER_MS);
      await settle();
    }
    for (const looks of [2, 3, 4]) {
      const files = media.files.length;
      for (let count = 0; count < looks; count += 1) {
        expect(media.files).toHaveLength(files);
        await look();
      }
      clock.advance(RETRY_DELAYS_MS[looks - 2] ?? 0);
      expect(media.files).toHaveLength(files + 1);
    }
    media.receiveFile(300);
    expect(engine.getSnapshot().status).toBe('playing');
    expect(engine.getPosition()).toBe(60);
  });

  test('plays the copy on the device, if there is one by now', async () => {
    const stored: { address?: string } = {};
    const { clock, media, engine, route, offline } = setUp(undefined, undefined, undefined, () => stored.address);
    route.answer = offline;
    stored.address = '/kept/a/sound';
    media.stall();
    clock.advance(STALLED_AFTER_MS);
    await settle();
    expect(media.files).toEqual(['/files/a', '/kept/a/sound']);
    media.receiveFile(300);
    expect(engine.getPosition()).toBe(60);
  });

  test('of a copy on the device is retried like any other', async () => {
    const { clock, media, engine, route, offline } = setUp(undefined, undefined, undefined, () => '/kept/a/sound');
    route.answer = offline;
    media.stall();
    clock.advance(STALLED_AFTER_MS);
    await settle();
    expect(media.files).toEqual(['/files/a', '/kept/a/sound']);
    clock.advance(STALLED_AFTER_MS);
    await settle();
    expect(media.files).toHaveLength(2);
    expect(engine.getSnapshot().reconnecting).toBe(true);
  });

  test('that ends while the site is asked renews no access', async () => {
    let renewed = 0;
    const { clock, media, engine, route } = setUp(async () => Boolean((renewed += 1)));
    const answer = Promise.withResolvers<Response>();
    route.answer = () => answer.promise;
    media.stall();
    clock.advance(STALLED_AFTER_MS);
    await settle();
    media.receiveData();
    answer.resolve(new Response(null, { status: 401 }));
    await settle();
    expect([renewed, media.files.length, engine.getSnapshot().status]).toEqual([0, 1, 'playing']);
  });

  test('that ends by itself ends the attempts', async () => {
    const { clock, media, engine, route, offline } = setUp();
    route.answer = offline;
    media.stall();
    clock.advance(STALLED_AFTER_MS);
    await settle();
    route.answer = () => new Response(null, { status: 206 });
    media.receiveData();
    await settle();
    clock.advance(60_000);
    expect(media.files).toHaveLength(1);
    expect(engine.getSnapshot()).toMatchObject({ status: 'playing', reconnecting: false });
  });

  test('that ends during a check changes nothing', async () => {
    const { clock, media, engine, route, offline } = setUp();
    route.answer = offline;
    media.stall();
    clock.advance(STALLED_AFTER_MS);
    media.receiveData();
    await settle();
    expect(engine.getSnapshot()).toMatchObject({ status: 'playing', reconnecting: false });
  });

  test('after a reload without data is checked as well, until no attempts are left', async () => {
    const { clock, media, engine, route, offline } = setUp();
    route.answer = offline;
    media.stall();
    const secondsInAll =
      RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay + STALLED_AFTER_MS, STALLED_AFTER_MS) / 1000;
    for (let second = 0; second < secondsInAll; second += 1) {
      clock.advance(1000);
      await settle();
    }
    expect(media.files).toHaveLength(1 + RETRY_DELAYS_MS.length);
    expect(route.asked).toHaveLength(1 + RETRY_DELAYS_MS.length);
    expect(engine.getSnapshot()).toMatchObject({ status: 'failed', failure: 'network' });
  });

  test('is ignored when playback is not wanted, or the audio plays', () => {
    const { clock, media, engine, route } = setUp();
    clock.advance(60_000);
    media.stall();
    engine.pause();
    clock.advance(60_000);
    expect(route.asked).toHaveLength(0);
  });

  test('is not checked during the check of an error', async () => {
    const { clock, media, route } = setUp();
    route.answer = () => new Promise(() => {});
    media.stall();
    media.fail(2);
    clock.advance(STALLED_AFTER_MS);
    await settle();
    expect(route.asked).toHaveLength(1);
  });

  test('restarts with another file', () => {
    const { clock, media, engine, route } = setUp();
    media.stall();
    clock.advance(STALLED_AFTER_MS - 1);
    engine.load('/files/b', { autoplay: true });
    clock.advance(STALLED_AFTER_MS - 1);
    expect(route.asked).toHaveLength(0);
    clock.advance(1);
    expect(route.asked).toHaveLength(1);
  });

  test('for an audio whose subscription has ended gives that reason', async () => {
    const { clock, media, engine, route } = setUp();
    route.answer = () => new Response(null, { status: 402 });
    media.stall();
    clock.advance(STALLED_AFTER_MS);
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

describe('sound that stands still although its element plays', () => {
  const look = async (clock: ReturnType<typeof setUp>['clock']) => {
    clock.advance(STALLED_AFTER_MS);
    await settle();
  };

  test('is loaded again at the same second after its second check', async () => {
    const { clock, media, engine } = setUp();
    media.advance(2);
    await look(clock);
    await look(clock);
    expect(media.files).toHaveLength(1);
    await look(clock);
    expect(media.files).toEqual(['/files/a', '/files/a']);
    media.receiveFile(300);
    expect(media.currentTime).toBe(62);
    expect(engine.getSnapshot()).toMatchObject({ status: 'playing', reconnecting: false, failure: null });
  });

  test('is left alone after three times, and watched again once it has got on', async () => {
    const { clock, media } = setUp();
    const freeze = async (looks: number) => {
      for (let count = 0; count < looks; count += 1) {
        await look(clock);
        if (media.readyState === 0) media.receiveFile(300);
      }
    };
    await freeze(20);
    expect(media.files).toHaveLength(4);
    media.advance(6);
    await freeze(20);
    expect(media.files).toHaveLength(7);
  });

  test('is not meant when it stands for one look, as after a sleep of the machine, or is paused', async () => {
    const { clock, media, engine } = setUp();
    for (let count = 0; count < 4; count += 1) {
      media.advance(1);
      await look(clock);
      await look(clock);
    }
    engine.pause();
    for (let count = 0; count < 4; count += 1) await look(clock);
    expect(media.files).toHaveLength(1);
  });
});

test('a file that cannot be decoded fails without a request', async () => {
  const { engine, loseConnection, route } = setUp();
  await loseConnection(3);
  expect(engine.getSnapshot()).toMatchObject({ status: 'failed', failure: 'decode' });
  expect(route.asked).toHaveLength(0);
});

test('a connection that breaks while the file loads is no pause: playback starts when it is back', async () => {
  const { clock, media, engine, loseConnection, route, offline } = setUp();
  engine.load('/files/b', { autoplay: true });
  route.answer = offline;
  await loseConnection(4);
  expect(engine.getSnapshot()).toMatchObject({ status: 'loading', reconnecting: true });
  clock.advance(RETRY_DELAYS_MS[0] ?? 0);
  media.receiveFile(300);
  expect(engine.getSnapshot().status).toBe('playing');
});

test('a reachable but unsupported file is retried at once and after a second before it counts as broken', async () => {
  const { clock, engine, loseConnection } = setUp();
  await loseConnection(4);
  await loseConnection(4);
  expect(engine.getSnapshot().reconnecting).toBe(true);
  clock.advance(RETRY_DELAYS_MS[0] ?? 0);
  await loseConnection(4);
  expect(engine.getSnapshot().failure).toBe('decode');
});

test('during the check of a file, no lost connection is announced', async () => {
  const { media, engine, route } = setUp();
  route.answer = () => new Response(null, { status: 402 });
  const reported = [false];
  engine.subscribe(() => reported.push(engine.getSnapshot().reconnecting));
  media.fail(4);
  expect(engine.getSnapshot().status).toBe('waiting');
  await settle();
  expect(engine.getSnapshot().status).toBe('failed');
  expect(reported).not.toContain(true);
});

test('asks for one byte, and follows no redirect', async () => {
  const { loseConnection, route } = setUp();
  await loseConnection();
  expect(route.asked).toHaveLength(1);
  expect(route.asked[0]).toMatchObject({ headers: { Range: 'bytes=0-0' }, redirect: 'manual' });
});

test('a redirect to storage proves access; a server error counts as a network failure', async () => {
  const clock = createFakeClock();
  const answer = (response: { status: number; type: ResponseType; ok: boolean }) =>
    askFileRoute('/files/a', async () => response, clock);
  expect(await answer({ status: 0, type: 'opaqueredirect', ok: false })).toBe('reachable');
  expect(await answer({ status: 503, type: 'basic', ok: false })).toBe('network');
  expect(await answer({ status: 206, type: 'basic', ok: true })).toBe('reachable');
});

test(`${silent('sound: the site’s answer why a file does not play')} counts as no connection`, async () => {
  const clock = createFakeClock();
  const answer = askFileRoute(
    '/files/a',
    (_url, init) =>
      new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(new Error('aborted')))),
    clock,
  );
  clock.advance(ANSWER_LIMIT_MS);
  expect(await answer).toBe('network');
});

test('the file route’s answer outranks the media error, unless the data itself is broken', () => {
  expect(classify(2, 'gone', 0)).toBe('gone');
  expect(classify(2, 'reachable', 5)).toBe('network');
  expect(classify(4, 'reachable', 0)).toBe('network');
  expect(classify(4, 'reachable', 1)).toBe('decode');
  expect(classify(3, 'login-required', 0)).toBe('decode');
});

describe('before the code that recovers has loaded', () => {
  function setUpLate() {
    let arrive: () => void = () => {};
    const arrived = new Promise<{ createRecovery: typeof createRecovery }>((resolve) => {
      arrive = () => resolve({ createRecovery });
    });
    const network = { subscribe: () => () => {} };
    const parts = createLazy({ load: () => arrived, clock: createFakeClock(), network });
    const arriveNow = async () => {
      arrive();
      await settle();
    };
    return { ...setUp(undefined, parts), arriveNow };
  }

  test('a file that fails shows a lost connection; its cause is asked for once the code is there', async () => {
    const { engine, route, loseConnection, arriveNow } = setUpLate();
    route.answer = () => new Response(null, { status: 404 });
    await loseConnection(4);
    expect(engine.getSnapshot()).toMatchObject({ status: 'waiting', reconnecting: true, failure: null });
    await arriveNow();
    expect(engine.getSnapshot()).toMatchObject({ status: 'failed', reconnecting: false, failure: 'gone' });
  });

  test('a failed file that was left in between is not asked about', async () => {
    const { media, engine, route, loseConnection, arriveNow } = setUpLate();
    await loseConnection();
    engine.load('/files/b', { autoplay: true });
    media.receiveFile(300);
    await arriveNow();
    expect(route.asked).toEqual([]);
    expect(engine.getSnapshot()).toMatchObject({ status: 'playing', reconnecting: false });
  });

  test('a wait that began earlier is checked too', async () => {
    const { clock, engine, route, media, arriveNow } = setUpLate();
    media.stall();
    await arriveNow();
    clock.advance(STALLED_AFTER_MS);
    await settle();
    expect(engine.getSnapshot().status).toBe('waiting');
    expect(route.asked).toHaveLength(1);
  });
});

describe('where the network takes byte ranges away', () => {
  const whole = 'the whole file';

  /** A real answer to the request for the whole file. */
  function serveWhole(answer: () => Response | Promise<Response>) {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url);
      return answer();
    });
    return asked;
  }
  afterEach(() => vi.unstubAllGlobals());

  /** An audio that starts at second 40, of whose file only the beginning can be sought. */
  function setUpWithoutRanges(seekableEnd = 0) {
    const parts = setUp();
    parts.media.seekableEnd = seekableEnd;
    parts.media.seeks.length = 0;
    parts.engine.load('/files/b', { autoplay: true, startAt: 40 });
    return parts;
  }

  test.each([
    ['Chromium, which can return to the beginning', 0],
    ['Firefox, which can jump within what has arrived', 8],
  ])('a stored place is kept in %s: the file is loaded whole, and plays from there', async (_, seekableEnd) => {
    const asked = serveWhole(() => new Response(whole, { headers: { 'content-type': 'audio/mpeg' } }));
    const { media, engine } = setUpWithoutRanges(seekableEnd);
    const places: number[] = [];
    engine.subscribePosition(() => places.push(engine.getPosition()));
    media.receiveMetadata(300);
    media.receiveData(8);
    expect(engine.getSnapshot().status).toBe('loading');
    expect(media.seeks).toEqual([]);
    await expect.poll(() => media.files.at(-1)).toMatch(/^blob:/);
    expect(asked).toEqual(['/files/b?whole']);
    expect(await resolveObjectURL(media.files.at(-1) ?? '')?.text()).toBe(whole);
    media.seekableEnd = undefined;
    media.receiveFile(300);
    expect(media.seeks).toEqual([40]);
    expect(engine.getSnapshot().status).toBe('playing');
    expect(engine.getPosition()).toBe(40);
    expect(places.filter((place) => place < 40)).toEqual([]);
  });

  test('a jump while it plays loads the whole file once, and the last jump counts', async () => {
    const asked = serveWhole(() => new Response(whole));
    const { media, engine } = setUp();
    media.seekableEnd = 70;
    media.seeks.length = 0;
    engine.seek(65);
    media.finishSeek();
    engine.seek(75);
    engine.seek(90);
    expect(engine.getPosition()).toBe(90);
    await expect.poll(() => media.files.at(-1)).toMatch(/^blob:/);
    media.seekableEnd = undefined;
    media.receiveFile(300);
    expect(asked).toHaveLength(1);
    expect(media.seeks).toEqual([65, 90]);
    expect(engine.getPosition()).toBe(90);

    media.seekableEnd = 0;
    engine.seek(95);
    expect(media.seeks).toEqual([65, 90, 95]);
    expect(asked).toHaveLength(1);
  });

  test('an element that knows only with its first sound how far it can jump gets no whole file', () => {
    const asked = serveWhole(() => new Response(whole));
    const { media, engine } = setUpWithoutRanges();
    media.receiveMetadata(300);
    expect(media.seeks).toEqual([]);
    media.seekableEnd = undefined;
    media.receiveData();
    expect(media.seeks).toEqual([40]);
    media.finishSeek();
    expect(engine.getPosition()).toBe(40);
    expect(asked).toEqual([]);
  });

  test('a whole file that does not come counts as a lost connection', async () => {
    serveWhole(() => Promise.reject(new TypeError('Failed to fetch')));
    const { media, engine } = setUpWithoutRanges();
    media.receiveFile(300);
    await expect.poll(() => engine.getSnapshot().reconnecting).toBe(true);
    expect(engine.getPosition()).toBe(40);
  });

  type Parts = ReturnType<typeof setUp>;
  const arrived = async ({ media }: Parts) => {
    await expect.poll(() => media.files.at(-1)).toMatch(/^blob:/);
    media.seekableEnd = undefined;
    media.receiveFile(300);
  };

  test.each<[string, (parts: Parts) => Promise<void> | void, { asked: number; place: number; status: string }]>([
    ['a jump back', ({ engine }) => engine.seek(20), { asked: 1, place: 20, status: 'playing' }],
    ['a jump to the end', ({ engine }) => engine.seek(299), { asked: 1, place: 299, status: 'playing' }],
    ['a jump beyond the end', ({ engine }) => engine.seek(999), { asked: 1, place: 300, status: 'playing' }],
    ['a small step', ({ engine }) => engine.seek(61), { asked: 1, place: 61, status: 'playing' }],
    [
      'steps in a row',
      ({ engine }) => {
        for (const second of [75, 90, 105, 120]) engine.seek(second);
      },
      { asked: 1, place: 120, status: 'playing' },
    ],
    [
      'a jump while it is paused',
      ({ engine }) => {
        engine.pause();
        engine.seek(120);
      },
      { asked: 1, place: 120, status: 'paused' },
    ],
    [
      'a jump, and a pause before the file is there',
      ({ engine }) => {
        engine.seek(120);
        engine.pause();
      },
      { asked: 1, place: 120, status: 'paused' },
    ],
    [
      'a jump at another speed',
      ({ engine, media }) => {
        media.playbackRate = 1.5;
        engine.seek(120);
      },
      { asked: 1, place: 120, status: 'playing' },
    ],
    [
      'a jump after the connection came back',
      async ({ engine, media, loseConnection }) => {
        await loseConnection();
        media.receiveFile(300);
        engine.seek(120);
      },
      { asked: 1, place: 120, status: 'playing' },
    ],
    [
      'a jump forth and back to the beginning',
      ({ engine }) => {
        engine.seek(120);
        engine.seek(5);
      },
      { asked: 1, place: 5, status: 'playing' },
    ],
  ])('%s leads there, and no lower place is told before', async (_what, act, { asked: calls, place, status }) => {
    const asked = serveWhole(() => new Response(whole));
    const parts = setUp();
    parts.media.seekableEnd = 0;
    const places: number[] = [];
    parts.engine.subscribePosition(() => places.push(parts.engine.getPosition()));
    await act(parts);
    await arrived(parts);
    expect(asked).toHaveLength(calls);
    expect([parts.engine.getPosition(), parts.engine.getSnapshot().status]).toEqual([place, status]);
    expect(places.filter((one) => one < Math.min(60, place))).toEqual([]);
  });

  test.each<[string, () => Response]>([
    ['nothing', () => new Response(null, { status: 204 })],
    ['a refusal', () => new Response(null, { status: 402 })],
    ['an error', () => new Response('busy', { status: 503 })],
    [
      'a body that breaks off',
      () =>
        new Response(
          new ReadableStream({
            start(controller) {
              controller.enqueue(new Uint8Array(10));
              controller.error(new TypeError('network error'));
            },
          }),
        ),
    ],
  ])('%s in place of the whole file keeps the place', async (_what, answer) => {
    serveWhole(answer);
    const { media, engine } = setUpWithoutRanges();
    media.receiveFile(300);
    await expect.poll(() => engine.getSnapshot().reconnecting).toBe(true);
    expect([engine.getPosition(), media.seeks]).toEqual([40, []]);
  });

  test('another audio meanwhile is not replaced', async () => {
    const answer = Promise.withResolvers<Response>();
    serveWhole(() => answer.promise);
    const { media, engine } = setUpWithoutRanges();
    media.receiveFile(300);
    engine.load('/files/c', { autoplay: true });
    answer.resolve(new Response(whole));
    await settle();
    await settle();
    expect(media.files.at(-1)).toBe('/files/c');
  });
});
