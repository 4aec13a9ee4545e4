import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { clearLeftLists } from '#web/catalogue/lists/list-memory.ts';
import { answerOf, api } from '../api.ts';
import { Chip } from '../ui/chip.tsx';
import { Field } from '../ui/fields/field.tsx';
import { useToast } from '../ui/layers/toast.tsx';

export type TagName = { slug: string; label: string };

type HiddenTagsProps = {
  /** Tags already hidden, and all tags to choose from. */
  hidden: TagName[];
  tags: TagName[];
};

/** Number of tags shown at first; lists up to this size have no search field. */
const fewTags = 24;

/** Hidden tags. Each press is saved at once; a refused change is reverted. */
export function HiddenTags({ hidden, tags }: HiddenTagsProps) {
  const showToast = useToast();
  const [chosen, setChosen] = useState(() => new Set(hidden.map(({ slug }) => slug)));
  const [typed, setTyped] = useState('');
  // Hidden ones first. The order stays while the page is open, so that no tag moves under the finger.
  const [all] = useState(() => [
    ...hidden,
    ...tags
      .filter(({ slug }) => !hidden.some((tag) => tag.slug === slug))
      .toSorted((a, b) => a.label.localeCompare(b.label, 'en')),
  ]);
  const [isWhole, setIsWhole] = useState(false);
  const term = typed.trim().toLowerCase();
  const matches = all.filter(({ label }) => label.toLowerCase().includes(term));
  const count = matches.length;
  const isCut = !isWhole && term === '' && matches.length > Math.max(fewTags, hidden.length);
  const shown = isCut ? matches.slice(0, Math.max(fewTags, hidden.length)) : matches;

  async function toggle({ slug, label }: TagName): Promise<void> {
    const isHidden = !chosen.has(slug);
    const set = (isIn: boolean) =>
      setChosen((before) => new Set(isIn ? [...before, slug] : [...before].filter((other) => other !== slug)));
    set(isHidden);
    const answer = await answerOf(api.user['hidden-tags'][':slug'].$post({ param: { slug }, json: { isHidden } }));
    if (answer.ok) clearLeftLists();
    else set(!isHidden);
    const done = isHidden ? t`“${label}” is hidden` : t`“${label}” is shown again`;
    showToast({ text: answer.ok ? done : answer.message });
  }

  return (
    <section id="hidden-tags" tabIndex={-1} aria-label={t`Hidden tags`}>
      <h1 className="text-26" tabIndex={-1}>
        <Trans>Hidden tags</Trans>
      </h1>
      <p className="mt-2 text-soft">
        <Trans>
          Audios with these tags are hidden from lists, search and suggestions. Your favorites and playlists are not
          affected.
        </Trans>
      </p>
      {all.length > fewTags && (
        <Field
          className="noscript:hidden mt-4 max-w-80"
          label={t`Find a tag`}
          type="search"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <div className="chips mt-4">
        {shown.map((tag) => (
          <Chip key={tag.slug} size="sm" aria-pressed={chosen.has(tag.slug)} onClick={() => void toggle(tag)}>
            {tag.label}
          </Chip>
        ))}
        {shown.length === 0 && (
          <p className="text-muted">
            <Trans>No such tag</Trans>
          </p>
        )}
      </div>
      {isCut && (
        <button type="button" className="link mt-4 text-14" onClick={() => setIsWhole(true)}>
          {t`Show all ${count}`}
        </button>
      )}
    </section>
  );
}
