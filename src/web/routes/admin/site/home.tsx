import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { href, Link } from 'react-router';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { type PartFacts, ChangedBy, LookRefusal, useLookSave } from '#web/admin/site/look-section.tsx';
import { Chip } from '#web/ui/chip.tsx';
import GalleryHorizontal from 'lucide-react/icons/gallery-horizontal';
import { TranslationsLink } from '#web/admin/texts/translations-link.tsx';
import { useId, useState } from 'react';
import type { RailChoice } from '#domain/admin/site/look.ts';
import type { HomeValue, Rail } from '#domain/look/forms.ts';
import { lookLengths } from '#domain/look/rules.ts';
import { answerOf, api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { HandOrder, moved } from '#web/workshop/forms/hand-order.tsx';
import { EditedBar } from '#web/workshop/forms/edited-bar.tsx';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import type { Route } from './+types/home';

export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const [{ home }, choices] = await Promise.all([
    site.admin.site.findLook(viewer),
    site.admin.site.findRailChoices(viewer),
  ]);
  return {
    part: home,
    viewers: url.searchParams.get('for') === 'listeners' ? ('listeners' as const) : ('visitors' as const),
    choices,
    now: Date.now(),
  };
}

export default function AdminHome({ loaderData: { part, viewers, choices, now } }: Route.ComponentProps) {
  return (
    <>
      <WorkshopHead
        title={t`Home`}
        facts={
          part.changedAt === null ? (
            t`The default. The first lines and the picture are under Look.`
          ) : (
            <ChangedBy facts={part} now={now} />
          )
        }
      >
        <TranslationsLink kind="menu" subject="all" />
      </WorkshopHead>
      <nav className="chips mb-5" aria-label={t`Who sees it`}>
        <Chip render={<Link to={href('/admin/home')} aria-current={viewers === 'visitors' ? 'true' : undefined} />}>
          {t`Visitors`}
        </Chip>
        <Chip
          render={
            <Link
              to={`${href('/admin/home')}?for=listeners`}
              aria-current={viewers === 'listeners' ? 'true' : undefined}
            />
          }
        >
          {t`Listeners`}
        </Chip>
      </nav>
      <HomeRailsEditor key={viewers} part={part} viewers={viewers} choices={choices} />
    </>
  );
}

type HomeViewers = keyof HomeValue;

const siteRailNames = {
  new: () => t`New audios`,
  creators: () => t`Creators`,
  categories: () => t`Categories`,
  playlists: () => t`Playlists`,
  series: () => t({ message: 'Series', context: 'several' }),
  'listeners-playlists': () => t`Playlists by listeners`,
  continue: () => t`Continue listening`,
  recent: () => t`Recent activity`,
  'for-you': () => t`For you`,
} as const;
const chosenNames = {
  category: () => t`Category`,
  playlist: () => t`Playlist`,
  'one-series': () => t({ message: 'Series', context: 'one' }),
  tag: () => t`Tag`,
} as const;

/** The defaults. */
const defaults: Record<HomeViewers, (keyof typeof siteRailNames)[]> = {
  visitors: ['new', 'for-you', 'creators', 'categories', 'playlists', 'series', 'listeners-playlists'],
  listeners: [
    'continue',
    'for-you',
    'new',
    'recent',
    'listeners-playlists',
    'creators',
    'categories',
    'playlists',
    'series',
  ],
};
/** Rails whose headings depend on the listener. */
const untitled: Rail['kind'][] = ['continue', 'recent'];

const idOf = ({ kind, slug }: Pick<Rail, 'kind' | 'slug'>) => (slug === null ? kind : `${kind} ${slug}`);

function nameOf({ kind, slug }: Rail, choices: RailChoice[]): string {
  if (slug === null) return siteRailNames[kind as keyof typeof siteRailNames]();
  const choice = choices.find((one) => one.kind === kind && one.slug === slug);
  return t`${{ kind: chosenNames[kind as keyof typeof chosenNames]() }}: ${{ name: choice?.label ?? slug }}`;
}

type HomeRailsEditorProps = {
  part: PartFacts & { value: HomeValue };
  viewers: HomeViewers;
  choices: RailChoice[];
};

