/** Simulates the bank's 3-D Secure page, which asks the customer to approve the payment. */

const rules = `
.stripe-sandbox-bank { margin: auto; border: 0; border-radius: 12px; padding: 28px; width: min(400px, calc(100vw - 32px));
  box-sizing: border-box; color: #1a1f36; background: #fff; font: 16px/1.5 system-ui, sans-serif;
  box-shadow: 0 15px 50px rgb(0 0 0 / 40%); }
.stripe-sandbox-bank::backdrop { background: rgb(10 12 20 / 70%); }
.stripe-sandbox-bank h2 { margin: 0 0 8px; font: 600 20px/1.3 system-ui, sans-serif; color: inherit; }
.stripe-sandbox-bank p { margin: 0 0 20px; color: #414552; }
.stripe-sandbox-bank button { display: block; width: 100%; min-height: 48px; margin-top: 10px; padding: 0 16px; border-radius: 8px;
  border: 1px solid #4f46b8; font: 600 16px system-ui, sans-serif; text-align: center; cursor: pointer; color: #fff; background: #4f46b8; }
.stripe-sandbox-bank button + button { color: #4f46b8; background: #fff; }
.stripe-sandbox-bank button:focus-visible { outline: 3px solid #1a1f36; outline-offset: 2px; }
`;

let sheet: CSSStyleSheet | undefined;

/** Events that must not reach the surrounding page, as they cannot from Stripe's frame. */
const own = ['pointerdown', 'mousedown', 'touchstart', 'click', 'focusin', 'keydown', 'keyup'];

/** Shows the dialog and resolves with the answer. It cannot be dismissed, since the bank needs one of the two. */
export function askForBank(): Promise<'complete' | 'fail'> {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }
  const dialog = document.createElement('dialog');
  dialog.className = 'stripe-sandbox-bank';
  dialog.setAttribute('aria-labelledby', 'stripe-sandbox-bank-title');
  dialog.setAttribute('aria-describedby', 'stripe-sandbox-bank-text');
  const title = document.createElement('h2');
  title.id = 'stripe-sandbox-bank-title';
  title.textContent = '3D Secure 2 Test Page';
  const text = document.createElement('p');
  text.id = 'stripe-sandbox-bank-text';
  text.textContent = 'This is a test 3D Secure authentication. Your bank would ask you here to confirm the payment.';
  return new Promise((resolve) => {
    const button = (words: string, outcome: 'complete' | 'fail') => {
      const element = document.createElement('button');
      element.type = 'button';
      element.textContent = words;
      element.addEventListener('click', () => {
        dialog.close();
        dialog.remove();
        resolve(outcome);
      });
      return element;
    };
    dialog.append(title, text, button('Complete authentication', 'complete'), button('Fail authentication', 'fail'));
    dialog.addEventListener('cancel', (event) => event.preventDefault());
    for (const name of own) dialog.addEventListener(name, (event) => event.stopPropagation());
    document.body.append(dialog);
    dialog.showModal();
  });
}
