import { lookLengths } from '#domain/look/rules.ts';
import { answerOf, api } from '../../api.ts';
import { Field } from '#web/ui/fields/field.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import type { PartFacts } from './look-section.tsx';
import { LookSection } from './look-section.tsx';

type Texts<Value> = PartFacts & { value: Value };

/** @param props.ofEnvironment the default name */
export function LookName(props: { part: Texts<{ name: string | null }>; ofEnvironment: string; now: number }) {
  const { part, ofEnvironment, now } = props;
  const { revision } = part;
  const edited = useEdited({
    key: 'look name',
    subject: { type: 'settings', id: 'look-name' },
    saved: { name: part.value.name ?? '' },
    send: (value) => answerOf(api.admin.look.name.$put({ json: { value: { name: value.name.trim() }, revision } })),
    done: 'Name saved',
  });
  const { name } = edited.values;
  return (
    <LookSection
      part="name"
      title="Name of the site"
      help="On pages, in mails, on the home screen and in feeds."
      facts={part}
      now={now}
      edited={edited}
    >
      <Field
        label="Name"
        value={name}
        placeholder={ofEnvironment}
        maxLength={lookLengths.name}
        length={[...name].length}
        onChange={(event) => edited.change({ name: event.target.value })}
      />
    </LookSection>
  );
}

export function LookHero(props: { part: Texts<{ title: string | null; text: string | null }>; now: number }) {
  const { part, now } = props;
  const { revision } = part;
  const edited = useEdited({
    key: 'look hero',
    subject: { type: 'settings', id: 'look-hero' },
    saved: { title: part.value.title ?? '', text: part.value.text ?? '' },
    send: (typed) => {
      const value = { title: typed.title.trim(), text: typed.text.trim() };
      return answerOf(api.admin.look.hero.$put({ json: { value, revision } }));
    },
    done: 'First lines saved',
  });
  const { title, text } = edited.values;
  return (
    <LookSection
      part="hero"
      title="Homepage headline"
      help="What visitors read first. Empty fields show the texts of the site."
      facts={part}
      now={now}
      edited={edited}
    >
      <Field
        label="First line on Home"
        value={title}
        placeholder="Stories told close to the ear"
        maxLength={lookLengths.heroTitle}
        length={[...title].length}
        onChange={(event) => edited.change({ title: event.target.value })}
      />
      <TextArea
        label="Text below it"
        rows={3}
        value={text}
        placeholder="Romance, longing and sleep, read aloud by voices you will want to keep. Unlimited listening, cancel anytime."
        maxLength={lookLengths.heroText}
        length={[...text].length}
        onChange={(event) => edited.change({ text: event.target.value })}
      />
    </LookSection>
  );
}

export function LookSignUp(props: { part: Texts<{ note: string | null }>; now: number }) {
  const { part, now } = props;
  const { revision } = part;
  const edited = useEdited({
    key: 'look sign-up',
    subject: { type: 'settings', id: 'look-sign-up' },
    saved: { note: part.value.note ?? '' },
    send: (value) =>
      answerOf(api.admin.look['sign-up'].$put({ json: { value: { note: value.note.trim() }, revision } })),
    done: 'Note saved',
  });
  const { note } = edited.values;
  return (
    <LookSection
      part="sign-up"
      title="Note above the sign-up"
      help="In the sign-up window. Prices in it must match your plans."
      facts={part}
      now={now}
      edited={edited}
    >
      <TextArea
        label="Note"
        rows={2}
        value={note}
        placeholder="Free to join. Try everything with a free trial."
        maxLength={lookLengths.note}
        length={[...note].length}
        onChange={(event) => edited.change({ note: event.target.value })}
      />
    </LookSection>
  );
}
