import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { askForShakes, canShake, nightWatch, useNight } from '#web/listening/night/open-night.ts';
import { SwitchItem } from '../switch-item.tsx';

/** Ways to prolong without looking, and the hours in which the timer starts by itself. */
export function ProlongSettings() {
  const settings = useNight((night) => night.settings);
  const [isRefused, setIsRefused] = useState(false);
  const change = nightWatch()?.changeSettings;
  const setShake = async (isOn: boolean) => {
    const isAllowed = !isOn || (await askForShakes());
    setIsRefused(!isAllowed);
    change?.({ prolongsByShake: isOn && isAllowed });
  };
  return (
    <fieldset className="border-0">
      <legend className="menu__label">
        <Trans>Prolong without looking</Trans>
      </legend>
      <SwitchItem
        isOn={settings.prolongsByKey}
        onChange={(prolongsByKey) => change?.({ prolongsByKey })}
        hint={t`A press adds 10 minutes, in the last 30 seconds or just after`}
      >
        {t`Headphone button`}
      </SwitchItem>
      {canShake() && (
        <SwitchItem
          isOn={settings.prolongsByShake}
          onChange={(isOn) => void setShake(isOn)}
          hint={
            isRefused
              ? t`This browser does not allow it. The settings of the device may.`
              : t`Asks for permission where the device wants it`
          }
        >
          {t`Shake the phone`}
        </SwitchItem>
      )}
      <SwitchItem
        isOn={settings.isAutomatic}
        onChange={(isAutomatic) => change?.({ isAutomatic })}
        hint={t`Stops 10 minutes after the last touch, key or press`}
      >
        {t`Start by itself at night`}
      </SwitchItem>
      {settings.isAutomatic && (
        <p className="sleep-hours">
          <Hour name="from" label={t`from`} />
          <Hour name="to" label={t`to`} />
        </p>
      )}
    </fieldset>
  );
}

function Hour({ name, label }: { name: 'from' | 'to'; label: string }) {
  const id = useId();
  const value = useNight(({ settings }) => settings[name]);
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <span className="input">
        <input
          id={id}
          className="input__field"
          type="time"
          value={value}
          required
          onChange={({ currentTarget }) =>
            currentTarget.value !== '' && nightWatch()?.changeSettings({ [name]: currentTarget.value })
          }
        />
      </span>
    </>
  );
}
