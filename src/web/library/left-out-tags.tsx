import { useState } from 'react';
import { forgetLeftLists } from '#web/catalogue/use-pages.ts';
import { answerOf, api } from '../api.ts';
import { Chip } from '../ui/chip.tsx';
import { Field } from '../ui/field.tsx';
import { useToast } from '../ui/toast.tsx';

export type TagName = { slug: string; label: string };

type LeftOutTagsProps = {
  /** What is left out already, and what there is to choose from. */
  leftOut: TagName[];
  tags: TagName[];
};

/** So many are shown at first, and looked through without a field to find one. */
const fewTags = 24;

/** Tags that the user does not want to meet. Each press is saved at once; what does not come through is put back. */
export function LeftOutTags({ leftOut, tags }: LeftOutTagsProps) {
  const showToast = useToast();
  const [chosen, setChosen] = useState(() => new Set(leftOut.map(({ slug }) => slug)));
  const [typed, setTyped] = useState('');
  // Left out first; in this order for as long as the page is there, so that nothing moves under the finger.
  const [all] = useState(() => [
    ...leftOut,
    ...tags
      .filter(({ slug }) => !leftOut.some((tag) => tag.slug === slug))
      .toSorted((a, b) => a.label.localeCompare(b.label, 'en')),
  ]);
  const [isWhole, setIsWhole] = useState(false);
  const wanted = typed.trim().toLowerCase();
  const found = all.filter(({ label }) => label.toLowerCase().includes(wanted));
  const isCut = !isWhole && wanted === '' && found.length > Math.max(fewTags, leftOut.length);
  const shown = isCut ? found.slice(0, Math.max(fewTags, leftOut.length)) : found;

  async function toggle({ slug, label }: TagName): Promise<void> {
    const isLeftOut = !chosen.has(slug);
    const set = (isIn: boolean) =>
      setChosen((before) => new Set(isIn ? [...before, slug] : [...before].filter((other) => other !== slug)));
    set(isLeftOut);
    const answer = await answerOf(api.user['left-out-tags'][':slug'].$post({ param: { slug }, json: { isLeftOut } }));
    if (answer.ok) forgetLeftLists();
    else set(!isLeftOut);
    const done = isLeftOut ? `“${label}” is left out` : `“${label}” is shown again`;
    showToast({ text: answer.ok ? done : answer.message });
  }

  return (
    <section id="left-out" tabIndex={-1} aria-label="Leave these out">
      <h2 className="t-26">Leave these out</h2>
      <p className="mt-2 text-soft">
        Audios with these tags are not shown to you in lists, search and suggestions. What you keep yourself stays.
      </p>
      {all.length > fewTags && (
        <Field
          className="script mt-4 max-w-80"
          label="Find a tag"
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
        {shown.length === 0 && <p className="text-muted">No such tag</p>}
      </div>
      {isCut && (
        <button type="button" className="link mt-4 text-14" onClick={() => setIsWhole(true)}>
          Show all {found.length}
        </button>
      )}
    </section>
  );
}
