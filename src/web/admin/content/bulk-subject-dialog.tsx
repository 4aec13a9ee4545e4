import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { nameLengths } from '#domain/admin/forms.ts';
import type { SyntheticVoice } from '#domain/catalogue/rules.ts';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '#web/ui/fields/check-box.tsx';
import { DialogWindow } from '#web/ui/layers/dialog-window.tsx';
import { type Token, TokenField } from '#web/workshop/forms/token-field.tsx';
import { ChoiceField } from '../../workshop/forms/choice-field.tsx';

/** Added to the audios, removed from them, or set. */
export type BulkSubject = {
  categoryIds?: string[];
  tags?: string[];
  playlistId?: string;
  language?: string;
  syntheticVoice?: SyntheticVoice;
};
export type SubjectKind = 'categories' | 'tags' | 'playlist';

type BulkSubjectDialogProps = {
  kind: SubjectKind;
  /** Such as `3 audios`. */
  count: string;
  categories: Token[];
  playlists: Token[];
  /** @param adds false: removes */
  onAct: (adds: boolean, subject: BulkSubject) => void;
  onClose: () => void;
};

const titles = (): Record<SubjectKind, string> => ({
  categories: t`Categories`,
  tags: t`Tags`,
  playlist: t`Playlist`,
});
const max: Record<SubjectKind, number> = { categories: 8, tags: 20, playlist: 1 };

/** Opens only for typed text, because an open list would cover the buttons. */
async function suggestTags(q: string): Promise<Token[]> {
  if (q === '') return [];
  const answer = await answerOf(api.studio.tags.$get({ query: { q } }));
  return answer.ok ? answer.data.items.map((label) => ({ value: label, label })) : [];
}

function createTag(text: string): Token | undefined {
  return [...text].length > nameLengths.tag ? undefined : { value: text, label: text };
}

/** Chooses what an act adds to or removes from many audios. Open while rendered. */
export function BulkSubjectDialog({ kind, count, categories, playlists, onAct, onClose }: BulkSubjectDialogProps) {
  const [tokens, setTokens] = useState<Token[]>([]);
  const values = tokens.map(({ value }) => value);

  function act(adds: boolean): void {
    const [playlistId] = values;
    if (playlistId === undefined) return;
    onAct(adds, kind === 'categories' ? { categoryIds: values } : kind === 'tags' ? { tags: values } : { playlistId });
  }

  return (
    <DialogWindow open onClose={onClose} title={titles()[kind]} description={t`For ${count}.`} dismissedBy="button">
      <form
        className="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          act(true);
        }}
      >
        {kind === 'categories' && (
          <fieldset className="grid max-h-[50vh] gap-2 overflow-y-auto md:grid-cols-2">
            <legend className="sr-only">
              <Trans>Categories</Trans>
            </legend>
            {categories.map((category) => {
              const isOn = values.includes(category.value);
              return (
                <CheckBox
                  key={category.value}
                  checked={isOn}
                  disabled={!isOn && tokens.length >= max.categories}
                  onChange={() =>
                    setTokens(isOn ? tokens.filter(({ value }) => value !== category.value) : [...tokens, category])
                  }
                >
                  {category.label}
                </CheckBox>
              );
            })}
          </fieldset>
        )}
        {kind === 'tags' && (
          <TokenField
            label={t`Tags`}
            tokens={tokens}
            max={max.tags}
            suggest={suggestTags}
            create={createTag}
            onChange={setTokens}
          />
        )}
        {kind === 'playlist' && (
          <ChoiceField
            label={t`Playlist`}
            value={values[0] ?? ''}
            options={playlists}
            onChoose={(chosen) => setTokens(playlists.filter(({ value }) => value === chosen))}
          />
        )}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" disabled={tokens.length === 0}>
            {t`Add`}
          </Button>
          <Button disabled={tokens.length === 0} onClick={() => act(false)}>
            {t`Remove`}
          </Button>
          <Button variant="ghost" onClick={onClose}>
            {t`Cancel`}
          </Button>
        </div>
      </form>
    </DialogWindow>
  );
}
