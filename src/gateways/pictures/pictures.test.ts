import sharp from 'sharp';
import { expect, test } from 'vitest';
import { slow } from '#test/support/tags.ts';
import { openCovers } from '../covers.ts';
import { openPictures, PictureTooCostly, PictureUnreadable } from './pictures.ts';

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#405060' } });
/** A progressive JPEG, which takes some 250 MB at this size. */
const heavy = await plain(5000, 4990).jpeg({ progressive: true }).toBuffer();
const light = await plain(64, 48).png().toBuffer();
const size = { width: 64, height: 48 };

test('a progressive JPEG above 25 megapixels is refused before it is decoded', async () => {
  const small = await plain(64, 48).jpeg({ progressive: true }).toBuffer();
  const frame = small.indexOf(Buffer.from([0xff, 0xc2]));
  small.writeUInt16BE(5000, frame + 5);
  small.writeUInt16BE(5001, frame + 7);
  const covers = openCovers();
  const render = { width: 64, height: 48, fit: 'inside', format: 'png' } as const;
  for (const refused of [covers.encode(small), covers.keep(small), covers.render(small, render)])
    await expect(refused).rejects.toMatchObject({ code: 'picture/too-costly' });
});

test('an interlaced PNG of that size is refused too, and a baseline JPEG is not', slow, async () => {
  const covers = openCovers();
  const interlaced = await plain(5100, 5000).png({ progressive: true }).toBuffer();
  await expect(covers.encode(interlaced)).rejects.toMatchObject({ code: 'picture/too-costly' });
  expect(await covers.encode(await plain(5100, 5000).jpeg().toBuffer())).toBeInstanceOf(Uint8Array);
});

test(
  'a picture that takes more memory than one may have ends its program, and the next one gets another',
  slow,
  async () => {
    const pictures = openPictures({ megabytes: 170 });
    const [first, second, third] = [
      pictures.run('keep', heavy),
      pictures.run('measure', light),
      pictures.run('keep', light),
    ];
    await expect(first).rejects.toBeInstanceOf(PictureTooCostly);
    expect(await second).toEqual(size);
    expect(await third).toMatchObject(size);
  },
);

test('a picture that takes more time than one may have ends its program', slow, async () => {
  const pictures = openPictures({ seconds: 2 });
  const turbulence = '<feTurbulence baseFrequency="0.7" numOctaves="200"/>'.repeat(20);
  const endless = `<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="4000"><filter id="f">${turbulence}</filter><rect width="4000" height="4000" filter="url(#f)"/></svg>`;
  const to = { width: 4000, height: 4000, fit: 'inside', format: 'png' } as const;
  await expect(pictures.run('render', Buffer.from(endless), to)).rejects.toBeInstanceOf(PictureTooCostly);
  expect(await pictures.run('measure', light)).toEqual(size);
});

test('a program that keeps much memory is replaced, without a lost picture', slow, async () => {
  const pictures = openPictures({ restingMegabytes: 1 });
  const tasks = Array.from({ length: 4 }, () => pictures.run('measure', light));
  expect(await Promise.all(tasks)).toEqual(Array(4).fill(size));
});

test('what is no picture is told apart from what takes too much', async () => {
  const pictures = openPictures();
  for (const broken of [Buffer.from('no picture'), heavy.subarray(0, 2000)])
    await expect(pictures.run('encode', broken)).rejects.toBeInstanceOf(PictureUnreadable);
});

test.each([
  ['pictures', { waiting: 2 }],
  ['megabytes', { waitingMegabytes: (3.5 * light.byteLength) / 1024 / 1024 }],
])('more %s than may wait are refused', async (_what, limits) => {
  const pictures = openPictures(limits);
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => pictures.run('measure', light)));
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(3);
  expect(refused.length).toBeLessThan(7);
  expect(refused[0]).toMatchObject({ reason: { code: 'request/too-many' } });
});

test('a program that cannot start is no fault of the picture', async () => {
  const pictures = openPictures({ addressMegabytes: 50 });
  await expect(pictures.run('measure', light)).rejects.toThrow('The program that reads pictures does not start');
});
