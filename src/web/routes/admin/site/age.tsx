import { t } from '@lingui/core/macro';
import { href } from 'react-router';
import { ageWays, elsewhere, weakenedPlaces } from '#domain/age/rules.ts';
import type { AgeSettings } from '#domain/age/settings.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { useConfirm } from '#web/admin/consequence-dialog.tsx';
import { AgePresets } from '#web/admin/site/age-presets.tsx';
import { AgeRules } from '#web/admin/site/age-rules.tsx';
import { AgeTry } from '#web/admin/site/age-try.tsx';
import { AgeWays } from '#web/admin/site/age-ways.tsx';
import { againLabels, askLabels, nameOfPlace, ruleLabels, wayLabels } from '#web/admin/site/age-words.ts';
import { Line } from '#web/admin/site/check-parts.tsx';
import { Part } from '#web/workshop/forms/settings-part.tsx';
import { ChangedBy } from '#web/admin/site/settings-section.tsx';
import { answerOf, api } from '#web/api.ts';
import { EditedBar } from '#web/workshop/forms/edited-bar.tsx';
import { RadioOption } from '#web/workshop/forms/radio-option.tsx';
import { SwitchRow } from '#web/workshop/forms/switch-row.tsx';
import { useEdited } from '#web/workshop/forms/use-edited.ts';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import type { Route } from './+types/age';

export async function loader({ context }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const { age: section } = await site.admin.site.findSiteSettings(viewer);
  const { standard, ways, regionSources, placeChoices, presets, presetsWrittenOn } = site.age;
  return {
    section,
    standard,
    usable: ways.usable(),
    provider: ways.provider,
    issuers: ways.issuers(),
    regionSources,
    places: placeChoices(),
    presets,
    presetsWrittenOn,
  };
}

