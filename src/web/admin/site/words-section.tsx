import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { href, Link } from 'react-router';
import type { Section, SectionValues } from '#domain/admin/site/site-settings.ts';
import { wordListLengths } from '#domain/settings/rules.ts';
import { answerOf, api } from '#web/api.ts';
import { Field } from '#web/ui/fields/field.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import { useAdminAct } from '../second-factor/step-up.tsx';
import { ChangedBy, SettingsSection } from './settings-section.tsx';

type Words = SectionValues['words'];
type Typed = { refused: string; watched: string; help: string };

const listOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Words that the site refuses, and words that hold something for review: one on each line. */
export function WordsSection({ section }: { section: Section<Words> }) {
  const act = useAdminAct();
  const { value, revision } = section;
  const saved: Typed = {
    refused: value.refused.join('\n'),
    watched: value.watched.join('\n'),
    help: value.help,
  };
  const edited = useEdited<Typed>({
    key: 'settings words',
    subject: { type: 'settings', id: 'words' },
    saved,
    async send({ refused, watched, help }) {
      const json = { value: { refused: listOf(refused), watched: listOf(watched), help }, revision };
      const answer = await act(() => answerOf(api.admin.settings.words.$put({ json })));
      return answer ?? { ok: false, code: 'network', message: '', status: 0 };
    },
  });
  const counted = (text: string) => {
    const { length } = listOf(text);
    return plural({ count: length }, { one: '# word', other: '# words' });
  };
  const list = (name: 'refused' | 'watched', label: string) => (
    <div>
      <TextArea
        label={label}
        rows={6}
        dir="auto"
        spellCheck={false}
        value={edited.values[name]}
        onChange={({ target }) => edited.change({ [name]: target.value })}
      />
      <p className="hint mt-1">{counted(edited.values[name])}</p>
    </div>
  );
  return (
    <SettingsSection
      id="words"
      title={t`Words`}
      help={t`One word or phrase on each line. Whole words count, in any case and with or without accents.`}
      facts={<ChangedBy section={section} />}
      edited={edited}
      labels={{ refused: t`Refused words`, watched: t`Watched words`, help: t`Text for a search with a refused word` }}
    >
      <div className="field-pair">
        {list('refused', t`Refused words`)}
        {list('watched', t`Watched words`)}
      </div>
      <p className="hint">
        <Trans>
          Refused: no title, tag, username or comment has them, and a search for them finds nothing.{' '}
          <Link className="link" to={href('/admin/refused-words')}>
            What has them now
          </Link>
        </Trans>
      </p>
      <p className="hint">
        <Trans>Watched: they hold an audio for review, and a comment until its creator shows it.</Trans>
      </p>
      <Field
        label={t`Text for a search with a refused word`}
        value={edited.values.help}
        maxLength={wordListLengths.help}
        hint={t`For example where to find help. Other languages: Admin → Translations.`}
        onChange={({ target }) => edited.change({ help: target.value })}
      />
    </SettingsSection>
  );
}
