import { lookLengths } from '#domain/look/rules.ts';
import { answerOf, api } from '#web/api.ts';
import { Field } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { useKeptDraft } from '#web/workshop/use-kept-draft.ts';
import type { PartFacts } from './look-section.tsx';
import { LookSection } from './look-section.tsx';
import { useLookSave } from './use-look-save.ts';

type Texts<Value> = PartFacts & { value: Value };

/** @param props.ofEnvironment the default name */
export function LookName(props: { part: Texts<{ name: string | null }>; ofEnvironment: string; now: number }) {
  const { part, ofEnvironment, now } = props;
  const draft = useKeptDraft('look name', part.value.name ?? '', part.revision);
  const save = useLookSave();
  const name = draft.value;
  const json = { value: { name: name.trim() }, revision: draft.revision };
  return (
    <LookSection
      part="name"
      title="Name of the site"
      help="On pages, in mails, on the home screen and in feeds."
      facts={part}
      now={now}
      save={save}
      isChanged={name.trim() !== (part.value.name ?? '')}
      onReset={draft.reset}
      onSave={() =>
        void save.save(
          () => answerOf(api.admin.look.name.$put({ json })),
          'Name saved',
          () => draft.settle(name),
        )
      }
    >
      <Field
        label="Name"
        value={name}
        placeholder={ofEnvironment}
        maxLength={lookLengths.name}
        length={[...name].length}
        onChange={(event) => draft.change(event.target.value)}
      />
    </LookSection>
  );
}

export function LookHero(props: { part: Texts<{ title: string | null; text: string | null }>; now: number }) {
  const { part, now } = props;
  const saved = { title: part.value.title ?? '', text: part.value.text ?? '' };
  const draft = useKeptDraft('look hero', saved, part.revision);
  const save = useLookSave();
  const { title, text } = draft.value;
  const json = { value: { title: title.trim(), text: text.trim() }, revision: draft.revision };
  return (
    <LookSection
      part="hero"
      title="First lines on Home"
      help="What visitors read first. Empty fields show the texts of the site."
      facts={part}
      now={now}
      save={save}
      isChanged={title.trim() !== saved.title || text.trim() !== saved.text}
      onReset={draft.reset}
      onSave={() =>
        void save.save(
          () => answerOf(api.admin.look.hero.$put({ json })),
          'First lines saved',
          () => draft.settle(draft.value),
        )
      }
    >
      <Field
        label="First line on Home"
        value={title}
        placeholder="Stories told close to the ear"
        maxLength={lookLengths.heroTitle}
        length={[...title].length}
        onChange={(event) => draft.change({ title: event.target.value, text })}
      />
      <TextArea
        label="Text below it"
        rows={3}
        value={text}
        placeholder="Romance, longing and sleep, read aloud by voices you will want to keep. Unlimited listening, cancel anytime."
        maxLength={lookLengths.heroText}
        length={[...text].length}
        onChange={(event) => draft.change({ title, text: event.target.value })}
      />
    </LookSection>
  );
}

export function LookSignUp(props: { part: Texts<{ note: string | null }>; now: number }) {
  const { part, now } = props;
  const draft = useKeptDraft('look sign-up', part.value.note ?? '', part.revision);
  const save = useLookSave();
  const note = draft.value;
  const json = { value: { note: note.trim() }, revision: draft.revision };
  return (
    <LookSection
      part="sign-up"
      title="Note above the sign-up"
      help="In the sign-up window. Prices in it must match your plans."
      facts={part}
      now={now}
      save={save}
      isChanged={note.trim() !== (part.value.note ?? '')}
      onReset={draft.reset}
      onSave={() =>
        void save.save(
          () => answerOf(api.admin.look['sign-up'].$put({ json })),
          'Note saved',
          () => draft.settle(note),
        )
      }
    >
      <TextArea
        label="Note"
        rows={2}
        value={note}
        placeholder="Free to join. Try everything with a free trial."
        maxLength={lookLengths.note}
        length={[...note].length}
        onChange={(event) => draft.change(event.target.value)}
      />
    </LookSection>
  );
}
