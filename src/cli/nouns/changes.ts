import { operator } from '#domain/kernel/actor.ts';
import { defineNoun, done } from '../noun.ts';
import type { SiteTools } from '../open/with-site.ts';

async function versionOf({ site }: SiteTools, audio: string): Promise<number> {
  return done(await site.studio.findEditedAudio(operator, audio)).version;
}

export const changesCommand = defineNoun(
  'changes',
  'Drafts: changes of a published audio that listeners do not see yet. edit changes an audio at once.',
  {
    show: {
      words: '<audio>',
      description: 'prints the audio as its editor shows it, as JSON',
      async run({ site }, { words: [audio = ''] }) {
        return JSON.stringify(done(await site.studio.findEditedAudio(operator, audio)), null, 2);
      },
    },
    publish: {
      words: '<audio>',
      description: 'publishes the draft',
      async run(tools, { words: [audio = ''] }) {
        done(await tools.site.studio.publishChanges(operator, audio, await versionOf(tools, audio)));
        return `The changes of ${audio} are published.`;
      },
    },
    discard: {
      words: '<audio>',
      description: 'discards the draft',
      async run(tools, { words: [audio = ''] }) {
        done(await tools.site.studio.discardChanges(operator, audio, await versionOf(tools, audio)));
        return `The changes of ${audio} are discarded.`;
      },
    },
  },
);
