import { editDistance, tooFar } from '#formats/edit-distance.ts';

/**
 * The setting that a name was probably meant to be, such as SITE_URL for SITE_ULR. The environment also holds names of
 * other programs, so a short name such as HOST counts as a mistake only when two of its letters are swapped.
 */
export function findIntendedSetting(name: string, settings: readonly string[]): string | undefined {
  if (settings.includes(name)) return undefined;
  return settings.find((setting) => isNearMiss(name, setting));
}

const shortLength = 7;

function isNearMiss(name: string, setting: string): boolean {
  if (setting.length < shortLength)
    return name.length === setting.length && sortLetters(name) === sortLetters(setting) && isWithin(name, setting, 1);
  return isWithin(name, setting, 2) && (name[0] === setting[0] || hasCommonPart(name, setting));
}

function isWithin(name: string, setting: string, max: number): boolean {
  // Maximum word length of the distance matrix.
  return name.length < 60 && editDistance(name, setting, max, false) !== tooFar;
}

function sortLetters(name: string): string {
  return [...name].toSorted().join('');
}

function hasCommonPart(name: string, setting: string): boolean {
  const parts = new Set(setting.split('_'));
  return name.split('_').some((part) => parts.has(part));
}
