import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ComponentProps, useId, useState } from 'react';
import { href, useNavigate, useRevalidator } from 'react-router';
import type { VoiceRole } from '#domain/kernel/viewer.ts';
import type { VoicePerson } from '#domain/studio/people.ts';
import { maxPeople } from '#domain/studio/rules.ts';
import type { ManagedVoice } from '#domain/studio/voices.ts';
import { answerOf, api } from '../api.ts';
import { formatDate } from '#formats/times.ts';
import { Avatar } from '../ui/images/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/layers/dialog.tsx';
import { Field, FieldError } from '../ui/fields/field.tsx';
import { useToast } from '../ui/layers/toast.tsx';

/** `since` in ISO 8601. */
type PersonView = Omit<VoicePerson, 'since'> & { since: string };

type VoicePeopleProps = {
  voice: Pick<ManagedVoice, 'id' | 'name' | 'role'>;
  people: PersonView[];
  /** Id of the viewing user. */
  ownId: string;
};

const nameOf = ({ username }: PersonView) => username ?? t`An account without a username`;

/** Owners and editors; owners add, change and remove them, and editors can leave. */
export function VoicePeople({ voice, people, ownId }: VoicePeopleProps) {
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const showToast = useToast();
  const [leaving, setLeaving] = useState<PersonView>();
  const canManage = voice.role !== 'editor';
  const owners = people.filter(({ role }) => role === 'owner').length;
  const param = { id: voice.id };

  async function setRole(person: PersonView, role: VoiceRole): Promise<void> {
    if (person.username === null) return;
    const json = { name: person.username, role };
    const answer = await answerOf(api.studio.voices[':id'].people.$put({ param, json }));
    await revalidate();
    const undo = () => void setRole({ ...person, role }, person.role);
    const name = nameOf(person);
    const text = role === 'owner' ? t`${name} is an owner now` : t`${name} is an editor now`;
    showToast(
      answer.ok ? { text, kind: 'person', action: { label: t`Undo`, onPress: undo } } : { text: answer.message },
    );
  }

  async function remove(person: PersonView): Promise<void> {
    setLeaving(undefined);
    const gone = { param: { ...param, userId: person.id } };
    const answer = await answerOf(api.studio.voices[':id'].people[':userId'].$delete(gone));
    if (!answer.ok) {
      await revalidate();
      return showToast({ text: answer.message });
    }
    // The user left the voice, and no longer has access to this page.
    if (person.id === ownId) return void navigate(href('/studio'));
    await revalidate();
    const undo = () => void setRole(person, person.role);
    const action = person.username === null ? undefined : { label: t`Undo`, onPress: undo };
    showToast({ text: t`${{ name: nameOf(person) }} removed`, kind: 'person', ...(action && { action }) });
  }

  return (
    <div className="field-list">
      <ul className="todo">
        {people.map((person) => {
          const isLastOwner = person.role === 'owner' && owners === 1;
          const isOneself = person.id === ownId;
          const name = nameOf(person);
          return (
            <li key={person.id} data-person={person.id}>
              <Avatar name={person.icon ?? person.username} color={person.color} />
              <div className="min-w-0">
                <b>{isOneself ? t`${name} (you)` : name}</b>
                <small>{canManage ? sinceText(person, isLastOwner) : roleText(person)}</small>
              </div>
              <div className="flex flex-wrap items-center justify-end gap-2">
                {canManage && person.username !== null && (
                  <RoleChoice
                    aria-label={t`Role of ${name}`}
                    value={person.role}
                    disabled={isLastOwner}
                    onChange={(role) => void setRole(person, role)}
                  />
                )}
                {!isLastOwner && (canManage || isOneself) && (
                  <Button
                    variant="ghost"
                    size="sm"
                    aria-label={isOneself ? t`Leave` : t`Remove ${name}`}
                    onClick={() => (isOneself ? setLeaving(person) : void remove(person))}
                  >
                    {isOneself ? t`Leave` : t`Remove`}
                  </Button>
                )}
              </div>
            </li>
          );
        })}
      </ul>
      {canManage && people.length < maxPeople && <AddPerson voiceId={voice.id} />}
      <Dialog
        open={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={t`Leave ${{ name: voice.name }}?`}
        description={t`You lose access to this Studio at once. An owner can add you again.`}
      >
        <div className="form flex flex-wrap gap-2">
          <Button className="btn--danger" variant="outline" onClick={() => leaving && void remove(leaving)}>
            {t`Leave`}
          </Button>
          <Button variant="ghost" onClick={() => setLeaving(undefined)}>
            {t`Stay`}
          </Button>
        </div>
      </Dialog>
    </div>
  );
}

function sinceText({ since }: PersonView, isLastOwner: boolean): string {
  const date = formatDate(since);
  return isLastOwner ? t`Since ${date}, the only owner` : t`Since ${date}`;
}

function roleText({ since, role }: PersonView): string {
  const date = formatDate(since);
  return role === 'owner' ? t`Owner since ${date}` : t`Editor since ${date}`;
}

type RoleChoiceProps = Omit<ComponentProps<'select'>, 'onChange'> & { onChange: (role: VoiceRole) => void };

function RoleChoice({ className = 'input--dense', onChange, ...select }: RoleChoiceProps) {
  return (
    <select
      {...select}
      className={`input w-auto min-w-32 ${className}`}
      onChange={({ target }) => onChange(target.value === 'owner' ? 'owner' : 'editor')}
    >
      <option value="owner">
        <Trans>Owner</Trans>
      </option>
      <option value="editor">
        <Trans>Editor</Trans>
      </option>
    </select>
  );
}

function AddPerson({ voiceId }: { voiceId: string }) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const roleField = useId();
  const [name, setName] = useState('');
  const [role, setRole] = useState<VoiceRole>('editor');
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const isReady = name.trim() !== '';

  async function add(): Promise<void> {
    setIsBusy(true);
    setFailure(undefined);
    const json = { name: name.trim(), role };
    const answer = await answerOf(api.studio.voices[':id'].people.$put({ param: { id: voiceId }, json }));
    if (answer.ok) await revalidate();
    setIsBusy(false);
    if (!answer.ok) return setFailure(answer.message);
    setName('');
    showToast({ text: t`${{ name: name.trim() }} added` });
  }

  return (
    <form
      aria-label={t`Add somebody`}
      className="flex flex-wrap items-end gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isBusy) void add();
      }}
    >
      {failure !== undefined && (
        <div className="w-full">
          <FieldError>{failure}</FieldError>
        </div>
      )}
      <Field
        className="min-w-48 flex-1"
        label={t`Username or email`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={320}
        value={name}
        onChange={({ target }) => {
          setName(target.value);
          setFailure(undefined);
        }}
      />
      <div className="field">
        <label htmlFor={roleField}>
          <Trans>Role</Trans>
        </label>
        <RoleChoice id={roleField} className="" value={role} onChange={setRole} />
      </div>
      <div>
        <Button type="submit" disabled={!isReady} busy={isBusy ? t`Adding…` : undefined}>
          {t`Add`}
        </Button>
      </div>
    </form>
  );
}
