import { useKeysSwitch } from '#web/player/use-keys-switch.ts';

const rows: [string, string[]][] = [
  ['Next, previous', ['↓', '↑']],
  ['Keep, remove', ['K', 'R']],
  ['Warn, suspend', ['W', 'S']],
  ['Undo', ['Z']],
];

/** The keys of the page, and their switch. */
export function ReportKeys() {
  const [isOn, setOn] = useKeysSwitch();
  return (
    <section className="pn keys" aria-labelledby="keys">
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
      <div className="swr2">
        <span className="min-w-0 flex-1" id="keys-switch">
          Single-key shortcuts
        </span>
        <button
          type="button"
          role="switch"
          className="grid min-h-11 place-items-center"
          aria-checked={isOn}
          aria-labelledby="keys-switch"
          onClick={() => setOn(!isOn)}
        >
          <span className="sw" />
        </button>
      </div>
    </section>
  );
}
