import { useState } from 'react';
import { href, Link, useRevalidator } from 'react-router';
import { AdminHead } from '#web/admin/admin-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { ConsequenceDialog } from '#web/admin/consequence-dialog.tsx';
import { EditedBar } from '#web/workshop/forms/edited-bar.tsx';
import { useCall } from '#web/admin/use-call.ts';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import type { ChosenVoice } from '#web/admin/voice-field.tsx';
import { VoiceField } from '#web/admin/voice-field.tsx';
import { VoiceInputs } from '#web/admin/people/voice-form.tsx';
import { answerOf, api, onManyAudios } from '#web/api.ts';
import { countOf } from '#formats/numbers.ts';
import { pageMeta } from '#web/page-meta.ts';
import { orNotFound } from '#web/route-errors.ts';
import { PictureField } from '#web/studio/picture-field.tsx';
import { Button } from '#web/ui/button.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { Field } from '#web/ui/fields/field.tsx';
import { useToast } from '#web/ui/layers/toast.tsx';
import type { Route } from './+types/voice';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const voice = orNotFound(await site.admin.content.findVoice(viewer, params.id));
  return { voice, categories: await site.admin.content.listCategoryChoices(viewer) };
}

export function meta({ loaderData, ...args }: Route.MetaArgs) {
  if (loaderData === undefined) return pageMeta(args, undefined);
  return pageMeta(args, { title: loaderData.voice.name, description: 'A creator of the site', index: 'no' });
}

/** A key per item, so that input and dialogs of one do not appear on another. */
export default function AdminVoice({ loaderData }: Route.ComponentProps) {
  return <VoicePage key={loaderData.voice.id} {...loaderData} />;
}

