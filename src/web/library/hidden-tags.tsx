import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { type ReactNode, useId, useState } from 'react';
import { saveHiddenTag } from '#web/catalogue/hiding/save-hidden.ts';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { Field } from '../ui/fields/field.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { useToast } from '../ui/layers/toast.tsx';

export type TagName = { slug: string; label: string };

type HiddenTagsProps = {
  /** Tags already hidden, and all tags to choose from. */
  hidden: TagName[];
  tags: TagName[];
};

/** Number of tags shown at first; lists up to this size have no search field. */
const fewTags = 24;

/** Hidden tags, and others to add. Each press is saved at once; a refused change is reverted. */
export function HiddenTags({ hidden, tags }: HiddenTagsProps) {
  const showToast = useToast();
  const [chosen, setChosen] = useState(() => new Set(hidden.map(({ slug }) => slug)));
  const [isAdding, setIsAdding] = useState(false);
  const id = useId();
  // The order stays while the page is open, so that no tag moves under the finger.
  const [others] = useState(() =>
    tags
      .filter(({ slug }) => !hidden.some((tag) => tag.slug === slug))
      .toSorted((a, b) => a.label.localeCompare(b.label, 'en')),
  );

  async function toggle({ slug, label }: TagName): Promise<void> {
    const isHidden = !chosen.has(slug);
    const set = (isIn: boolean) =>
      setChosen((before) => new Set(isIn ? [...before, slug] : [...before].filter((other) => other !== slug)));
    set(isHidden);
    const failed = await saveHiddenTag(slug, isHidden);
    if (failed !== undefined) set(!isHidden);
    const done = isHidden ? t`“${label}” is hidden` : t`“${label}” is shown again`;
    showToast({ text: failed ?? done });
  }

  const chipOf = (tag: TagName) => (
    <Chip key={tag.slug} size="sm" aria-pressed={chosen.has(tag.slug)} onClick={() => void toggle(tag)}>
      {tag.label}
      {chosen.has(tag.slug) && <Icon of={X} size={16} />}
    </Chip>
  );
  return (
    <section className="mt-8" aria-labelledby={id}>
      <h2 className="text-22" id={id}>
        <Trans>Tags</Trans> <span className="tabular-nums text-14 text-muted">{chosen.size}</span>
      </h2>
      <div className="chips mt-4">
        {hidden.map(chipOf)}
        {others.length > 0 && (
          <Button size="sm" className="noscript:hidden" aria-expanded={isAdding} onClick={() => setIsAdding(!isAdding)}>
            <Icon of={Plus} size={16} />
            {t`Add a tag`}
          </Button>
        )}
      </div>
      {isAdding && <TagChoice tags={others}>{chipOf}</TagChoice>}
    </section>
  );
}

function TagChoice({ tags, children }: { tags: TagName[]; children: (tag: TagName) => ReactNode }) {
  const [typed, setTyped] = useState('');
  const [isWhole, setIsWhole] = useState(false);
  const term = typed.trim().toLowerCase();
  const matches = tags.filter(({ label }) => label.toLowerCase().includes(term));
  const isCut = !isWhole && term === '' && matches.length > fewTags;
  const count = matches.length;
  return (
    <>
      {tags.length > fewTags && (
        <Field
          className="mt-4 max-w-80"
          label={t`Find a tag`}
          type="search"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <div className="chips mt-4">
        {(isCut ? matches.slice(0, fewTags) : matches).map(children)}
        {matches.length === 0 && (
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
    </>
  );
}
