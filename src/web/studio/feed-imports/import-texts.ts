import { t } from '@lingui/core/macro';
import type { FeedFailure, ItemFailure, ItemObstacle } from '#domain/studio/feed-imports/rules.ts';
import { failureTexts } from '../../workshop/upload-failure-texts.ts';

/** Why a feed was not read. */
export const feedFailureTexts = (): Record<FeedFailure, string> => ({
  unreachable: t`The feed could not be loaded: its host did not answer, or answered with an error.`,
  'not-public': t`This address cannot be read from here. Use the public address of the feed, with https.`,
  'not-a-feed': t`There is no feed at this address. It should be RSS, Atom or JSON Feed.`,
  'not-an-archive': t`This is not the archive of a creator, or it is damaged. It should be the ZIP that the Studio of another site made.`,
  'too-large': t`The feed is too large: at most 5,000 episodes on 200 pages can be read.`,
  empty: t`The feed has no episodes.`,
  'no-owner': t`The feed names no owner’s email address, so it cannot be proven that it is yours. Add itunes:owner with your address at the old host, or ask the operator of this site to import it.`,
  'wrong-codes': t`Too many wrong codes. Read the feed again to get a new one.`,
  failed: t`The feed could not be read. Try again later.`,
});

export const obstacleTexts = (): Record<ItemObstacle, string> => ({
  'no-sound': t`No sound`,
  'video-only': t`Video only`,
  'too-large': t`Over 2 GB`,
  twice: t`Twice in the feed`,
  'refused-word': t`A word in its title is refused here`,
});

export function itemFailureText(failure: ItemFailure): string {
  switch (failure) {
    case 'gone':
      return t`Its sound is gone from the old host`;
    case 'unreachable':
      return t`The old host did not answer for its sound, three times`;
    case 'not-public':
      return t`Its sound is not at a public address`;
    default:
      return failureTexts()[failure];
  }
}

/** The reason why it is a draft although it was to be published. */
export function heldText(held: string): string {
  switch (held) {
    case 'no-date':
      return t`The feed gives no date`;
    case 'incomplete-chain':
      return t`A consent is missing`;
    case 'missing-facet':
      return t`A required tag is missing`;
    case 'mistimed-transcript':
      return t`The times of its transcript do not fit its sound`;
    case 'in-review':
      return t`Waits for a review`;
    default:
      return t`Was not published`;
  }
}