function VoicePage({ voice, categories }: Route.ComponentProps['loaderData']) {
  const { busy, call } = useCall();
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const { id, name, slug, isHidden } = voice;
  const saved = { name, voiceType: voice.voiceType ?? 'female', bio: voice.bio, categoryId: voice.categoryId };
  const edited = useEdited({
    key: `voice ${id}`,
    subject: { type: 'voice', id },
    saved,
    send: (_values, changed) => {
      const seen = { ...saved, voiceType: voice.voiceType };
      const before = Object.fromEntries(Object.entries(seen).filter(([field]) => field in changed));
      return answerOf(api.admin.voices[':id'].$patch({ param: { id }, json: { ...changed, before } }));
    },
  });
  const [account, setAccount] = useState('');
  const [isMerging, setIsMerging] = useState(false);
  const [isDeleting, setIsDeleting] = useState(false);
  const [into, setInto] = useState<ChosenVoice>();
  const has = `${countOf(voice.audios, 'audio')}, ${countOf(voice.series, 'series', 'series')}`;

  async function setHidden(hidden: boolean): Promise<void> {
    const json = { isHidden: hidden };
    await call('hide', () => answerOf(api.admin.voices[':id'].$patch({ param: { id }, json }, onManyAudios)), {
      done: hidden ? `${name} is hidden` : `${name} is shown again`,
      undo: () => void setHidden(!hidden),
    });
  }

  async function restore(): Promise<void> {
    await call('restore', () => answerOf(api.admin.voices[':id'].restore.$post({ param: { id } }, onManyAudios)), {
      done: `${name} is restored`,
      about: id,
      leavesTo: href('/admin/voices/:id', { id }),
    });
  }

  async function setOwner(who: string, isOwner: boolean): Promise<void> {
    const done = await call(
      `owner ${who}`,
      () => answerOf(api.admin.voices[':id'].owners.$put({ param: { id }, json: { account: who, isOwner } })),
      { done: isOwner ? `${who} now owns ${name}` : `${who} no longer manages ${name}` },
    );
    if (done !== undefined && isOwner) setAccount('');
  }

  return (
    <>
      <AdminHead
        title={name}
        back={{ to: href('/admin/voices'), label: 'Creators' }}
        facts={
          <span className="flex flex-wrap items-center gap-3">
            {isHidden && <span className="state-mark tone-bad">Hidden</span>}
            {has}, {countOf(voice.favorites, 'favorite')}
          </span>
        }
      >
        {!isHidden && <Button render={<Link to={href('/creators/:slug', { slug })}>View page</Link>} />}
        <Button render={<Link to={href('/studio/:voice', { voice: slug })}>Open in Studio</Link>} />
      </AdminHead>
      <div className="main-and-aside">
        <section className="pane" aria-labelledby="about">
          <div className="pane__head">
            <h2 className="pane-title" id="about">
              About
            </h2>
            <Cover imageUrl={voice.imageUrl} shape="circle" size={56} />
          </div>
          <form
            className="field-list"
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              void edited.save();
            }}
          >
            <VoiceInputs fields={edited.values} categories={categories} onChange={edited.change} />
          </form>
          <h3 className="mt-8 mb-3">Portrait</h3>
          <PictureField
            name="portrait"
            imageUrl={voice.imageUrl}
            shapes={['arch', 'square']}
            onChoose={async (picture) => {
              const json = { picture: picture?.base64 ?? null };
              const answer = await answerOf(api.studio.voices[':id'].$patch({ param: { id }, json }));
              if (!answer.ok) return answer.message;
              await revalidate();
              showToast({ text: picture === null ? 'Portrait removed' : 'Portrait saved' });
              return undefined;
            }}
          />
          <p className="text-13 mt-4 text-muted">
            Address and series:{' '}
            <Link className="link" to={href('/studio/:voice/voice', { voice: slug })}>
              creator page in the Studio
            </Link>
          </p>
        </section>
        <aside className="stack" aria-label="People and visibility">
          <section className="pane" aria-labelledby="people">
            <h2 className="pane-title mb-3" id="people">
              People
            </h2>
            {voice.people.length === 0 ? (
              <p className="text-14 mb-4 text-muted">Only operators manage this creator’s audios.</p>
            ) : (
              <ul className="todo mb-4">
                {voice.people.map((person) => {
                  const who = person.username ?? person.email ?? '';
                  return (
                    <li key={person.id}>
                      <div className="min-w-0">
                        <b className="truncate">{who}</b>
                        <small>{person.role === 'owner' ? 'Owner' : 'Editor'}</small>
                      </div>
                      <Button
                        variant="ghost"
                        size="sm"
                        aria-label={`Remove ${who}`}
                        busy={busy === `owner ${who}` ? 'Removing…' : undefined}
                        onClick={() => void setOwner(who, false)}
                      >
                        Remove
                      </Button>
                    </li>
                  );
                })}
              </ul>
            )}
            <form
              className="field-list"
              noValidate
              onSubmit={(event) => {
                event.preventDefault();
                if (account.trim() !== '') void setOwner(account.trim(), true);
              }}
            >
              <Field
                label="Email or username"
                value={account}
                autoComplete="off"
                maxLength={200}
                onChange={(event) => setAccount(event.target.value)}
              />
              <Button type="submit" disabled={account.trim() === ''}>
                Add owner
              </Button>
            </form>
          </section>
          <section className="pane" aria-labelledby="visibility">
            <h2 className="pane-title mb-2" id="visibility">
              Visibility
            </h2>
            <p className="text-14 mb-4 text-soft">
              {isHidden
                ? `Listeners see neither the creator nor their ${has}. Showing them again brings all of it back.`
                : `Hiding takes the creator and their ${has} from every page, search and feed. Nothing is lost.`}
            </p>
            <Button busy={busy === 'hide' ? 'Working…' : undefined} onClick={() => void setHidden(!isHidden)}>
              {isHidden ? 'Show again' : 'Hide'}
            </Button>
          </section>
          <section className="pane" aria-labelledby="merge">
            <h2 className="pane-title mb-2" id="merge">
              Merge
            </h2>
            <p className="text-14 mb-4 text-soft">
              Moves everything to another creator, permanently. This creator’s address then redirects there.
            </p>
            <Button
              onClick={() => {
                setInto(undefined);
                setIsMerging(true);
              }}
            >
              Merge into another
            </Button>
          </section>
          <section className="pane" aria-labelledby="delete">
            <h2 className="pane-title mb-2" id="delete">
              Delete
            </h2>
            <p className="text-14 mb-4 text-soft">
              Takes the creator and their {has} from every page, also from the Studio. It can be undone for 30 days.
            </p>
            <Button onClick={() => setIsDeleting(true)}>Delete creator</Button>
          </section>
        </aside>
      </div>
      <EditedBar
        edited={edited}
        valueNames={Object.fromEntries(categories.map((category) => [category.id, category.label]))}
      />
      {isDeleting && (
        <ConsequenceDialog
          title={`Delete ${name}`}
          consequences={`${has}, ${countOf(voice.owners, 'owner')} and ${countOf(voice.favorites, 'favorite')} go with them. You can restore all of that for 30 days.`}
          verb="Delete creator"
          isBusy={busy === 'delete'}
          onClose={() => setIsDeleting(false)}
          onConfirm={async () => {
            const json = { name };
            await call(
              'delete',
              () => answerOf(api.admin.voices[':id'].delete.$post({ param: { id }, json }, onManyAudios)),
              { done: `${name} is deleted`, about: id, leavesTo: href('/admin/voices'), undo: () => void restore() },
            );
          }}
        />
      )}
      {isMerging && (
        <ConsequenceDialog
          title={`Merge ${name}`}
          consequences={`This cannot be undone: ${has}, ${countOf(voice.owners, 'owner')}, ${countOf(voice.favorites, 'favorite')} and all seconds heard move to the other creator. Only the name, text and portrait of ${name} go.`}
          typedName={name}
          verb="Merge creators"
          isBusy={busy === 'merge'}
          isReady={into !== undefined}
          onClose={() => setIsMerging(false)}
          onConfirm={async (typed) => {
            if (into === undefined) return;
            const json = { into: into.value, name: typed };
            const merged = await call(
              'merge',
              () => answerOf(api.admin.voices[':id'].merge.$post({ param: { id }, json }, onManyAudios)),
              {
                done: `${name} is merged into ${into.label}`,
                leavesTo: href('/admin/voices/:id', { id: into.value }),
              },
            );
            // The page of the other creator is the same component.
            if (merged !== undefined) setIsMerging(false);
          }}
        >
          <VoiceField label="Into" voice={into} except={id} onChoose={setInto} />
        </ConsequenceDialog>
      )}
    </>
  );
}
