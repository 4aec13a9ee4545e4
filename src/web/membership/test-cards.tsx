import type { TestCard } from '#domain/membership/rules.ts';

/** Where no real money moves: which numbers do what. */
export function TestCards({ cards }: { cards: TestCard[] }) {
  if (cards.length === 0) return null;
  return (
    <details className="test-cards">
      <summary>Test cards only</summary>
      <p>No money moves here. Any date to come and any security code will do.</p>
      <dl>
        {cards.map(({ number, says }) => (
          <div key={number}>
            <dt className="num">{number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')}</dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
