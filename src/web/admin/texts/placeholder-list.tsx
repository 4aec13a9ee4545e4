type PlaceholderListProps = { placeholders: { name: string; means: string; isRequired?: boolean }[] };

/** The placeholders of a text, with their meaning. */
export function PlaceholderList({ placeholders }: PlaceholderListProps) {
  return (
    <section className="pane" aria-labelledby="placeholders">
      <h2 className="pane-title mb-3" id="placeholders">
        Placeholders
      </h2>
      <dl className="grid gap-2.5">
        {placeholders.map(({ name, means, isRequired = false }) => (
          <div key={name}>
            <dt>
              <code className="text-14">{`{${name}}`}</code>
              {isRequired && <span className="text-13 ms-2 text-muted">needed</span>}
            </dt>
            <dd className="text-13 text-muted">{means}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
