import { t } from '@lingui/core/macro';
import { lookLengths } from '#domain/look/rules.ts';
import { type Answer, answerOf, api } from '../../api.ts';
import { Field } from '#web/ui/fields/field.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import { type PartFacts, LookSection } from './look-section.tsx';

type Texts = Record<string, string>;
type TextPart = {
  part: 'name' | 'hero' | 'sign-up';
  title: string;
  help: string;
  done: string;
  /** With rows: a text of several lines. */
  fields: { name: string; label: string; placeholder?: string; maxLength: number; rows?: number }[];
  put: (texts: Texts, revision: number) => Promise<Answer<unknown>>;
};

const parts = (): Record<TextPart['part'], TextPart> => ({
  name: {
    part: 'name',
    title: t`Name of the site`,
    help: t`On pages, in mails, on the home screen and in feeds.`,
    done: t`Name saved`,
    fields: [{ name: 'name', label: t`Name`, maxLength: lookLengths.name }],
    put: ({ name = '' }, revision) => answerOf(api.admin.look.name.$put({ json: { value: { name }, revision } })),
  },
  hero: {
    part: 'hero',
    title: t`Homepage headline`,
    help: t`What visitors read first. Empty fields show the texts of the site.`,
    done: t`First lines saved`,
    fields: [
      {
        name: 'title',
        label: t`First line on Home`,
        placeholder: t`Stories told close to the ear`,
        maxLength: lookLengths.heroTitle,
      },
      {
        name: 'text',
        label: t`Text below it`,
        placeholder: t`Romance, longing and sleep, read aloud by voices you will want to keep. Unlimited listening, cancel anytime.`,
        maxLength: lookLengths.heroText,
        rows: 3,
      },
    ],
    put: ({ title = '', text = '' }, revision) =>
      answerOf(api.admin.look.hero.$put({ json: { value: { title, text }, revision } })),
  },
  'sign-up': {
    part: 'sign-up',
    title: t`Note above the sign-up`,
    help: t`In the sign-up window. Prices in it must match your plans.`,
    done: t`Note saved`,
    fields: [
      {
        name: 'note',
        label: t`Note`,
        placeholder: t`Free to join. Try everything with a free trial.`,
        maxLength: lookLengths.note,
        rows: 2,
      },
    ],
    put: ({ note = '' }, revision) => answerOf(api.admin.look['sign-up'].$put({ json: { value: { note }, revision } })),
  },
});

type LookTextsProps = {
  of: TextPart['part'];
  facts: PartFacts & { value: Record<string, string | null> };
  /** In an empty field that has none of its own. */
  placeholder?: string;
  now: number;
};

/** A part of the look that is text. Empty texts are the site's. */
export function LookTexts({ of, facts, placeholder, now }: LookTextsProps) {
  const { part, title, help, done, fields, put } = parts()[of];
  const edited = useEdited<Texts>({
    key: `look ${part}`,
    subject: { type: 'settings', id: `look-${part}` },
    saved: Object.fromEntries(fields.map(({ name }) => [name, facts.value[name] ?? ''])),
    send: (typed) =>
      put(Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, text.trim()])), facts.revision),
    done,
  });
  return (
    <LookSection part={part} title={title} help={help} facts={facts} now={now} edited={edited}>
      {fields.map(({ name, rows, ...field }) => {
        const typed = { placeholder, ...field, value: edited.values[name] ?? '' };
        const type = (text: string) => edited.change({ [name]: text });
        return rows === undefined ? (
          <Field key={name} {...typed} onChange={({ target }) => type(target.value)} />
        ) : (
          <TextArea key={name} {...typed} rows={rows} onChange={({ target }) => type(target.value)} />
        );
      })}
    </LookSection>
  );
}
