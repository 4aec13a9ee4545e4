import type { DemoActivity } from './activity.ts';

/** Free audios only: without a subscription the account can hear no others. */
export const listenerActivity: DemoActivity = {
  heard: [
    { audio: 'captain-wentworths-letter', days: 0.3, leftAt: 0.55 },
    { audio: 'the-good-morrow', days: 1.1, leftAt: 0.4 },
    { audio: 'wild-nights', days: 2, listens: 3 },
    { audio: 'sonnet-116', days: 4, listens: 2 },
    { audio: 'up-hill', days: 7 },
    { audio: 'when-you-are-old', days: 11, listens: 2 },
    { audio: 'a-birthday', days: 18 },
  ],
  favorites: {
    audios: ['wild-nights', 'sonnet-116', 'when-you-are-old', 'captain-wentworths-letter'],
    voices: ['wren-ashby', 'tomas-ferrer'],
    categories: ['love-letters', 'whispered'],
    playlists: ['start-here'],
  },
  playlists: [
    {
      title: 'Before the lights go out',
      background: 'Purple to Blue',
      font: 'Lora Bold',
      days: 9,
      audios: ['when-you-are-old', 'the-good-morrow', 'up-hill', 'sonnet-116'],
    },
    {
      title: 'Short walks',
      background: 'Pink to Orange',
      font: 'Helvetica Neue',
      days: 16,
      audios: ['a-birthday', 'wild-nights', 'captain-wentworths-letter'],
    },
  ],
  comments: [{ audio: 'up-hill', days: 6, text: 'The last line is so quiet that I held my breath for it.' }],
};

export const subscriberActivity: DemoActivity = {
  heard: [
    { audio: 'rubaiyat', days: 0.2, leftAt: 0.62 },
    { audio: 'frost-at-midnight', days: 0.9, leftAt: 0.35 },
    { audio: 'the-balcony', days: 1.8, leftAt: 0.5 },
    { audio: 'the-house-at-night', days: 3, listens: 4 },
    { audio: 'the-slow-train', days: 4, listens: 3 },
    { audio: 'i-love-your-verses', days: 6, listens: 2 },
    { audio: 'dover-beach', days: 8 },
    { audio: 'the-cloths-of-heaven', days: 10, listens: 5 },
    { audio: 'snow-was-general', days: 13, listens: 2 },
    { audio: 'a-garden-inclosed', days: 16 },
    { audio: 'adlestrop', days: 20, listens: 2 },
    { audio: 'crossing-the-bar', days: 25 },
  ],
  favorites: {
    audios: [
      'the-house-at-night',
      'the-cloths-of-heaven',
      'the-slow-train',
      'snow-was-general',
      'adlestrop',
      'rubaiyat',
    ],
    voices: ['noor-azadi', 'jun-takeda', 'ottoline-frey'],
    categories: ['sleep', 'rain-and-hush', 'ancient-verse'],
    playlists: ['asleep-by-the-end', 'winter-evenings'],
  },
  playlists: [
    {
      title: 'Asleep in ten minutes',
      background: 'Blue to Green',
      font: 'Playfair Display Semibold',
      days: 5,
      audios: ['the-house-at-night', 'the-slow-train', 'nothing-left-to-do', 'a-clear-midnight'],
    },
    {
      title: 'Read to me on Sunday',
      background: 'Blue to Orange',
      font: 'Teko Regular',
      days: 19,
      audios: ['dover-beach', 'adlestrop', 'snow-was-general', 'frost-at-midnight', 'pied-beauty'],
    },
  ],
  comments: [
    { audio: 'the-slow-train', days: 4, text: 'I have never heard the last two stations. That is praise.' },
    { audio: 'snow-was-general', days: 12, text: 'Heard it with the window open, in the first snow of the year.' },
  ],
};

export const creatorActivity: DemoActivity = {
  heard: [
    { audio: 'go-from-me', days: 0.5, leftAt: 0.5 },
    { audio: 'my-letters-all-dead-paper', days: 1.5, leftAt: 0.6 },
    { audio: 'when-our-two-souls', days: 5, listens: 2 },
    { audio: 'a-birthday', days: 9 },
    { audio: 'wild-nights', days: 15 },
  ],
  favorites: {
    audios: ['wild-nights', 'a-birthday', 'the-good-morrow'],
    voices: ['celeste-okafor', 'idris-vale'],
    categories: ['sonnets'],
    playlists: ['sonnets-after-midnight'],
  },
  playlists: [
    {
      title: 'How others read sonnets',
      background: 'Pink to Blue',
      font: 'Playfair Display Semibold',
      days: 12,
      audios: ['sonnet-18', 'sonnet-29', 'sonnet-73', 'sonnet-27'],
    },
    {
      title: 'To record next',
      background: 'Purple to Blue',
      font: 'Helvetica Neue',
      days: 22,
      audios: ['if-thou-must-love-me', 'i-thought-once-how-theocritus'],
    },
  ],
  comments: [{ audio: 'when-our-two-souls', days: 5, text: 'Recorded in one take, at night, with the heating off.' }],
};
