import { useCallback, useState } from 'react';
import { nameLengths } from '#domain/admin/forms.ts';
import { answerOf, api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogWindow } from '#web/ui/dialog-window.tsx';
import type { Token } from '#web/workshop/token-field.tsx';
import { TokenField } from '#web/workshop/token-field.tsx';
import type { BulkSubject } from './use-bulk-acts.ts';

export type SubjectKind = 'categories' | 'tags' | 'playlist';

type BulkSubjectDialogProps = {
  kind: SubjectKind;
  /** Such as `3 audios`. */
  count: string;
  categories: Token[];
  playlists: Token[];
  /** @param adds or takes away */
  onAct: (adds: boolean, subject: BulkSubject) => void;
  onClose: () => void;
};

const titles: Record<SubjectKind, string> = { categories: 'Categories', tags: 'Tags', playlist: 'Playlist' };

async function suggestTags(q: string): Promise<Token[]> {
  const answer = await answerOf(api.studio.tags.$get({ query: { q } }));
  return answer.ok ? answer.data.items.map((label) => ({ value: label, label })) : [];
}

function createTag(text: string): Token | undefined {
  return [...text].length > nameLengths.tag ? undefined : { value: text, label: text };
}

/** Chooses what an act adds to many audios, or takes away from them. Open while it is there. */
export function BulkSubjectDialog({ kind, count, categories, playlists, onAct, onClose }: BulkSubjectDialogProps) {
  const [tokens, setTokens] = useState<Token[]>([]);
  const choices = kind === 'categories' ? categories : playlists;
  const suggestChoice = useCallback(
    (text: string) => choices.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase())),
    [choices],
  );
  const values = tokens.map(({ value }) => value);
  const subject: BulkSubject =
    kind === 'categories'
      ? { categoryIds: values }
      : kind === 'tags'
        ? { tags: values }
        : { playlistId: values[0] ?? '' };

  function act(adds: boolean): void {
    if (tokens.length > 0) onAct(adds, subject);
  }

  return (
    <DialogWindow open onClose={onClose} title={titles[kind]} description={`For ${count}.`} dismissedBy="button">
      <form
        className="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          act(true);
        }}
      >
        <TokenField
          label={titles[kind]}
          tokens={tokens}
          most={kind === 'playlist' ? 1 : kind === 'tags' ? 20 : 8}
          suggest={kind === 'tags' ? suggestTags : suggestChoice}
          {...(kind === 'tags' && { create: createTag })}
          onChange={setTokens}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" disabled={tokens.length === 0}>
            Add
          </Button>
          <Button disabled={tokens.length === 0} onClick={() => act(false)}>
            Remove
          </Button>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </DialogWindow>
  );
}
