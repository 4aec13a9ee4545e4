import { useKeysSwitch } from '../../player/use-keys-switch.ts';
import { SwitchRow } from '#web/workshop/forms/switch-row.tsx';

const rows: [string, string[]][] = [
  ['Next, previous', ['↓', '↑']],
  ['Keep, remove', ['K', 'R']],
  ['Warn, suspend', ['W', 'S']],
  ['Undo', ['Z']],
];

/** The page's keyboard shortcuts, and their switch. */
export function ReportKeys() {
  const [isOn, setOn] = useKeysSwitch();
  return (
    <section className="pane keys" aria-labelledby="keys">
      <h3 id="keys" className="mb-2.5">
        Keys
      </h3>
      <dl className="facts grid-cols-[minmax(0,1fr)_auto]">
        {rows.map(([label, keys]) => [
          <dt key={label}>{label}</dt>,
          <dd key={keys.join('')}>
            {keys.map((key) => (
              <kbd key={key} className="kbd">
                {key}
              </kbd>
            ))}
          </dd>,
        ])}
      </dl>
      <SwitchRow label="Single-key shortcuts" isOn={isOn} onChange={setOn} />
    </section>
  );
}
