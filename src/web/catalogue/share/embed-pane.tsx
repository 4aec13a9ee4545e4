import { t } from '@lingui/core/macro';
import { type ReactNode, useId, useState } from 'react';
import type { Playable } from '#web/listening/track-of.ts';
import { ownPrefix, useRootData } from '#web/root-data.ts';
import { CopiedField } from './copied-field.tsx';

/** CSS pixels. */
const height = 180;

/** The code of a frame, for people who write their pages themselves. */
export function EmbedPane({ audio }: { audio: Playable }) {
  const root = useRootData();
  const [width, setWidth] = useState('640');
  const [theme, setTheme] = useState('');
  const src = `${window.location.origin}${ownPrefix(root)}/embed/audio/${audio.slug}${theme && `?theme=${theme}`}`;
  const code = `<iframe src="${src}" width="${width}" height="${height}" title="${attribute(audio.title)}" style="border:0"></iframe>`;
  return (
    <>
      <div className="share-choices">
        <Choice label={t`Size`} value={width} onChange={setWidth}>
          <option value="640">{t`Wide, ${{ size: `640 × ${height}` }}`}</option>
          <option value="320">{t`Small, ${{ size: `320 × ${height}` }}`}</option>
        </Choice>
        <Choice label={t`Theme`} value={theme} onChange={setTheme}>
          <option value="">{t`Like the reader’s`}</option>
          <option value="dark">{t({ message: 'Dark', context: 'theme' })}</option>
          <option value="light">{t({ message: 'Light', context: 'theme' })}</option>
        </Choice>
      </div>
      <CopiedField label={t`Code`} text={code} act={t`Copy code`} done={t`Code copied`} />
    </>
  );
}

type ChoiceProps = { label: string; value: string; onChange: (value: string) => void; children: ReactNode };

function Choice({ label, value, onChange, children }: ChoiceProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="input" value={value} onChange={({ target }) => onChange(target.value)}>
        {children}
      </select>
    </div>
  );
}

const attribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
