import { expect, test } from 'vitest';
import { readScript, withoutSpeakers } from './cue-rules.ts';
import { maxScriptLines } from './rules.ts';

const linesOf = (script: string) => {
  const read = readScript(script);
  return read.ok ? read.lines : `${read.reason} ${read.line}`;
};

test('a line of the script is one of the transcript; empty ones and notes are left out', () => {
  expect(linesOf('Come in.\r\n\r\n  Close [softly] the door. \n[laughs]\n[a long\nnote]')).toEqual([
    'Come in.',
    'Close the door.',
    '[a long',
    'note]',
  ]);
});

test('paragraphs are cut at the ends of sentences', () => {
  const sentence = 'It is an old door, and it closes the way old doors do, with a sigh first.';
  expect(linesOf(`${sentence} ${sentence} Then a click.`)).toEqual([sentence, sentence, 'Then a click.']);
});

test('a file with times gives its texts', () => {
  expect(linesOf('WEBVTT\n\n00:01.000 --> 00:02.000\nCome in.\n\n00:03.000 --> 00:04.000\n[sighs] Sit.')).toEqual([
    'Come in.',
    'Sit.',
  ]);
  expect(linesOf('Come in --> now')).toEqual(['Come in --> now']);
  expect(linesOf('00:01.000 --> 00:02.000\nCome in.\n\nSit.')).toBe('no-time 4');
});

test.each([
  ['no lines', '', 'empty 1'],
  ['notes', '[only]\n[notes]', 'empty 1'],
  ['bytes', 'a\0b', 'not-text 1'],
  ['a long line', `Come in.\n${'x'.repeat(1001)}`, 'too-long 2'],
  ['too many lines', 'x\n'.repeat(maxScriptLines + 1), `too-many ${maxScriptLines + 2}`],
])('a script of %s is refused', (_name, script, reason) => {
  expect(linesOf(script)).toBe(reason);
});

test('names of speakers are not said: in capitals, or before two lines', () => {
  expect(
    withoutSpeakers([
      'MAREN: Come in.',
      'Idris: I am.',
      'Idris: Still.',
      'He said: come.',
      'Remember: it rains',
      '-v x',
    ]),
  ).toEqual(['Come in.', 'I am.', 'Still.', 'He said: come.', 'Remember: it rains', '-v x']);
});