/** The rails of Home in their order, with their titles. */
function HomeRailsEditor({ part, viewers, choices }: HomeRailsEditorProps) {
  const fallback = defaults[viewers].map((kind): Rail => ({ kind, slug: null, title: null }));
  const saved = part.value[viewers] ?? fallback;
  const put = (rails: Rail[] | null, revision: number) =>
    api.admin.look.home.$put({ json: { value: { ...part.value, [viewers]: rails }, revision } });
  const edited = useEdited({
    key: `home ${viewers}`,
    subject: { type: 'settings', id: 'look-home' },
    saved: { rails: saved },
    send: (values) => answerOf(put(values.rails, part.revision)),
    done: t`Home saved`,
  });
  const { rails } = edited.values;
  const setRails = (next: Rail[]) => edited.change({ rails: next });
  const look = useLookSave(part.revision);
  const items = rails.map((rail) => ({ ...rail, id: idOf(rail), title: nameOf(rail, choices) }));
  const setTitle = (id: string, title: string) =>
    setRails(rails.map((rail) => (idOf(rail) === id ? { ...rail, title: title === '' ? null : title } : rail)));

  async function reset(): Promise<void> {
    await look.save(
      (revision) => put(null, revision),
      () => t`Reset to the default`,
    );
    edited.reset();
  }

  const named = (value: unknown) =>
    (value as Rail[]).map((rail) => {
      const name = nameOf(rail, choices);
      return rail.title === null ? name : t`${name} (“${{ title: rail.title }}”)`;
    });
  const { conflict } = edited;
  const fields = conflict?.fields.map((field) => ({ ...field, mine: named(field.mine), theirs: named(field.theirs) }));

  return (
    <>
      <HandOrder
        items={items}
        label={t`Rails on Home`}
        nameOf={({ title }) => title}
        renderItem={({ id, kind, title }) => (
          <>
            <span className="grid size-10 place-items-center rounded-cover bg-overlay text-muted">
              <Icon of={GalleryHorizontal} size={18} />
            </span>
            <div className="col-span-2 min-w-0">
              <p className="font-semibold">{title}</p>
              {!untitled.includes(kind) && (
                <input
                  className="input input--dense mt-1.5 w-full max-w-100"
                  aria-label={t`Title of “${title}”`}
                  placeholder={t`Another title`}
                  value={rails.find((rail) => idOf(rail) === id)?.title ?? ''}
                  maxLength={lookLengths.railTitle}
                  onChange={(event) => setTitle(id, event.target.value)}
                />
              )}
            </div>
          </>
        )}
        onMove={(from, to) => setRails(moved(rails, from, to))}
        onRemove={({ id }) => setRails(rails.filter((rail) => idOf(rail) !== id))}
      />
      {rails.length === 0 && (
        <p className="text-muted">
          <Trans>Home shows no rails.</Trans>
        </p>
      )}
      <AddRail
        viewers={viewers}
        rails={rails}
        choices={choices}
        onAdd={(rail) => setRails([...rails, { ...rail, title: null }])}
      />
      {part.value[viewers] !== null && (
        <Button className="mt-4" variant="ghost" disabled={look.isBusy} onClick={() => void reset()}>
          {t`Back to the default`}
        </Button>
      )}
      <div className="mt-4 empty:hidden">
        <LookRefusal save={look} />
      </div>
      <EditedBar edited={{ ...edited, conflict: conflict && fields && { ...conflict, fields } }} />
    </>
  );
}

type AddRailProps = {
  viewers: HomeViewers;
  rails: Rail[];
  choices: RailChoice[];
  onAdd: (rail: Pick<Rail, 'kind' | 'slug'>) => void;
};

function AddRail({ viewers, rails, choices, onAdd }: AddRailProps) {
  const id = useId();
  const [chosen, setChosen] = useState('');
  const there = new Set(rails.map(idOf));
  const missing = defaults[viewers].filter((kind) => !there.has(kind));
  const others = choices.filter((choice) => !there.has(idOf(choice)));
  const all = [...missing.map((kind) => ({ kind, slug: null })), ...others];

  function add(): void {
    const rail = all.find((one) => idOf(one) === chosen);
    if (rail === undefined) return;
    onAdd({ kind: rail.kind, slug: rail.slug });
    setChosen('');
  }

  return (
    <div className="mt-6 flex flex-wrap items-end gap-2">
      <div className="field min-w-60">
        <label htmlFor={id}>
          <Trans>Add a rail</Trans>
        </label>
        <select id={id} className="input w-full" value={chosen} onChange={(event) => setChosen(event.target.value)}>
          <option value="">
            <Trans>Choose what it shows</Trans>
          </option>
          {missing.length > 0 && (
            <optgroup label={t`Of the site`}>
              {missing.map((kind) => (
                <option key={kind} value={kind}>
                  {siteRailNames[kind]()}
                </option>
              ))}
            </optgroup>
          )}
          {(Object.keys(chosenNames) as (keyof typeof chosenNames)[]).map((kind) => (
            <optgroup key={kind} label={chosenNames[kind]()}>
              {others
                .filter((one) => one.kind === kind)
                .map((one) => (
                  <option key={one.slug} value={idOf(one)}>
                    {one.label}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </div>
      <Button disabled={chosen === ''} onClick={add}>
        {t`Add`}
      </Button>
    </div>
  );
}
