import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { useState } from 'react';
import type { VoiceLink } from '#domain/catalogue/rules.ts';
import { isHttps, mostLinks, voiceLimits } from '#domain/catalogue/rules.ts';
import type { VoiceProfile } from '#domain/studio/profiles.ts';
import { answerOf, api } from '../api.ts';
import { formatCountOf } from '../format.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Note } from '../ui/note.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { ChoiceField } from '../workshop/choice-field.tsx';

type ProfileFormProps = {
  profile: VoiceProfile;
  /** The creator's own series, one of which links can lead to. */
  series: { id: string; title: string }[];
  onSaved: (slug: string) => Promise<void>;
};

const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Name, address, text, links and linked series of a creator's page. */
export function ProfileForm({ profile, series, onSaved }: ProfileFormProps) {
  const [name, setName] = useState(profile.name);
  const [slug, setSlug] = useState(profile.slug);
  const [bio, setBio] = useState(profile.bio);
  const [links, setLinks] = useState<VoiceLink[]>(profile.links);
  const [linkedSeriesId, setLinkedSeriesId] = useState(profile.linkedSeriesId);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<{ text: string; isOfSlug: boolean }>();

  const form = { name, slug, bio, links, linkedSeriesId };
  const { id: _, ...saved } = profile;
  const isChanged = Object.entries(form).some(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(saved[field as keyof typeof saved]),
  );
  const nameError = name.trim() === '' ? 'Enter a name' : undefined;
  const slugError = slugPattern.test(slug) ? undefined : 'Use small letters, digits and hyphens, such as maren-holt';
  const isReady =
    isChanged &&
    !nameError &&
    !slugError &&
    links.every(({ label, url }) => label.trim() !== '' && isHttps(url.trim()));

  async function save(): Promise<void> {
    setIsBusy(true);
    setFailure(undefined);
    const answer = await answerOf(api.studio.voices[':id'].$patch({ param: { id: profile.id }, json: form }));
    if (answer.ok) await onSaved(answer.data.slug);
    else setFailure({ text: answer.message, isOfSlug: answer.code === 'voice/address-taken' });
    setIsBusy(false);
  }

  function setLink(index: number, change: Partial<VoiceLink>): void {
    setLinks(links.map((link, at) => (at === index ? { ...link, ...change } : link)));
  }

  return (
    <form
      className="fg"
      aria-label="Page"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isBusy) void save();
      }}
    >
      {failure !== undefined && !failure.isOfSlug && <Note tone="error">{failure.text}</Note>}
      <div className="two">
        <Field
          label="Name"
          autoComplete="off"
          maxLength={voiceLimits.name}
          error={nameError}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Field
          label="Address"
          autoComplete="off"
          spellCheck={false}
          maxLength={120}
          hint={`/creators/${slug}`}
          error={slugError ?? (failure?.isOfSlug ? failure.text : undefined)}
          value={slug}
          onChange={({ target }) => {
            setSlug(target.value);
            setFailure(undefined);
          }}
        />
      </div>
      <TextArea
        label="Text"
        rows={6}
        maxLength={voiceLimits.bio}
        length={bio.length}
        value={bio}
        onChange={({ target }) => setBio(target.value)}
      />
      <fieldset className="grid gap-3">
        <legend className="mb-2 p-0 text-13 font-semibold text-soft">Links</legend>
        {links.length === 0 && (
          <p className="text-13 text-muted">Your website or shop. Links are shown under the text of your page.</p>
        )}
        {links.map((link, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- links have nothing else that stays
          <div key={index} className="flex items-start gap-2">
            <div className="two min-w-0 flex-1">
              <Field
                label={`Name of link ${index + 1}`}
                autoComplete="off"
                maxLength={voiceLimits.linkLabel}
                value={link.label}
                onChange={({ target }) => setLink(index, { label: target.value })}
              />
              <Field
                label={`Address of link ${index + 1}`}
                type="url"
                autoComplete="off"
                placeholder="https://"
                maxLength={500}
                error={
                  link.url === '' || isHttps(link.url.trim()) ? undefined : 'Use an address that begins with https://'
                }
                value={link.url}
                onChange={({ target }) => setLink(index, { url: target.value })}
              />
            </div>
            <IconButton
              className="mt-6"
              label={`Remove link ${index + 1}`}
              icon={X}
              onClick={() => setLinks(links.toSpliced(index, 1))}
            />
          </div>
        ))}
        {links.length < mostLinks ? (
          <div>
            <Button size="sm" onClick={() => setLinks([...links, { label: '', url: '' }])}>
              <Icon of={Plus} size={16} />
              Add a link
            </Button>
          </div>
        ) : (
          <p className="text-13 text-muted">{formatCountOf(mostLinks, 'link')} are the most.</p>
        )}
      </fieldset>
      <ChoiceField
        label="Links to you lead to"
        value={linkedSeriesId ?? ''}
        none="This page"
        options={series.map(({ id, title }) => ({ value: id, label: `The series “${title}”` }))}
        onChoose={(value) => setLinkedSeriesId(value || null)}
      />
      <div>
        <Button type="submit" variant="primary" disabled={!isReady} busy={isBusy ? 'Saving…' : undefined}>
          Save page
        </Button>
      </div>
    </form>
  );
}
