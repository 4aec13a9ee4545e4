import { expect, test } from 'vitest';
import { faultsOf, formatCueTime, parseCueTime, readCueFile, writeVtt } from './rules.ts';

const srt = `1\r\n00:00:00,650 --> 00:00:04,680\r\nHow do I love thee?\r\nLet me count the ways.\r\n\r\n2\r\n0:0:05.33 --> 00:00:08,5\r\nI love thee`;

test('SubRip is read, also as programs write it with points and without zeros', () => {
  expect(readCueFile(srt, 60)).toEqual({
    ok: true,
    isTimed: true,
    cues: [
      { start: 0.65, end: 4.68, text: 'How do I love thee? Let me count the ways.' },
      { start: 5.33, end: 8.5, text: 'I love thee' },
    ],
  });
});

test('a transcript that was downloaded is read back as it was', () => {
  const cues = [
    { start: 0, end: 2.5, text: 'Salt & <pepper> --> 1 < 2' },
    { start: 3599.5, end: 3601.25, text: 'An hour later' },
  ];
  expect(readCueFile(writeVtt(cues), 4000)).toEqual({ ok: true, isTimed: true, cues });
});

test('plain text is spread over the recording by length, without gaps', () => {
  const read = readCueFile('aaaa\n\nbb\n  cc  \n', 16);
  expect(read).toEqual({
    ok: true,
    isTimed: false,
    cues: [
      { start: 0, end: 8, text: 'aaaa' },
      { start: 8, end: 12, text: 'bb' },
      { start: 12, end: 16, text: 'cc' },
    ],
  });
  expect(faultsOf(read.ok ? read.cues : [], 16)).toEqual([undefined, undefined, undefined]);
});

test('paragraphs are cut at the ends of sentences', () => {
  const sentence = `${'Word '.repeat(20).trim()}.`;
  const read = readCueFile(`${sentence} ${sentence}`, 10);
  expect(read.ok && read.cues.map(({ text }) => text)).toEqual([sentence, sentence]);
});

test.each([
  ['', 'empty', 1],
  ['WEBVTT\n\nNOTE nothing\n', 'empty', 1],
  ['WEBVTT\n\n00:01.000 --> 00:02.000\nx\n\n00:0x.000 --> 00:03.000\ny', 'not-a-time', 6],
  ['WEBVTT\n\n1\n00:02.000 --> 00:01.000\nx', 'ends-before-start', 4],
  ['1\n00:00:01,000 --> 00:00:02,000\nx\n\nforgotten', 'no-time', 5],
  [`a\n${'b'.repeat(1001)}`, 'too-long', 2],
  ['a\nb\0', 'not-text', 2],
  ['a\n'.repeat(20_001), 'too-many', 20_002],
] as const)('%j is refused: %s in line %i', (file, reason, line) => {
  expect(readCueFile(file, 10)).toEqual({ ok: false, reason, line });
});

test('a line says the first thing that is wrong with it', () => {
  const cues = [
    { start: 0, end: 2, text: 'fine' },
    { start: 1.5, end: 3, text: 'overlaps' },
    { start: 5, end: 4, text: 'backwards' },
    { start: 5, end: 6, text: ' ' },
    { start: 9, end: 10.5, text: 'outside' },
  ];
  expect(faultsOf(cues, 10)).toEqual([undefined, 'overlaps', 'ends-before-start', 'empty', 'outside']);
});

test.each([
  ['0:19.4', 19.4],
  ['19,4', 19.4],
  ['1:00:19', 3619],
  ['90', 90],
  [' 2:05.125 ', 125.125],
  ['0:60', undefined],
  ['1:60:00', undefined],
  ['', undefined],
  ['soon', undefined],
  ['-1', undefined],
])('%j typed as a time is %j', (text, seconds) => {
  expect(parseCueTime(text)).toBe(seconds);
});

test('times are written with hundredths, and carry over', () => {
  expect([0.65, 59.999, 3619.4].map(formatCueTime)).toEqual(['0:00.65', '1:00.00', '1:00:19.40']);
});
