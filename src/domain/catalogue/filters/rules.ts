/** Classes of length: from (included) to (excluded), in minutes. */
export const lengthClasses = {
  short: [0, 10],
  medium: [10, 20],
  long: [20, 40],
  longer: [40, undefined],
} as const satisfies Record<string, readonly [from: number, to: number | undefined]>;
export type AudioLength = keyof typeof lengthClasses;
export const audioLengths = Object.keys(lengthClasses) as AudioLength[];

/** Values of each list in a filter. */
export const maxFilterValues = 20;

/** Fields of `AudioFilter`, in the order of addresses. */
export const filterNames = [
  'tag',
  'not',
  'length',
  'free',
  'syntheticVoice',
  'language',
  'voiceType',
  'shorterThan',
] as const;
