/** Rows of a statement’s file, as it is written and read again. */

export const rowKinds = [
  /** An own audio. */
  'audio',
  /** An audio of another creator, with a share in it. */
  'share',
  'correction',
  /** All that were paid, or were paid back. */
  'tips',
  /** Its number, and the day by which it is paid. */
  'statement',
  'total',
  /** All creators together, and the pools. */
  'month',
  /** Place of a creator in the tree of the month. */
  'proof',
  /** Place of an audio in the tree of its creator. */
  'audio-proof',
  'root',
] as const;

export type FileRow = {
  kind: (typeof rowKinds)[number];
  month?: string;
  voiceId?: string;
  audioId?: string;
  title?: string;
  milliseconds?: number;
  /** `12.50 USD; 3.00 EUR` */
  amount?: string | null;
  yours?: string;
  value?: string;
};

/** Fields and their heads, in order. */
export const fileHeads = [
  ['kind', 'Kind'],
  ['month', 'Month'],
  ['voiceId', 'Creator'],
  ['audioId', 'Audio'],
  ['title', 'Title'],
  ['milliseconds', 'Milliseconds'],
  ['amount', 'Amount'],
  ['yours', 'Yours'],
  ['value', 'Value'],
] as const satisfies readonly (readonly [keyof FileRow, string])[];
