import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Download from 'lucide-react/icons/download';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import Trash2 from 'lucide-react/icons/trash-2';
import Upload from 'lucide-react/icons/upload';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Cue } from '#domain/catalogue/rules.ts';
import type { TranslationRow } from '#domain/studio/audios/translations.ts';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { FieldError } from '../../ui/fields/field.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { ChoiceField } from '../../workshop/forms/choice-field.tsx';
import { FileButton } from '../../workshop/forms/file-button.tsx';
import { undoOf } from '../../workshop/undo-notices.ts';
import { cueFileTypes, downloadCues, readCues } from './cue-files.ts';

type TranslationsProps = {
  audioId: string;
  /** Seconds. */
  duration: number;
  translations: Pick<TranslationRow, 'language' | 'name' | 'lines'>[];
  /** Those that a translation can be into, by name. */
  languages: { value: string; label: string }[];
  hasTranscript: boolean;
};

/** The transcript in other languages: one file each, which listeners get at once. */
export function Translations({ audioId, duration, translations, languages, hasTranscript }: TranslationsProps) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [language, setLanguage] = useState('');
  const [fault, setFault] = useState<string>();
  const calls = api.studio.audios[':id'].translations[':language'];

  /** @returns undefined after a failed call, which is said */
  async function find(of: string): Promise<Cue[] | undefined> {
    const answer = await answerOf(calls.$get({ param: { id: audioId, language: of } }));
    setFault(answer.ok ? undefined : answer.message);
    return answer.ok ? answer.data.cues : undefined;
  }

  async function change(call: Promise<{ ok: true } | { ok: false; message: string }>): Promise<boolean> {
    const answer = await call;
    setFault(answer.ok ? undefined : answer.message);
    if (answer.ok) await revalidate();
    return answer.ok;
  }

  const save = (into: string, cues: Cue[]) =>
    change(answerOf(calls.$put({ param: { id: audioId, language: into }, json: { cues } })));
  const remove = (from: string) => change(answerOf(calls.$delete({ param: { id: audioId, language: from } })));

  function notify(text: string, into: string, onUndo: () => Promise<boolean>): void {
    const action = { label: t`Undo`, onPress: () => void onUndo() };
    showToast({ text, action, ...undoOf([`${audioId} ${into}`]) });
  }

  async function importFile(file: File, into: string): Promise<void> {
    const read = await readCues(file, duration);
    if (typeof read === 'string') return setFault(read);
    const isNew = translations.every((one) => one.language !== into);
    const before = isNew ? undefined : await find(into);
    if (!isNew && before === undefined) return;
    if (!(await save(into, read.cues))) return;
    setLanguage('');
    const text = plural({ count: read.cues.length }, { one: '# line imported', other: '# lines imported' });
    notify(text, into, () => (before === undefined ? remove(into) : save(into, before)));
  }

  async function removeRow({ language: from, name }: TranslationsProps['translations'][number]): Promise<void> {
    const before = await find(from);
    if (before === undefined || !(await remove(from))) return;
    notify(t`Translation removed: ${{ name }}`, from, () => save(from, before));
  }

  async function download(of: string): Promise<void> {
    const cues = await find(of);
    if (cues !== undefined) downloadCues(cues, `transcript.${of}.vtt`);
  }

  const left = languages.filter(({ value }) => translations.every((one) => one.language !== value));
  return (
    <section aria-label={t`Translations`}>
      <div className="workshop-section__head">
        <h2>
          <Trans>Translations</Trans>
        </h2>
        <p>
          {hasTranscript
            ? t`Published as soon as a file is imported`
            : t`Shown to listeners once there is a transcript`}
        </p>
      </div>
      {translations.length > 0 && (
        <ul className="border-t border-line">
          {translations.map((row) => (
            <li key={row.language} className="flex flex-wrap items-center gap-2 border-b border-line py-2">
              <span className="min-w-40 flex-1">
                <b>{row.name}</b>
                <span className="dot text-13 text-muted tabular-nums">
                  {plural({ count: row.lines }, { one: '# line', other: '# lines' })}
                </span>
              </span>
              <Button
                variant="ghost"
                size="sm"
                aria-label={t`Download VTT: ${{ name: row.name }}`}
                onClick={() => void download(row.language)}
              >
                <Icon of={Download} size={16} />
                <Trans>Download VTT</Trans>
              </Button>
              <FileButton
                variant="ghost"
                size="sm"
                aria-label={t`Replace: ${{ name: row.name }}`}
                fieldLabel={t`Translation file: ${{ name: row.name }}`}
                accept={cueFileTypes}
                onFiles={([file]) => void importFile(file, row.language)}
              >
                <Icon of={RefreshCw} size={16} />
                <Trans>Replace</Trans>
              </FileButton>
              <Button
                variant="ghost"
                size="sm"
                aria-label={t`Remove: ${{ name: row.name }}`}
                onClick={() => void removeRow(row)}
              >
                <Icon of={Trash2} size={16} />
                <Trans>Remove</Trans>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-4 flex flex-wrap items-end gap-3">
        <ChoiceField label={t`Add a translation`} value={language} options={left} isDense onChoose={setLanguage} />
        <FileButton
          disabled={language === ''}
          fieldLabel={t`Translation file`}
          accept={cueFileTypes}
          onFiles={([file]) => void importFile(file, language)}
        >
          <Icon of={Upload} size={16} />
          <Trans>Import VTT, SRT or text</Trans>
        </FileButton>
      </div>
      {fault !== undefined && <FieldError>{fault}</FieldError>}
    </section>
  );
}
