import { expect, test } from 'vitest';
import { readCueFile, writeVtt } from './cue-rules.ts';
import { faultsOf } from './rules.ts';

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
  ['1\n00:00:01,000 --> 00:00:0x,000\nx', 'not-a-time', 2],
  ['1\n00:00:01,000 --> 00:00:02,000\nx\n\nforgotten', 'no-time', 5],
  [`a\n${'b'.repeat(1001)}`, 'too-long', 2],
  ['a\nb\0', 'not-text', 2],
  ['a\n'.repeat(20_001), 'too-many', 20_002],
] as const)('%j is refused: %s in line %i', (file, reason, line) => {
  expect(readCueFile(file, 10)).toEqual({ ok: false, reason, line });
});

/** Texts of the cues of a file, with their times in whole seconds. */
function cuesIn(file: string): string[] | string {
  const read = readCueFile(file, 60);
  return read.ok ? read.cues.map(({ start, end, text }) => `${start}-${end} ${text}`) : `${read.reason} ${read.line}`;
}

const at = (from: number, to: number) => `00:00:0${from}.000 --> 00:00:0${to}.000`;
const vtt = (...lines: string[]) => ['WEBVTT', ...lines].join('\n');
const srtOf = (...lines: string[]) => lines.join('\n').replaceAll('.000', ',000');

test.each<[string, string, string[] | string]>([
  ['no empty line after the head', vtt(at(0, 2), 'One.', '', at(2, 4), 'Two.'), ['0-2 One.', '2-4 Two.']],
  ['lines in the head', vtt('Kind: captions', 'Language: en', at(0, 2), 'One.'), ['0-2 One.']],
  [
    'captions of YouTube',
    vtt('', `${at(0, 2)} align:start`, ' ', 'hello<00:00:00.480><c> there</c>'),
    ['0-2 hello there'],
  ],
  ['spaces between lines', vtt('', at(0, 2), 'One', '  ', 'more.'), ['0-2 One more.']],
  ['no empty line between cues', vtt('', at(0, 2), 'One.', at(2, 4), 'Two.'), ['0-2 One.', '2-4 Two.']],
  ['a number between them', vtt('', '1', at(0, 2), 'One.', '2', at(2, 4), 'Two.'), ['0-2 One.', '2-4 Two.']],
  ['an identifier', vtt('', 'intro', at(0, 2), 'One.'), ['0-2 One.']],
  ['lines before an identifier', vtt('', 'NOTE by', 'hand', at(0, 2), 'One.'), ['0-2 One.']],
  ['styles and regions', vtt('', 'STYLE', '::cue {}', '', 'REGION', 'id:a', '', at(0, 2), 'One.'), ['0-2 One.']],
  ['no spaces around the arrow', vtt('', '00:00.000-->00:02.000', 'One.'), ['0-2 One.']],
  ['one digit of hours', vtt('', '0:00:00.000 --> 0:00:02.000', 'One.'), ['0-2 One.']],
  ['sixty seconds', vtt('', '00:60.000 --> 01:02.000', 'One.'), 'not-a-time 3'],
  ['a cut-off tag', vtt('', at(0, 2), 'One <i'), ['0-2 One']],
  ['a voice', vtt('', at(0, 2), '<v Ana>One</v> two'), ['0-2 One two']],
  [
    'references',
    vtt('', at(0, 2), 'I&#39;m &quot;now&quot; &#x2014; caf&eacute; &amp;lt; &none;'),
    ['0-2 I\'m "now" — café &lt; &none;'],
  ],
  ['marks of direction', vtt('', at(0, 2), 'a&rlm;b&nbsp;c'), ['0-2 a\u200Fb c']],
  ['SubRip without empty lines', srtOf('1', at(0, 2), 'One.', '2', at(2, 4), 'Two?'), ['0-2 One.', '2-4 Two?']],
  ['SubRip without numbers', srtOf(at(0, 2), 'One.', at(2, 4), 'Two?'), ['0-2 One.', '2-4 Two?']],
  ['a number that is said', srtOf('1', at(0, 2), '7', '', '2', at(2, 4), '8'), ['0-2 7', '2-4 8']],
  [
    'SubRip with spaces for empty lines',
    srtOf('1', at(0, 2), 'One.', ' ', '2', at(2, 4), 'Two?'),
    ['0-2 One.', '2-4 Two?'],
  ],
  ['a SubRip line of one space', srtOf('1', at(0, 2), ' ', 'One.'), ['0-2 One.']],
  ['a heart', srtOf('1', at(0, 2), 'Hearts <3 and 5 > 4, love you >:)'), ['0-2 Hearts <3 and 5 > 4, love you >:)']],
  ['tags of SubRip', srtOf('1', at(0, 2), '<font color="red"><I>One</I></font> <b>two</b>'), ['0-2 One two']],
  ['an unknown tag', srtOf('1', at(0, 2), '<whispers> One'), ['0-2 <whispers> One']],
  [
    'positions',
    srtOf('1', at(0, 2), String.raw`{\an8}{\i1}Hello`, String.raw`{\b}there {\o/}`),
    [String.raw`0-2 Hello there {\o/}`],
  ],
  ['references in SubRip', srtOf('1', at(0, 2), 'Tom &amp; Ana &#9829;'), ['0-2 Tom & Ana ♥']],
  ['a text in place of times', srtOf('1', at(0, 2), 'One.', '', '2', 'lost', at(2, 4), 'Two.'), 'no-time 5'],
])('%s', (_name, file, cues) => {
  expect(cuesIn(file)).toEqual(cues);
  expect(cuesIn(file.replaceAll('\n', '\r\n'))).toEqual(cues);
});
