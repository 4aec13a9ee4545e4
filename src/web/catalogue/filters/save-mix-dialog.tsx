import { t } from '@lingui/core/macro';
import { useLocation, useNavigate } from 'react-router';
import { filterNames } from '#domain/catalogue/filters/rules.ts';
import type { AudioSort } from '#domain/catalogue/forms.ts';
import { mixNameLength } from '#domain/library/mixes/rules.ts';
import { answerOf, api } from '#web/api.ts';
import { useToast } from '#web/ui/layers/toast.tsx';
import { withQuery } from '../list-links.ts';
import { valuesOf } from './filter-query.ts';
import { inWords } from './filter-words.ts';
import { MixDialog } from './mix-dialog.tsx';
import type { SaveMixProps } from './save-mix.tsx';

/** The place and as many of the filters as a name has room for. */
function suggestName(words: string[]): string {
  const name = words.join(' · ');
  if ([...name].length <= mixNameLength) return name;
  return words.length > 1 ? suggestName(words.slice(0, -1)) : [...name].slice(0, mixNameLength).join('');
}

export function SaveMixDialog({
  filters,
  place,
  placeName,
  defaultSort,
  onClose,
}: SaveMixProps & { onClose: () => void }) {
  const { search } = useLocation();
  const navigate = useNavigate();
  const showToast = useToast();
  const { mix, chosen } = filters;
  const words = [...(placeName === '' ? [] : [{ text: placeName, isLeftOut: false }]), ...inWords(chosen)];
  const { category = null, voice = null } = Object.fromEntries(new URLSearchParams(place)) as Record<string, string>;
  const sort = (new URLSearchParams(search).get('sort') ?? defaultSort) as AudioSort;
  const filter = Object.fromEntries(
    filterNames.flatMap((name) => {
      const values = valuesOf(search, name);
      return values.length === 0 ? [] : [[name, values.join()]];
    }),
  );

  async function save(form: { name: string; hasNews: boolean }): Promise<string | undefined> {
    const json = { ...form, filter, category, voice, sort };
    const calls = api.user.mixes;
    const answer = await answerOf(mix ? calls[':id'].$patch({ param: { id: mix.id }, json }) : calls.$post({ json }));
    if (!answer.ok) return answer.message;
    const { id, name } = answer.data;
    // From now on the list is that of the mix.
    await navigate(withQuery(search, { mix: id }), { replace: true, preventScrollReset: true });
    showToast({
      text: mix ? t`Saved “${name}”` : t`Saved “${name}” in your Library`,
      action: { label: t`Show`, onPress: () => void navigate('/library/mixes') },
    });
    return undefined;
  }

  return (
    <MixDialog
      title={mix ? t`Save changes` : t`Save as a mix`}
      text={t`A mix stays fresh: new audios that fit join it by themselves.`}
      words={words}
      name={mix?.name ?? suggestName(words.filter(({ isLeftOut }) => !isLeftOut).map(({ text }) => text))}
      hasNews={mix?.hasNews ?? false}
      submit={t`Save mix`}
      onSubmit={save}
      onClose={onClose}
    />
  );
}
