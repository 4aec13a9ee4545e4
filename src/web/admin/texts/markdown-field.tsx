/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- the preview scrolls, by keys too */
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Bold from 'lucide-react/icons/bold';
import Heading2 from 'lucide-react/icons/heading-2';
import Italic from 'lucide-react/icons/italic';
import Link from 'lucide-react/icons/link';
import List from 'lucide-react/icons/list';
import ListOrdered from 'lucide-react/icons/list-ordered';
import TextQuote from 'lucide-react/icons/text-quote';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { type Selected, type TextEdit, toggleMark, togglePrefix, toLink } from './markdown-edits.ts';

const pane = 'h-[clamp(320px,62vh,900px)] overflow-auto rounded-card bg-surface p-4 wrap-anywhere';

const tools = [
  { label: () => t`Bold`, key: 'b', icon: Bold, edit: (selected: Selected) => toggleMark(selected, '**') },
  { label: () => t`Italic`, key: 'i', icon: Italic, edit: (selected: Selected) => toggleMark(selected, '*') },
  { label: () => t`Link`, key: 'k', icon: Link, edit: toLink },
  { label: () => t`Heading`, icon: Heading2, edit: (selected: Selected) => togglePrefix(selected, '## ') },
  { label: () => t`Quote`, icon: TextQuote, edit: (selected: Selected) => togglePrefix(selected, '> ') },
  { label: () => t`List`, icon: List, edit: (selected: Selected) => togglePrefix(selected, '- ') },
  {
    label: () => t`Numbered list`,
    icon: ListOrdered,
    edit: (selected: Selected) => togglePrefix(selected, (line: number) => `${line + 1}. `),
  },
];

type MarkdownFieldProps = {
  label: string;
  value: string;
  maxLength: number;
  onChange: (text: string) => void;
  onSave: () => void;
  /** The text as listeners see it. */
  preview: ReactNode;
  /** Reason why the preview is older than the text. */
  error?: string | undefined;
};

/** A Markdown field beside its preview; one of the two where there is no room for both. */
export function MarkdownField({ label, value, maxLength, onChange, onSave, preview, error }: MarkdownFieldProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [isPreview, setIsPreview] = useState(false);

  function apply(edit: (of: Selected) => TextEdit): void {
    const field = area.current;
    if (field === null) return;
    const { from, to, insert, start, end } = edit({
      text: field.value,
      start: field.selectionStart,
      end: field.selectionEnd,
    });
    field.focus();
    field.setSelectionRange(from, to);
    // The only method that keeps the browser's undo history.
    const isDone = insert === '' ? document.execCommand('delete') : document.execCommand('insertText', false, insert);
    if (!isDone) {
      field.setRangeText(insert, from, to);
      onChange(field.value);
    }
    field.setSelectionRange(start, end);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    const key = event.key.toLowerCase();
    const tool = tools.find((one) => one.key === key);
    if (tool === undefined && key !== 's') return;
    event.preventDefault();
    if (tool === undefined) onSave();
    else apply(tool.edit);
  }

  return (
    <div>
      <div className="flex flex-wrap items-center gap-y-1 gap-x-3 mb-2">
        <label className="font-semibold" htmlFor={id}>
          {label}
        </label>
        <div className="flex flex-wrap ms-auto" role="toolbar" aria-label={t`Formatting`}>
          {tools.map(({ label: nameOf, key, icon, edit }) => {
            const name = nameOf();
            const text = key === undefined ? name : t`${name} (Ctrl ${{ key: key.toUpperCase() }})`;
            return (
              <IconButton
                key={name}
                label={text}
                title={text}
                icon={icon}
                iconSize={18}
                size={40}
                onClick={() => apply(edit)}
              />
            );
          })}
        </div>
        <div className="flex gap-2 min-[90em]:hidden noscript:hidden">
          <button type="button" className="chip" aria-pressed={!isPreview} onClick={() => setIsPreview(false)}>
            <Trans>Write</Trans>
          </button>
          <button type="button" className="chip" aria-pressed={isPreview} onClick={() => setIsPreview(true)}>
            <Trans context="of a page">Preview</Trans>
          </button>
        </div>
      </div>
      <div className="grid grid-cols-1 gap-4 min-[90em]:grid-cols-2">
        <textarea
          ref={area}
          id={id}
          className={classNames(
            pane,
            'resize-y font-mono text-15 leading-[1.6] text-text edge-control forced-colors:border forced-colors:border-[ButtonBorder]',
            isPreview && 'hidden min-[90em]:block',
          )}
          value={value}
          maxLength={maxLength}
          aria-describedby={`${id}-note`}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <section
          className={classNames(
            pane,
            'edge-line forced-colors:border forced-colors:border-[CanvasText] [&_.prose--article]:text-[1.0625rem] [&_.prose--article>:first-child]:mt-0',
            !isPreview && 'hidden min-[90em]:block',
          )}
          aria-label={t({ message: 'Preview', context: 'of a page' })}
          tabIndex={0}
        >
          {preview}
        </section>
      </div>
      <output id={`${id}-note`} className={error === undefined ? 'sr-only' : 'err mt-2'}>
        {error}
      </output>
    </div>
  );
}
