import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepToken } from '#test/support/components/mount.tsx';
import { silence } from '#test/support/components/silence.ts';
import { localUploads } from './local-uploads.ts';
import { addFiles, belongTo, dismiss, pause } from './upload-manager.ts';

const phases = () => localUploads().map(({ file, phase }) => `${file.name} ${phase.is}`);
const keyOf = (name: string) => localUploads().find(({ file }) => file.name === name)?.key ?? expect.fail();
/** Requests of the protocol's client, which never get an answer. */
let sent: number;

beforeEach(() => {
  sent = 0;
  vi.spyOn(XMLHttpRequest.prototype, 'send').mockImplementation(() => void (sent += 1));
  keepToken('u1');
  belongTo('u1');
});

afterEach(() => {
  for (const { key } of localUploads()) dismiss(key);
});

const add = (...names: string[]) =>
  addFiles(
    names.map((name) => silence(0.5, name)),
    { voiceId: 'v1', choices: {} },
  );

/** Acts while the browser reads the length of the first file. */
function whileItIsRead(act: () => void): void {
  const make = URL.createObjectURL.bind(URL);
  vi.spyOn(URL, 'createObjectURL').mockImplementationOnce((file) => {
    queueMicrotask(act);
    return make(file);
  });
}

test('a file that is paused while it is looked at is not sent', async () => {
  whileItIsRead(() => pause(keyOf('rain.wav')));
  await add('rain.wav');
  await add('sea.wav');
  await expect.poll(() => sent).toBe(1);
  expect(phases()).toEqual(['rain.wav paused', 'sea.wav uploading']);
});

test('one that is removed meanwhile stays removed, and the next one goes up', async () => {
  whileItIsRead(() => dismiss(keyOf('rain.wav')));
  await add('rain.wav', 'sea.wav');
  await expect.poll(() => sent).toBe(1);
  expect(phases()).toEqual(['sea.wav uploading']);
});

test('one that is paused while its turn begins is not sent', async () => {
  const hold = navigator.locks.request.bind(navigator.locks) as (...args: unknown[]) => Promise<unknown>;
  vi.spyOn(navigator.locks, 'request').mockImplementationOnce((...args: unknown[]) => {
    pause(keyOf('rain.wav'));
    return hold(...args);
  });
  await add('rain.wav', 'sea.wav');
  await expect.poll(() => sent).toBe(1);
  expect(phases()).toEqual(['rain.wav paused', 'sea.wav uploading']);
});

test('the files of the former user stop when another one logs in', async () => {
  await add('rain.wav', 'sea.wav', 'wind.wav');
  expect(phases()).toEqual(['rain.wav uploading', 'sea.wav uploading', 'wind.wav waiting']);
  belongTo('u1');
  expect(phases()).toHaveLength(3);
  belongTo('u2');
  expect(phases()).toEqual([]);
});