/** The rules of age, and a try of what visitors meet. */
export default function AdminAge({ loaderData }: Route.ComponentProps) {
  const { section, standard, usable, provider, issuers, regionSources, places, presets, presetsWrittenOn } = loaderData;
  const { headers, hasDatabase } = regionSources;
  const { confirm, dialog } = useConfirm();
  const edited = useEdited<AgeSettings>({
    key: 'settings age',
    subject: { type: 'settings', id: 'age' },
    saved: section.value,
    send: (value) =>
      answerOf(
        api.admin.settings.age.$put({
          // A save of the page confirms the default, which it shows.
          json: { value: { ...value, others: value.others ?? standard }, revision: section.revision },
        }),
      ),
  });
  const nameOf = nameOfPlace(places);
  const withOthers = ({ rules, others }: AgeSettings) => ({
    rules,
    others: { ...(others ?? standard), place: elsewhere },
  });
  const now = withOthers(edited.values);
  const { asks, ways } = edited.values;
  const hasWay = usable.some((way) => ways[way]);

  async function save(): Promise<void> {
    const weaker = weakenedPlaces(withOthers(section.value), now);
    if (weaker.length === 0) return void (await edited.save());
    confirm({
      title: t`Ask for less?`,
      consequences: t`Visitors are asked for less than before, or less often: ${{ places: weaker.map(nameOf).join(', ') }}.`,
      verb: t`Save`,
      onConfirm: async () => {
        await edited.save();
        return true;
      },
    });
  }

  return (
    <>
      <WorkshopHead
        title={t`Age`}
        facts={t`Who is asked for their age, and how. Changes are logged.`}
        back={{ to: href('/admin/settings'), label: t`Settings` }}
      >
        <a className="btn btn--secondary" href="#see-as">
          {t`See as a visitor`}
        </a>
      </WorkshopHead>
      <div className="max-w-[1120px] max-[80rem]:[&>section:first-child]:grid-cols-1">
        <Part
          title={t`Rules`}
          help={t`One per country or US state. The strictest wins where two apply.`}
          facts={<ChangedBy section={section} />}
        >
          <AgeRules
            {...now}
            isDefault={edited.values.others === null}
            places={places}
            nameOf={nameOf}
            hasWay={hasWay}
            onChange={edited.change}
          />
          <AgePresets
            presets={presets}
            writtenOn={presetsWrittenOn}
            rules={now.rules}
            hasWay={hasWay}
            onAdd={(rules) => edited.change({ rules })}
          />
        </Part>
        <Part
          title={t({ message: 'Statement', context: 'rule of age' })}
          help={t`“I am at least 18”, once on each device.`}
        >
          <fieldset>
            <legend className="sr-only">{t`When it is asked`}</legend>
            {(['play', 'first'] as const).map((when) => (
              <RadioOption
                key={when}
                name="asks"
                label={askLabels[when].label()}
                note={askLabels[when].note()}
                checked={asks === when}
                onChoose={() => edited.change({ asks: when })}
              />
            ))}
          </fieldset>
        </Part>
        <AgeWays
          ways={ways}
          usable={usable}
          provider={provider}
          issuers={issuers}
          onChange={(change) => edited.change({ ways: { ...ways, ...change } })}
        />
        <Part title={t`Region`} help={t`Never taken from the browser’s word.`}>
          <ul className="check-list">
            <Line name={t({ message: 'Header', context: 'HTTP' })} state={headers === undefined ? 'unknown' : 'ok'}>
              {headers === undefined
                ? t`Not set. REGION_HEADER names a header of your proxy.`
                : t`${{ headers: headers.join(', ') }}, believed from trusted proxies`}
            </Line>
            <Line name={t`Database`} state={hasDatabase ? 'ok' : 'unknown'}>
              {hasDatabase
                ? t`The file of REGION_DATABASE, where no header names the region`
                : t`Not set. REGION_DATABASE takes a local MMDB file.`}
            </Line>
            {headers === undefined && !hasDatabase && (
              <Line name={t({ message: 'Unknown', context: 'region' })} state="warn">
                {t`Everybody has the rule for everywhere else, until one of the two is set.`}
              </Line>
            )}
          </ul>
        </Part>
        <Part title={t`Label`} help={t`Lets parents’ filters find the site.`}>
          <SwitchRow
            label={t`Rating label in pages and feeds`}
            text={t`RTA, and isFamilyFriendly: false`}
            isOn={edited.values.ratingLabel}
            onChange={(ratingLabel) => edited.change({ ratingLabel })}
          />
        </Part>
        <AgeTry {...now} asks={asks} places={places} nameOf={nameOf} isChanged={edited.isChanged} />
      </div>
      <EditedBar edited={{ ...edited, conflict: withWords(edited.conflict, nameOf), save }} />
      {dialog}
    </>
  );
}

type Conflict = ReturnType<typeof useEdited<AgeSettings>>['conflict'];

/** Both versions of each field, in words. */
function withWords(conflict: Conflict, nameOf: (place: string) => string): Conflict {
  const rule = (one: NonNullable<AgeSettings['others']>) =>
    one.rule === 'none' ? ruleLabels.none() : `${ruleLabels[one.rule]()}, ${againLabels[one.again]()}`;
  const words = {
    rules: (rules: AgeSettings['rules']) => rules.map((one) => `${nameOf(one.place)}: ${rule(one)}`).join('; '),
    others: (one: AgeSettings['others']) => one && rule(one),
    asks: (asks: AgeSettings['asks']) => askLabels[asks].label(),
    ways: (ways: AgeSettings['ways']) =>
      ageWays.map((way) => `${wayLabels[way]()}: ${ways[way] ? t`On` : t`Off`}`).join('; '),
    ratingLabel: (isOn: boolean) => (isOn ? t`On` : t`Off`),
  };
  const labels = {
    rules: t`Rules`,
    others: nameOf(elsewhere),
    asks: t`When it is asked`,
    ways: t`Ways of proof`,
    ratingLabel: t`Label`,
  };
  return (
    conflict && {
      ...conflict,
      fields: conflict.fields.map(({ name, mine, theirs }) => {
        const key = name as keyof AgeSettings;
        const say = words[key] as (value: unknown) => string | null;
        return { name, label: labels[key], mine: say(mine), theirs: say(theirs) };
      }),
    }
  );
}
