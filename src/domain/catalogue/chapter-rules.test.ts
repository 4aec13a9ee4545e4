import { expect, test } from 'vitest';
import {
  chaptersOf,
  chaptersOfLines,
  faultsOfChapters,
  hasRoomAt,
  maxChapters,
  readableChapters,
  writtenChapters,
} from './chapter-rules.ts';

const at = (...starts: number[]) => starts.map((start) => ({ start, title: `At ${start}` }));

test('a chapter lasts ten seconds, also the last one, and has a title', () => {
  expect(faultsOfChapters(at(0, 10, 50), 60)).toEqual([undefined, undefined, undefined]);
  expect(faultsOfChapters(at(0, 9.999, 50.001), 60)).toEqual([undefined, 'too-short', 'outside']);
  expect(faultsOfChapters(at(20, 10), 60)).toEqual([undefined, 'too-short']);
  // 0.1 + 10 is more than 10.1.
  expect(faultsOfChapters(at(5.1, 15.1), 60)).toEqual([undefined, undefined]);
  expect(faultsOfChapters([{ start: 0, title: ' ' }], 60)).toEqual(['untitled']);
  expect(faultsOfChapters([{ start: 0, title: '🔥'.repeat(200) }], 60)).toEqual([undefined]);
  expect(faultsOfChapters([{ start: 0, title: '🔥'.repeat(201) }], 60)).toEqual(['too-long']);
});

test('a chapter can be set where its neighbours keep ten seconds', () => {
  expect([0, 9, 10, 21, 30, 50, 51].filter((start) => hasRoomAt(at(20), start, 60))).toEqual([0, 9, 10, 30, 50]);
});

test('listeners get those that were set, within the recording, else those of the description', () => {
  const description = 'On rain.\n0:00 The door\n0:20 – The hall';
  expect(chaptersOf(at(0, 30, 55), description, 60)).toEqual(at(0, 30));
  const written = [
    { start: 0, title: 'The door' },
    { start: 20, title: 'The hall' },
  ];
  expect(chaptersOf(null, description, 60)).toEqual(written);
  expect(chaptersOf([], description, 60)).toEqual(written);
});

test.each([
  ['one line', '0:00 The door'],
  ['a late beginning', '0:01 The door\n0:20 The hall'],
  ['times that go back', '0:00 The door\n0:30 The hall\n0:20 The stairs'],
  ['times after the end', '0:00 The door\n1:00 The hall'],
  ['text alone', 'At 0:00 it begins'],
])('a description with %s has no chapters', (_, description) => {
  expect(writtenChapters(description, 60)).toEqual([]);
});

test('of what a file states, the readable part is taken, in its order', () => {
  const stated = [
    { start: 30, title: ' The hall ' },
    { start: -1, title: 'The door' },
    { start: 5, title: 'Too short' },
    { start: 15, title: '  ' },
    { start: 55, title: 'Too late' },
    { start: 42.12345, title: 'x'.repeat(300) },
  ];
  expect(readableChapters(stated, 60)).toEqual([
    { start: 0, title: 'The door' },
    { start: 30, title: 'The hall' },
    { start: 42.123, title: 'x'.repeat(200) },
  ]);
  const many = Array.from({ length: 300 }, (_, index) => ({ start: index * 10, title: 'a' }));
  expect(readableChapters(many, 10_000)).toHaveLength(maxChapters);
});

test('a text has a chapter after each long pause, with its first words', () => {
  const line = (start: number, end: number, text: string) => ({ start, end, text });
  const lines = [
    line(1.2, 4, 'Come in.'),
    line(4.5, 14, 'Close the door.'),
    line(16.7, 20, `${'Up the stairs '.repeat(6)}and on`),
    line(22.5, 30, 'Too soon'),
    line(32, 55, 'At last'),
  ];
  expect(chaptersOfLines(lines, 60)).toEqual([
    { start: 0, title: 'Come in.' },
    { start: 16, title: 'Up the stairs Up the stairs Up the stairs Up the stairs Up…' },
    { start: 32, title: 'At last' },
  ]);
  expect(chaptersOfLines([], 60)).toEqual([]);
});
