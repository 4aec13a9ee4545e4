import { filterNames } from '#domain/catalogue/filters/rules.ts';
import type { AudioSort } from '#domain/catalogue/forms.ts';
import type { FilledMix } from '#domain/library/mixes/mixes.ts';
import { foreignNames } from '#formats/language-names.ts';
import { t } from '@lingui/core/macro';
import { type Token, inWords, textOf } from '#web/catalogue/filters/filter-words.ts';
import { mixHref } from '#web/catalogue/filters/mix-links.ts';

/** A mix as its row shows it; its words are written by the server, because the names of languages are known there. */
export function toMixRow(mix: FilledMix) {
  const { id, name, hasNews, totalAudios, totalDuration, newAudios, imageUrls, place, filter } = mix;
  const names = foreignNames(filter.language ?? []);
  const tokens = filterNames.flatMap((of) =>
    [filter[of] ?? []].flat().map((one): Token => {
      const value = String(one);
      const tag = of === 'tag' || of === 'not' ? mix.tags.find(({ slug }) => slug === value) : undefined;
      const label = tag?.label ?? textOf({ name: of, value }, names);
      return { name: of, value, label, group: of === 'tag' ? (tag?.facet ?? value) : of };
    }),
  );
  const words = [...(place ? [{ text: place.label, isLeftOut: false }] : []), ...inWords(tokens)];
  const facts = { id, name, hasNews, totalAudios, totalDuration, newAudios, imageUrls };
  return { ...facts, words, sort: sortText(mix.sort), to: mixHref(mix) };
}
export type MixRow = ReturnType<typeof toMixRow>;

const sortText = (sort: AudioSort) =>
  ({
    popular: t`most played first`,
    recent: t`newest first`,
    oldest: t`oldest first`,
    shortest: t`shortest first`,
    longest: t`longest first`,
    title: t`A–Z`,
  })[sort];
