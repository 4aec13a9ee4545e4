import { noWords } from '#formats/content-languages.ts';
import type { SyntheticVoice, VoiceType } from '../rules.ts';
import type { AudioLength } from './rules.ts';

/** Numbers in `audio_filter_keys`, as `filter_keys` of the migration makes them: four times a number, plus the kind. */

export const tagKey = (number: number) => 4 * number;
export const categoryKey = (number: number) => 4 * number + 1;
const ofAudio = (number: number) => 4 * number + 2;

/** @returns undefined for a key of another kind */
export const tagNumberOf = (key: number) => (key % 4 === 0 ? key / 4 : undefined);

export const freeKey = ofAudio(1);
export const syntheticVoiceKeys: Record<SyntheticVoice, number> = {
  none: ofAudio(2),
  partly: ofAudio(3),
  wholly: ofAudio(4),
};
export const lengthKeys: Record<AudioLength, number> = {
  short: ofAudio(5),
  medium: ofAudio(6),
  long: ofAudio(7),
  longer: ofAudio(8),
};
export const voiceTypeKeys: Record<VoiceType, number> = {
  female: ofAudio(9),
  male: ofAudio(10),
  'non-binary': ofAudio(11),
};

const firstLanguage = 1000;
/** A digit for each letter, the first one least; 0 for none. */
const lettersBase = 27;
const beforeA = 96;

/** @param language primary subtag */
export function languageKey(language: string): number {
  const digits = [0, 1, 2].map((at) => Math.max(0, (language.charCodeAt(at) || 0) - beforeA) * lettersBase ** at);
  return ofAudio(firstLanguage + digits.reduce((sum, digit) => sum + digit));
}

/** @returns undefined for a key of something else, and for sound without words */
export function languageOf(key: number): string | undefined {
  let rest = (key - ofAudio(firstLanguage)) / 4;
  if (rest <= 0 || !Number.isInteger(rest)) return undefined;
  let language = '';
  for (; rest > 0; rest = Math.floor(rest / lettersBase))
    language += String.fromCharCode(beforeA + (rest % lettersBase));
  return language === noWords ? undefined : language;
}
