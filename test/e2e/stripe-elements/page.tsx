import {
  CardCvcElement,
  CardExpiryElement,
  CardNumberElement,
  Elements,
  useElements,
  useStripe,
} from '@stripe/react-stripe-js';
import type { StripeError } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

/** A payment form made only of Stripe's official components; shows its result in the page. */
function CardForm({ secret }: { secret: string }) {
  const stripe = useStripe();
  const elements = useElements();
  const [answer, setAnswer] = useState('');
  const [changes, setChanges] = useState<Record<string, string>>({});
  const note = (event: {
    elementType: string;
    complete: boolean;
    empty: boolean;
    error: StripeError | undefined;
    brand?: string;
  }) =>
    setChanges((before) => ({
      ...before,
      [event.elementType]:
        event.error?.message ??
        `${event.complete ? 'complete' : event.empty ? 'empty' : 'open'} ${event.brand ?? ''}`.trim(),
    }));

  async function pay(how: 'method' | 'setup' | 'payment') {
    const card = elements?.getElement(CardNumberElement);
    if (stripe === null || !card) return;
    setAnswer('');
    const result =
      how === 'method'
        ? await stripe.createPaymentMethod({ type: 'card', card, billing_details: { name: 'Ada' } })
        : how === 'setup'
          ? await stripe.confirmCardSetup(secret)
          : await stripe.confirmCardPayment(secret, { payment_method: { card } });
    setAnswer(JSON.stringify(result));
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void pay('method');
      }}
    >
      <label htmlFor="number">Card number</label>
      <CardNumberElement
        id="number"
        onChange={note}
        options={{ style: { base: { fontSize: '18px' }, invalid: { color: 'rgb(200, 0, 0)' } } }}
      />
      <label htmlFor="expiry">Expiration date</label>
      <CardExpiryElement id="expiry" onChange={note} />
      <label htmlFor="cvc">Security code</label>
      <CardCvcElement id="cvc" onChange={note} />
      <button>Make a payment method</button>
      <button type="button" onClick={() => void pay('setup')}>
        Confirm the setup
      </button>
      <button type="button" onClick={() => void pay('payment')}>
        Confirm the payment
      </button>
      <ul>
        {Object.entries(changes).map(([name, text]) => (
          <li key={name}>
            {name}: {text}
          </li>
        ))}
      </ul>
      <output>{answer}</output>
    </form>
  );
}

/** In sandbox mode the sandbox's script comes first: `loadStripe` uses what it defines. */
function loadSandbox(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.type = 'module';
    script.src = src;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', reject);
    document.head.append(script);
  });
}

const root = document.querySelector<HTMLElement>('#root');
if (root !== null) {
  const { key = '', secret = '', script = '' } = root.dataset;
  const loading = loadSandbox(script).then(() => loadStripe(key));
  createRoot(root).render(
    <main>
      <h1>Pay</h1>
      <Elements stripe={loading}>
        <CardForm secret={secret} />
      </Elements>
    </main>,
  );
}
